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
    callers: ['ownerKey', 'ephemeralAgent'],
    outcome: 'ok',
    says: 'interface §4.1: owned agent, owner registration key, signed-in human, or the bot itself',
  },
]

export const LIBRARY: readonly Row[] = [
  {
    route: 'POST /docs/folders',
    group: 'built',
    for: 'session',
    body: { name: 'Papers', library_target: { kind: 'personal' } },
    ok: '201|200',
    except: NOT_OWNED,
  },
  {
    route: 'PATCH /docs/folders/:id',
    group: 'built',
    for: 'session',
    body: { name: 'Letters' },
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'DELETE /docs/folders/:id',
    group: 'built',
    for: 'session',
    ok: gone,
    except: NOT_OWNED,
  },
  {
    route: 'PUT /docs/:slug/placement',
    group: 'built',
    for: 'owner',
    body: { library_target: { kind: 'personal' } },
    ok: '200',
  },
]
