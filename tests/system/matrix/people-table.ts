/** Routes of no document: who asks decides, not what of. */
import type { Row } from './rules.ts'

const AGENTS: readonly Row[] = [
  { route: 'POST /docs', for: 'any', body: { markdown: 'alpha' }, ok: '201' },
  {
    route: 'POST /agents/identify',
    for: 'any',
    spends: 'token',
    body: { display_name: '$name', slug: '$slug' },
    ok: '200',
    except: [
      {
        callers: ['nobody', 'linkCookie'],
        outcome: '401 AUTH_REQUIRED',
        says: 'interface §4.1: Bearer (per-document token)',
      },
      {
        callers: ['foreignToken', 'ownerKey'],
        outcome: '403 FORBIDDEN',
        says: 'extensions §2: the credential is good, there is no grant',
      },
      {
        callers: ['ownerSession', 'editorSession', 'grantedAgent'],
        outcome: 'silent',
        says: 'interface §4.7: registered agents and browser sessions are already identified',
      },
      {
        callers: ['strangerSession', 'strangerAgent', 'ephemeralAgent', 'crossSite'],
        outcome: 'refused',
        says: 'interface §4.1: Bearer (per-document token)',
      },
    ],
  },
  {
    route: 'POST /agents/register',
    for: 'any',
    body: { name: 'Somebody' },
    ok: '201',
    except: [
      {
        callers: [
          'foreignToken',
          'viewerToken',
          'commenterToken',
          'editorToken',
          'unnamedToken',
          'grantedAgent',
          'strangerAgent',
          'ephemeralAgent',
          'ownerKey',
          'revokedToken',
          'expiredToken',
        ],
        outcome: 'silent',
        says: "interface §4.1: not shown; extensions §3: open, with a session it is that account's",
      },
    ],
  },
  { route: 'GET /agents/me', for: 'agent', ok: '200' },
  {
    // Extensions §3: who may depends on the link's token, and this is none.
    route: 'POST /agents/me/join',
    for: 'agent',
    body: { slug: '$slug', token: 'none' },
    ok: '403 FORBIDDEN|423 DOC_ARCHIVED',
  },
  { route: 'PATCH /agents/me', for: 'agent', body: { name: '$name' }, ok: '200' },
  {
    route: 'POST /agents/me/rotate-key',
    for: 'agent',
    spends: 'agent',
    ok: '200',
  },
  { route: 'DELETE /agents/me', for: 'agent', spends: 'agent', ok: '200' },
  { route: 'POST /agents/ephemeral', for: 'ownerKey', body: {}, ok: '201' },
  { route: 'GET /agents/me/webhook-deliveries', for: 'agent', ok: '200' },
  {
    route: 'POST /agents/me/webhook-deliveries/:id/redeliver',
    for: 'agent',
    ok: '404 NOT_FOUND|409 WEBHOOK_OFF',
  },
  {
    route: 'POST /agents/me/webhook-deliveries/replay',
    for: 'agent',
    body: { since: new Date().toISOString() },
    ok: '409 WEBHOOK_OFF',
  },
  { route: 'POST /agents/me/webhook-test', for: 'agent', ok: '409 WEBHOOK_OFF' },
]

const SIGN_UP = { handle: '$fresh', name: 'Somebody', password: 'correct horse battery' }

/** Extensions §3: what begins a session looks at no Bearer, and of cookies at a guest's own. */
const BEGINS: Row['except'] = [
  {
    callers: [
      'foreignToken',
      'viewerToken',
      'commenterToken',
      'editorToken',
      'unnamedToken',
      'ownerSession',
      'editorSession',
      'strangerSession',
      'grantedAgent',
      'strangerAgent',
      'ephemeralAgent',
      'ownerKey',
      'crossSite',
    ],
    outcome: 'silent',
    says: "extensions §3 tells of who has no session, and of a guest's",
  },
]

const NO_KEYS: Row['except'] = [
  {
    callers: ['ownerKey'],
    outcome: 'silent',
    says: 'interface §5: owner keys are for creating alone',
  },
]

const ACCOUNTS: readonly Row[] = [
  {
    route: 'POST /auth/signup',
    for: 'public',
    spends: 'account',
    body: SIGN_UP,
    ok: '201',
    except: BEGINS,
  },
  {
    route: 'POST /auth/login',
    for: 'public',
    spends: 'account',
    body: { handle: '$heir', password: '$password' },
    ok: '200',
    except: BEGINS,
  },
  {
    route: 'POST /auth/guest',
    for: 'public',
    spends: 'account',
    body: { name: 'Somebody' },
    ok: '201',
    except: BEGINS,
  },
  {
    route: 'POST /auth/logout',
    for: 'session',
    spends: 'account',
    ok: '200|204',
    except: [
      {
        callers: [
          'nobody',
          'linkCookie',
          'foreignToken',
          'viewerToken',
          'commenterToken',
          'editorToken',
          'unnamedToken',
          'grantedAgent',
          'strangerAgent',
          'ephemeralAgent',
          'ownerKey',
        ],
        outcome: 'silent',
        says: 'extensions §3: POST /auth/logout ends the session; of none nothing is said',
      },
    ],
  },
  {
    route: 'GET /auth/me',
    for: 'session',
    ok: '200',
    except: [
      {
        callers: [
          'foreignToken',
          'viewerToken',
          'commenterToken',
          'editorToken',
          'unnamedToken',
          'grantedAgent',
          'strangerAgent',
          'ephemeralAgent',
          'ownerKey',
        ],
        outcome: 'refused',
        says: 'extensions §3: GET /auth/me answers 401 without a session; §2: good and too low is 403',
      },
    ],
  },
  { route: 'PATCH /auth/me', for: 'session', body: { name: '$name' }, ok: '200' },
  {
    route: 'DELETE /auth/me',
    for: 'session',
    spends: 'account',
    body: { password: '$password' },
    ok: '200|204',
  },
  { route: 'GET /auth/sessions', for: 'session', ok: '200' },
  { route: 'DELETE /auth/sessions/:id', for: 'session', ok: '404 NOT_FOUND' },
  { route: 'POST /auth/owner-keys', for: 'session', body: {}, ok: '201' },
  { route: 'GET /auth/owner-keys', for: 'session', ok: '200' },
  {
    route: 'DELETE /auth/owner-keys/:key_id',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  { route: 'GET /auth/agents', for: 'session', ok: '200' },
  { route: 'DELETE /auth/agents/:agent_id', for: 'session', ok: '404 NOT_FOUND' },
  { route: 'GET /auth/agents/:agent_id', for: 'session', ok: '404 NOT_FOUND' },
  {
    route: 'GET /auth/agents/:agent_id/webhook-deliveries',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  {
    route: 'POST /auth/agents/:agent_id/webhook-deliveries/:id/redeliver',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  {
    route: 'POST /auth/agents/:agent_id/webhook-deliveries/replay',
    for: 'session',
    body: { since: new Date().toISOString() },
    ok: '404 NOT_FOUND',
  },
  { route: 'POST /auth/agents/:agent_id/webhook-test', for: 'session', ok: '404 NOT_FOUND' },
  {
    // It asks for an `Origin`, whoever calls; only a page of the service sends its own.
    route: 'POST /auth/origin',
    for: 'public',
    ok: '200|403 FORBIDDEN',
  },
  { route: 'GET /auth/options', for: 'public', ok: '200', except: NO_KEYS },
  {
    route: 'POST /auth/reset',
    for: 'public',
    spends: 'account',
    body: { secret: 'nothing that was given out', password: '$password' },
    ok: '401 LOGIN_FAILED|404 NOT_FOUND|400 INVALID_REQUEST',
    except: BEGINS,
  },
  {
    // Nobody left a guest's documents to decide on.
    route: 'POST /auth/guest-documents',
    for: 'session',
    body: { accept: false },
    ok: '404 NOT_FOUND|200|400 INVALID_REQUEST',
  },
  // Extensions §3: sign-in with a provider when OIDC_ISSUER is set, which it is not here.
  {
    route: 'GET /auth/oidc',
    for: 'public',
    ok: '404 NOT_FOUND',
    except: NO_KEYS,
  },
  {
    route: 'GET /auth/oidc/callback',
    for: 'public',
    ok: '404 NOT_FOUND',
    except: NO_KEYS,
  },
]

const WORKSPACE: readonly Row[] = [
  { route: 'GET /workspace', for: 'session', ok: '200' },
  {
    route: 'POST /workspace/members',
    for: 'session',
    body: { handle: '$heir' },
    ok: '200|201',
  },
  {
    route: 'DELETE /workspace/members/:actor',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  {
    route: 'POST /workspace/bots',
    for: 'session',
    body: { name: 'Clerk' },
    ok: '201',
  },
  {
    route: 'PATCH /workspace/bots/:agent_id',
    for: 'session',
    body: { name: 'Clerk' },
    ok: '404 NOT_FOUND',
  },
  {
    route: 'DELETE /workspace/bots/:agent_id',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  { route: 'GET /workspace/library', for: 'session', ok: '200' },
  { route: 'GET /workspace/shared', for: 'session', ok: '200' },
]

const PUBLIC: readonly Row[] = [
  { route: 'GET /healthz', for: 'public', ok: '200' },
  { route: 'GET /readyz', for: 'public', ok: '200' },
  { route: 'GET /metrics', for: 'public', ok: '200' },
  { route: 'GET /openapi.json', for: 'public', ok: '200' },
  { route: 'GET /reference', for: 'public', ok: '200' },
  { route: 'GET /llms.txt', for: 'public', ok: '200' },
  { route: 'GET /', for: 'public', ok: '200' },
  { route: 'GET /worker.js', for: 'public', ok: '200' },
  { route: 'GET /assets/:file', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /d/:slug', for: 'public', ok: '200' },
  { route: 'GET /account', for: 'public', ok: '200' },
  { route: 'GET /reset', for: 'public', ok: '200' },
  { route: 'GET /s/@:handle/:name', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.md', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.okf', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.json', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /icon.svg', for: 'public', ok: '200' },
  { route: 'GET /s/:code', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.md', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.okf', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.json', for: 'public', ok: '404 NOT_FOUND' },
  {
    route: 'GET /s/:code/:confirmation',
    for: 'public',
    ok: '404 NOT_FOUND|410 CONFIRMATION_SPENT',
  },
  {
    route: 'POST /s/:code/:confirmation',
    for: 'public',
    ok: '404 NOT_FOUND|410 CONFIRMATION_SPENT',
  },
]

export const PEOPLE: readonly Row[] = [...AGENTS, ...ACCOUNTS, ...WORKSPACE, ...PUBLIC]
