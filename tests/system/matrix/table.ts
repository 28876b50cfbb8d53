/**
 * Every route that is there, with what one harmless, valid request to it is and what comes back.
 * Who gets that and who is refused follows from rules.ts; where the contract says otherwise of one
 * route, its row says so and names the sentence. Routes of no document are in people-table.ts,
 * those of libraries in library-table.ts.
 */
import type { Row } from './rules.ts'

/** An edit that changes nothing answers 200 with the revision unchanged (extensions §4). */
const NO_EDIT = { edits: [{ old_string: 'alpha', new_string: 'alpha' }] }

const DOCUMENT: readonly Row[] = [
  { route: 'GET /docs/:slug', for: 'viewer', ok: '200' },
  {
    route: 'GET /docs/:slug',
    variant: 'of an old revision',
    for: 'editor',
    query: 'revision=1',
    ok: '200',
  },
  {
    route: 'WS /docs/:slug/changes/connect',
    for: 'viewer',
    query: 'since_revision=0',
    ok: '101',
    except: [
      {
        callers: ['nobody'],
        outcome: '401 AUTH_REQUIRED',
        says: 'interface §5: it never mints a listener token and tokenless link access is not enough',
      },
      {
        callers: ['tokenInQuery'],
        states: ['active', 'read_only', 'comments_disabled'],
        outcome: 'ok',
        says: 'interface §5: the change-stream WebSocket accepts the document token as ?token=',
      },
      {
        callers: ['tokenInQuery'],
        outcome: '423 DOC_ARCHIVED',
        says: 'extensions §5: an upgrade that is refused is answered in HTTP (401, 403, 404, 423)',
      },
    ],
  },
  {
    route: 'WS /docs/:slug/live',
    for: 'viewer',
    ok: '101',
    except: [
      {
        callers: ['nobody'],
        outcome: '401 AUTH_REQUIRED',
        says: "extensions §5: without a credential only an upgrade of the service's own Origin",
      },
    ],
  },
  { route: 'GET /docs/:slug/live/state', for: 'viewer', ok: '200' },
  {
    route: 'PATCH /docs/:slug',
    for: 'editor',
    lock: 'text',
    body: NO_EDIT,
    ok: '200',
  },
  {
    route: 'PATCH /docs/:slug',
    variant: 'dry run',
    for: 'editor',
    lock: 'text',
    query: 'dryRun=true',
    body: { edits: [{ old_string: 'alpha', new_string: 'omega' }] },
    ok: '200',
    except: [
      {
        callers: ['unnamedToken', 'linkCookie'],
        states: ['active', 'read_only', 'comments_disabled'],
        outcome: 'silent',
        says: 'interface §4.5: dryRun validates without committing; §3: writes return 412',
      },
    ],
  },
  {
    route: 'GET /docs/:slug/archive',
    for: 'viewer',
    archived: 'works',
    ok: '200',
  },
  {
    route: 'POST /docs/:slug/archive',
    for: 'editor',
    archived: 'works',
    undo: 'restore',
    ok: '200',
  },
  {
    route: 'POST /docs/:slug/restore',
    for: 'editor',
    archived: 'works',
    undo: 'archive',
    ok: '200',
  },
  {
    route: 'DELETE /docs/:slug',
    for: 'owner',
    archived: 'works',
    undo: 'restore',
    ok: '204',
  },
  {
    route: 'DELETE /docs/:slug/forever',
    for: 'owner',
    archived: 'works',
    spends: 'document',
    ok: '409 NOT_ARCHIVED',
    okIn: { archived: '204|202' },
  },
  { route: 'GET /docs/:slug/history', for: 'editor', ok: '200' },
  { route: 'GET /docs/:slug/log.md', for: 'editor', ok: '200' },
  { route: 'GET /docs/:slug/blocks/:bid', for: 'viewer', ok: '200' },
  {
    route: 'GET /docs/:slug/actors',
    for: 'viewer',
    query: 'ids=human:nobody',
    ok: '200',
  },
  {
    route: 'GET /docs/:slug/diff',
    for: 'editor',
    query: 'from=1&to=1',
    ok: '200',
  },
  {
    route: 'GET /docs/:slug/since',
    for: 'viewer',
    query: 'revision=1',
    ok: '200',
  },
  {
    route: 'POST /docs/:slug/revert',
    for: 'editor',
    lock: 'text',
    body: { revision: '$revision', base_revision: '$revision' },
    ok: '200',
  },
  {
    route: 'PUT /docs/:slug/revisions/:n/name',
    for: 'editor',
    body: { name: null },
    ok: '200',
  },
]

/** Of what is a person's alone, everybody else is refused, of an archived document in either order. */
const REFUSED_AS_NO_HEIR: Row['except'] = [
  {
    callers: [
      'viewerToken',
      'commenterToken',
      'editorToken',
      'unnamedToken',
      'editorSession',
      'strangerSession',
      'grantedAgent',
      'strangerAgent',
      'ephemeralAgent',
      'linkCookie',
    ],
    outcome: 'refused',
    says: 'extensions §3, §9: an account that came by the share address claims, the invited accepts',
  },
]

const SHARING: readonly Row[] = [
  {
    route: 'GET /docs/:slug/owner',
    for: 'viewer',
    ok: '200',
    except: [
      {
        callers: ['nobody'],
        outcome: '401 AUTH_REQUIRED',
        says: 'extensions §3: whose it is, is told to who came with a credential',
      },
    ],
  },
  {
    // The offer stands for everybody's turn: who it is not of is refused, and its owner not asked.
    route: 'DELETE /docs/:slug/owner',
    for: 'owner',
    ok: '200|404 NOT_FOUND',
    except: REFUSED_AS_NO_HEIR,
  },
  {
    route: 'POST /docs/:slug/access',
    variant: 'a token',
    for: 'owner',
    body: { role: 'viewer' },
    ok: '201',
    except: [
      {
        callers: ['editorToken', 'unnamedToken', 'editorSession', 'grantedAgent', 'linkCookie'],
        states: ['archived'],
        outcome: 'refused',
        says: 'interface §4.10: what is asked for stands in the body, which is read behind the 423',
      },
    ],
  },
  {
    route: 'POST /docs/:slug/access',
    variant: 'by handle',
    for: 'editor',
    body: { handle: '$agent', role: 'editor' },
    ok: '201',
  },
  { route: 'GET /docs/:slug/access', for: 'editor', ok: '200' },
  { route: 'DELETE /docs/:slug/access/:id', for: 'editor', ok: '404 NOT_FOUND' },
  { route: 'GET /docs/:slug/link-access', for: 'editor', ok: '200' },
  {
    route: 'PATCH /docs/:slug/link-access',
    for: 'owner',
    body: { role: 'viewer' },
    ok: '200',
  },
  {
    route: 'POST /docs/:slug/share-link',
    for: 'editor',
    unnamed: 'works',
    ok: '200',
  },
  {
    route: 'POST /docs/:slug/links',
    for: 'editor',
    body: { role: 'viewer' },
    ok: '201',
  },
  { route: 'GET /docs/:slug/links', for: 'editor', ok: '200' },
  {
    route: 'DELETE /docs/:slug/links/:code',
    for: 'editor',
    ok: '404 NOT_FOUND',
  },
  {
    route: 'PATCH /docs/:slug/settings',
    for: 'owner',
    body: { read_only: '$read_only' },
    ok: '200',
  },
  {
    // Extensions §9: what an account made is the workspace's owner's at once (a claim is 409); §3: to
    // the owner itself, who asks again, it may be 200.
    route: 'POST /docs/:slug/claim',
    for: 'owner',
    ok: '200|409 ALREADY_OWNED',
    except: REFUSED_AS_NO_HEIR,
  },
  {
    // Open-details §13: only what was claimed can be given back; this one its owner made.
    route: 'DELETE /docs/:slug/claim',
    for: 'owner',
    ok: '403 FORBIDDEN',
  },
  {
    // Extensions §3, for a browser that came by a link of this document.
    route: 'POST /docs/:slug/guest',
    for: 'viewer',
    unnamed: 'works',
    spends: 'account',
    body: { name: 'Somebody' },
    ok: '200|201|403 FORBIDDEN',
    except: [
      {
        callers: ['strangerSession', 'strangerAgent', 'ephemeralAgent'],
        states: ['archived'],
        access: 'anyone',
        outcome: '423 DOC_ARCHIVED',
        says: 'extensions §2: they read it by general access, and archived comes before the rest',
      },
    ],
  },
  {
    route: 'POST /docs/:slug/owner',
    for: 'owner',
    body: { handle: '$heir' },
    ok: '200|201',
  },
  {
    // It was offered to somebody who is none of the callers; its owner has it already.
    route: 'POST /docs/:slug/owner/accept',
    for: 'owner',
    ok: '200|403 FORBIDDEN|404 NOT_FOUND|409 ALREADY_OWNED',
    except: REFUSED_AS_NO_HEIR,
  },
]

export const TABLE: readonly Row[] = [...DOCUMENT, ...SHARING]
