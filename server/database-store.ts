/**
 * Opens the store in PostgreSQL and says in the log when the database stops answering and when it
 * answers again: one line each, however many requests are refused meanwhile.
 */
import type { Logger } from 'pino'
import { openPostgresStore, type PostgresStore, StoreUnavailable } from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'
import { ConfigError } from './config.ts'

export interface DatabaseStoreOptions {
  readonly url: string
  readonly runtime: Runtime
  readonly logger?: Logger | undefined
  /** It is opened to copy another store into it. */
  readonly isCopy?: boolean | undefined
}

/** Throws one line for the operator where the database does not answer or lets nobody in. */
export async function openDatabaseStore(options: DatabaseStoreOptions): Promise<PostgresStore> {
  const { url, runtime, logger, isCopy } = options
  try {
    return await openPostgresStore({
      url,
      runtime,
      isCopy,
      onOutage: (err) => logger?.error({ err }, 'the database does not answer'),
      onRecovery: () => logger?.info('the database answers again'),
    })
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      throw new Error(`the database does not answer: ${messageOf(error.cause)}`)
    }
    // What PostgreSQL itself refuses has its SQLSTATE.
    const isRefused = error instanceof Error && 'severity' in error
    throw isRefused ? new Error(`the database refuses: ${error.message}`) : error
  }
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return messageOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

/** Throws `ConfigError` unless the database belongs to the service with this key. */
export async function assertBelongs(
  store: PostgresStore,
  secretKey: Uint8Array,
  isExplicit: boolean,
): Promise<void> {
  if ((await store.belongsTo(secretKey, isExplicit)) === 'yes') return
  const takes = 'the key of the service to which the database of STORE_URL belongs'
  throw new ConfigError('SECRET_KEY', takes)
}
