/** Routes of no document: who asks decides, not what of. */
import type { Row } from './rules.ts'

const AGENTS: readonly Row[] = [
  { route: 'POST /docs', group: 'built', for: 'any', body: { markdown: 'alpha' }, ok: '201' },
  {
    route: 'POST /agents/identify',
    group: 'built',
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
    group: 'built',
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
  { route: 'GET /agents/me', group: 'built', for: 'agent', ok: '200' },
  { route: 'PATCH /agents/me', group: 'built', for: 'agent', body: { name: '$name' }, ok: '200' },
  {
    route: 'POST /agents/me/rotate-key',
    group: 'built',
    for: 'agent',
    spends: 'agent',
    ok: '200',
  },
  { route: 'DELETE /agents/me', group: 'built', for: 'agent', spends: 'agent', ok: '200' },
  { route: 'POST /agents/ephemeral', group: 'built', for: 'ownerKey', body: {}, ok: '201' },
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
    group: 'built',
    for: 'public',
    spends: 'account',
    body: SIGN_UP,
    ok: '201',
    except: BEGINS,
  },
  {
    route: 'POST /auth/login',
    group: 'built',
    for: 'public',
    spends: 'account',
    body: { handle: '$heir', password: '$password' },
    ok: '200',
    except: BEGINS,
  },
  {
    route: 'POST /auth/guest',
    group: 'built',
    for: 'public',
    spends: 'account',
    body: { name: 'Somebody' },
    ok: '201',
    except: BEGINS,
  },
  {
    route: 'POST /auth/logout',
    group: 'built',
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
    group: 'built',
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
  { route: 'PATCH /auth/me', group: 'built', for: 'session', body: { name: '$name' }, ok: '200' },
  {
    route: 'DELETE /auth/me',
    group: 'built',
    for: 'session',
    spends: 'account',
    body: { password: '$password' },
    ok: '200|204',
  },
  { route: 'GET /auth/sessions', group: 'built', for: 'session', ok: '200' },
  { route: 'DELETE /auth/sessions/:id', group: 'built', for: 'session', ok: '404 NOT_FOUND' },
  { route: 'POST /auth/owner-keys', group: 'built', for: 'session', body: {}, ok: '201' },
  { route: 'GET /auth/owner-keys', group: 'built', for: 'session', ok: '200' },
  {
    route: 'DELETE /auth/owner-keys/:key_id',
    group: 'built',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  { route: 'GET /auth/agents', group: 'built', for: 'session', ok: '200' },
  { route: 'DELETE /auth/agents/:agent_id', group: 'built', for: 'session', ok: '404 NOT_FOUND' },
  { route: 'GET /auth/options', group: 'built', for: 'public', ok: '200', except: NO_KEYS },
  {
    route: 'POST /auth/reset',
    group: 'built',
    for: 'public',
    spends: 'account',
    body: { secret: 'nothing that was given out', password: '$password' },
    ok: '401 LOGIN_FAILED|404 NOT_FOUND|400 INVALID_REQUEST',
    except: BEGINS,
  },
  {
    // Nobody left a guest's documents to decide on.
    route: 'POST /auth/guest-documents',
    group: 'built',
    for: 'session',
    body: { accept: false },
    ok: '404 NOT_FOUND|200|400 INVALID_REQUEST',
  },
  // Extensions §3: sign-in with a provider when OIDC_ISSUER is set, which it is not here.
  {
    route: 'GET /auth/oidc',
    group: 'built',
    for: 'public',
    ok: '404 NOT_FOUND',
    except: NO_KEYS,
  },
  {
    route: 'GET /auth/oidc/callback',
    group: 'built',
    for: 'public',
    ok: '404 NOT_FOUND',
    except: NO_KEYS,
  },
]

const WORKSPACE: readonly Row[] = [
  { route: 'GET /workspace', group: 'built', for: 'session', ok: '200' },
  {
    route: 'POST /workspace/members',
    group: 'built',
    for: 'session',
    body: { handle: '$heir' },
    ok: '200|201',
  },
  {
    route: 'DELETE /workspace/members/:actor',
    group: 'built',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  {
    route: 'POST /workspace/bots',
    group: 'built',
    for: 'session',
    body: { name: 'Clerk' },
    ok: '201',
  },
  {
    route: 'PATCH /workspace/bots/:agent_id',
    group: 'built',
    for: 'session',
    body: { name: 'Clerk' },
    ok: '404 NOT_FOUND',
  },
  {
    route: 'DELETE /workspace/bots/:agent_id',
    group: 'built',
    for: 'session',
    ok: '404 NOT_FOUND',
  },
  { route: 'GET /workspace/library', group: 'built', for: 'session', ok: '200' },
  { route: 'GET /workspace/shared', group: 'built', for: 'session', ok: '200' },
]

const PUBLIC: readonly Row[] = [
  { route: 'GET /healthz', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /readyz', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /metrics', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /openapi.json', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /reference', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /llms.txt', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /worker.js', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /assets/:file', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /d/:slug', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /account', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /reset', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /s/@:handle/:name', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.md', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.okf', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/@:handle/:name.json', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /icon.svg', group: 'built', for: 'public', ok: '200' },
  { route: 'GET /s/:code', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.md', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.okf', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  { route: 'GET /s/:code.json', group: 'built', for: 'public', ok: '404 NOT_FOUND' },
  {
    route: 'GET /s/:code/:confirmation',
    group: 'built',
    for: 'public',
    ok: '404 NOT_FOUND|410 CONFIRMATION_SPENT',
  },
]

export const PEOPLE: readonly Row[] = [...AGENTS, ...ACCOUNTS, ...WORKSPACE, ...PUBLIC]
