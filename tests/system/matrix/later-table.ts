/**
 * Routes of the contract that are not built: the driver expects that they are missing, and fails
 * when one is there, so that its row moves to `built` with it. The ids of these requests name
 * nothing: whoever is let through is told so.
 */
import type { Row } from './rules.ts'

const gone = '404 NOT_FOUND'

const LIBRARY: readonly Row[] = [
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
