/**
 * Routes of the contract that are not built: the driver expects that they are missing, and fails
 * when one is there, so that its row moves to `built` with it. The ids of these requests name
 * nothing: whoever is let through is told so.
 */
import type { Row } from './rules.ts'

const gone = '404 NOT_FOUND'

const NOT_OWNED: Row['except'] = [
  {
    callers: ['grantedAgent', 'strangerAgent'],
    outcome: 'refused',
    says: 'interface §4.1: owned agent, owner registration key, signed-in human, or the bot itself',
  },
  {
    callers: ['ownerKey', 'ephemeralAgent'],
    outcome: 'ok',
    says: 'interface §4.1: owned agent, owner registration key, signed-in human, or the bot itself',
  },
]

const LIBRARY: readonly Row[] = [
  {
    route: 'POST /docs/folders',
    group: 'library',
    for: 'session',
    body: { name: 'Papers', library_target: { kind: 'personal' } },
    ok: '201|200',
    except: NOT_OWNED,
  },
  {
    route: 'PATCH /docs/folders/:id',
    group: 'library',
    for: 'session',
    body: { name: 'Letters' },
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'DELETE /docs/folders/:id',
    group: 'library',
    for: 'session',
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'PUT /docs/:slug/placement',
    group: 'library',
    for: 'owner',
    body: { library_target: { kind: 'personal' } },
    ok: '200',
  },
  { route: 'GET /bundles/me', group: 'library', for: 'agent', ok: '200' },
  { route: 'GET /bundles/:handle', group: 'library', for: 'agent', ok: gone },
  { route: 'GET /agents/me/library/context', group: 'library', for: 'agent', ok: '200' },
  {
    route: 'GET /agents/me/library/search',
    group: 'library',
    for: 'agent',
    query: 'q=alpha',
    ok: '200',
  },
]

export const LATER: readonly Row[] = LIBRARY
