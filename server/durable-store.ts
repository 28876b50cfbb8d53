/**
 * Opens the store on disk, and logs what of it is out of service and when the disk is full: one
 * line when writes end, one when they go on.
 */
import type { Logger } from 'pino'
import {
  documentsTouched,
  freeBytes,
  openLevelStore,
  openReopeningStore,
  type ReopeningStore,
  type StoreFailed,
  textOfKey,
} from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'

export interface DurableStoreOptions {
  readonly directory: string
  readonly runtime: Runtime
  readonly logger: Logger
  /** Told once when a write failed: only a new process can go on. */
  readonly onFailed: (failure: StoreFailed) => void
}

export async function openDurableStore({
  directory,
  runtime,
  logger,
  onFailed,
}: DurableStoreOptions): Promise<ReopeningStore> {
  const store = await openReopeningStore({
    runtime,
    open: (failed) => openLevelStore({ directory, runtime, onFailed: failed }),
    freeBytes: () => freeBytes(directory),
    onFull: (err) => logger.error({ err }, 'the disk is full: reads are answered, writes are not'),
    onRoom: () => logger.info('the disk has room: writes are taken again'),
    onTrouble: (err) => logger.error({ err }, 'the store could not be opened anew'),
    onFailed,
  })
  for (const span of store.quarantine) {
    const documents = await documentsTouched(store, span)
    const [from, to] = [span.from, span.to].map(textOfKey)
    logger.warn(
      { from, to, documents },
      'records between these keys were damaged and are out of service: restore a backup',
    )
  }
  return store
}
