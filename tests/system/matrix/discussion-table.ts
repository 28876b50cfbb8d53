/** Comments, threads and suggestions: of ids that name nothing, but for a new comment. */
import type { Row } from './rules.ts'

const gone = '404 NOT_FOUND'

export const DISCUSSED: readonly Row[] = [
  {
    route: 'POST /docs/:slug/comments',
    for: 'commenter',
    lock: 'comments',
    body: { general: true, text: 'A thought.' },
    ok: '201',
  },
  {
    route: 'POST /docs/:slug/comments/:cid/resolve',
    for: 'commenter',
    lock: 'comments',
    body: { text: 'Done.' },
    ok: gone,
  },
  {
    route: 'POST /docs/:slug/threads/:thread_id/resolve',
    for: 'commenter',
    lock: 'comments',
    body: { text: 'Done.' },
    ok: '404 THREAD_NOT_FOUND',
  },
  {
    route: 'POST /docs/:slug/threads/:thread_id/unresolve',
    for: 'commenter',
    lock: 'comments',
    ok: '404 THREAD_NOT_FOUND',
  },
  {
    route: 'PATCH /docs/:slug/comments/:cid',
    for: 'commenter',
    lock: 'comments',
    body: { text: 'Another thought.' },
    ok: gone,
  },
  {
    // Extensions §10: deleting one's own comment works where comments are disabled.
    route: 'DELETE /docs/:slug/comments/:cid',
    for: 'commenter',
    ok: gone,
  },
  {
    route: 'POST /docs/:slug/comments/:cid/accept',
    for: 'editor',
    lock: 'comments',
    ok: gone,
    except: [
      {
        callers: ['editorToken', 'editorSession', 'grantedAgent'],
        states: ['read_only'],
        outcome: '403 DOC_READ_ONLY',
        says: 'interface §5: on a read_only document only the owner may PATCH or accept',
      },
    ],
  },
  {
    route: 'POST /docs/:slug/comments/:cid/reject',
    for: 'editor',
    lock: 'comments',
    ok: gone,
  },
  {
    route: 'POST /docs/:slug/comments/:cid/sentiments',
    for: 'commenter',
    lock: 'comments',
    body: { sentiment: 'curious' },
    ok: gone,
  },
  {
    route: 'DELETE /docs/:slug/comments/:cid/sentiments/:actor',
    for: 'commenter',
    lock: 'comments',
    ok: gone,
  },
  {
    route: 'POST /docs/:slug/comments/:cid/plusones',
    for: 'commenter',
    lock: 'comments',
    ok: gone,
  },
  {
    route: 'DELETE /docs/:slug/comments/:cid/plusones/:actor',
    for: 'commenter',
    lock: 'comments',
    ok: gone,
  },
  { route: 'GET /docs/:slug/threads', for: 'viewer', ok: '200' },
  { route: 'GET /docs/:slug/tombstones', for: 'commenter', ok: '200' },
  {
    route: 'GET /docs/:slug/mentionable',
    for: 'commenter',
    query: 'q=a',
    ok: '200',
  },
  {
    route: 'PUT /docs/:slug/mute',
    for: 'viewer',
    body: { muted: false },
    ok: '200',
  },
  {
    route: 'PUT /docs/:slug/threads/:thread_id/mute',
    for: 'viewer',
    body: { muted: false },
    ok: '404 THREAD_NOT_FOUND',
  },
  { route: 'GET /inbox', for: 'session', ok: '200' },
  {
    route: 'POST /inbox/ack',
    for: 'session',
    body: { up_to: '0' },
    ok: '200|400 INVALID_REQUEST',
  },
  { route: 'GET /agents/me/inbox', for: 'agent', ok: '200' },
  {
    route: 'POST /agents/me/inbox/ack',
    for: 'agent',
    body: { up_to: '0' },
    ok: '200|400 INVALID_REQUEST',
  },
]
