/** What is uploaded to a document (interface §4.8, §4.9). */
import type { Row } from './rules.ts'

const gone = '404 NOT_FOUND'

const ANONYMOUS_IMAGES: Row['except'] = [
  {
    callers: ['editorToken', 'unnamedToken', 'linkCookie'],
    states: ['active', 'read_only', 'comments_disabled'],
    outcome: '403 FORBIDDEN',
    says: 'interface §4.8: requires registered agent auth (anonymous tokens are refused)',
  },
  {
    callers: ['editorToken', 'unnamedToken', 'linkCookie'],
    outcome: 'refused',
    says: 'interface §4.8 refuses the token, §3 the document',
  },
]

export const UPLOADED: readonly Row[] = [
  {
    route: 'POST /docs/:slug/images',
    for: 'editor',
    raw: { type: 'image/png', bytes: 'png' },
    ok: '201',
    except: ANONYMOUS_IMAGES,
  },
  { route: 'GET /docs/:slug/images/:id', for: 'viewer', ok: gone },
  { route: 'DELETE /docs/:slug/images/:id', for: 'editor', ok: gone },
  {
    route: 'POST /docs/:slug/artifacts',
    for: 'editor',
    raw: { type: 'text/html', bytes: 'html' },
    ok: '201',
  },
  // Public by unguessable id: these name none.
  { route: 'GET /docs/:slug/artifacts/:id', for: 'public', ok: gone },
  { route: 'GET /docs/:slug/artifacts/:id/meta', for: 'public', ok: gone },
  { route: 'GET /docs/:slug/artifacts/:id/poster', for: 'public', ok: gone },
  {
    route: 'POST /docs/:slug/artifacts/:id/poster',
    for: 'viewer',
    raw: { type: 'image/png', bytes: 'png' },
    ok: gone,
  },
  {
    route: 'POST /docs/:slug/feedback',
    for: 'viewer',
    unnamed: 'works',
    body: { message: 'A wish.', kind: 'wish' },
    ok: '201',
  },
  {
    route: 'POST /docs/:slug/feedback/images',
    for: 'viewer',
    unnamed: 'works',
    raw: { type: 'image/png', bytes: 'png' },
    ok: '201',
  },
  { route: 'GET /docs/:slug/feedback/images/:id', for: 'viewer', ok: gone },
]
