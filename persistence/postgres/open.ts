/** The way in: what knows PostgreSQL is loaded where a service uses it, and not by others. */
import type { ConnectionParts } from './connections.ts'
import type { PostgresStore } from './postgres-store.ts'

/** See `postgres-store.ts`. */
export async function openPostgresStore(parts: ConnectionParts): Promise<PostgresStore> {
  const engine = await import('./postgres-store.ts')
  return engine.openPostgresStore(parts)
}
