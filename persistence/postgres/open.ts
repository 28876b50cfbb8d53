/** The way in: what knows PostgreSQL is loaded where a service uses it, and not by others. */
import type { PostgresParts, PostgresStore } from './postgres-store.ts'

/** See `postgres-store.ts`. */
export async function openPostgresStore(parts: PostgresParts): Promise<PostgresStore> {
  const engine = await import('./postgres-store.ts')
  return engine.openPostgresStore(parts)
}
