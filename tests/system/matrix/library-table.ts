/**
 * Who may do what in a library (interface §4.1, §4.3, extensions §12). The ids of these requests
 * name nothing: whoever is let through is told so.
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
    callers: ['ephemeralAgent'],
    outcome: 'ok',
    says: 'interface §4.1: owned agent, owner registration key, signed-in human, or the bot itself',
  },
]

const MAKES: Row['except'] = [
  {
    callers: ['ownerKey'],
    outcome: 'ok',
    says: 'interface §4.1: owned agent, owner registration key, signed-in human, or the bot itself',
  },
  ...NOT_OWNED,
]

export const LIBRARY: readonly Row[] = [
  {
    route: 'POST /docs/folders',
    for: 'session',
    body: { name: 'Papers', library_target: { kind: 'personal' } },
    ok: '201|200',
    except: MAKES,
  },
  {
    route: 'PATCH /docs/folders/:id',
    for: 'session',
    body: { name: 'Letters' },
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'DELETE /docs/folders/:id',
    for: 'session',
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'PUT /docs/:slug/placement',
    for: 'owner',
    body: { library_target: { kind: 'personal' } },
    ok: '200',
  },
  { route: 'GET /bundles/me', for: 'agent', ok: '200' },
  { route: 'GET /bundles/:handle', for: 'agent', ok: gone },
  { route: 'GET /agents/me/library/context', for: 'agent', ok: '200' },
  {
    route: 'GET /agents/me/library/search',
    for: 'agent',
    query: 'q=alpha',
    ok: '200',
  },
]
