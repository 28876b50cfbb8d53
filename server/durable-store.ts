/**
 * Opens the store on disk, waiting a while for another process to release it. Logs what of it is
 * out of service, and when the disk is full: one line when writes end, one when they go on.
 */
import type { Logger } from 'pino'
import {
  documentsTouched,
  freeBytes,
  type LevelStore,
  openLevelStore,
  openReopeningStore,
  type ReopeningStore,
  type StoreFailed,
  StoreInUse,
  textOfKey,
} from '../persistence/index.ts'
import type { Runtime } from '../schema/runtime.ts'

const storeLockAskedEveryMs = 250

/** How long a start waits for another process on its data, and how often it tries meanwhile. */
const storeLockWaitMs = 15_000

export interface DurableStoreOptions {
  readonly directory: string
  readonly runtime: Runtime
  readonly logger: Logger
  /** The process is to end: it waits no longer. */
  readonly stopping?: AbortSignal | undefined
  /** Called once when a write failed and only a new process can go on. */
  readonly onFailed: (failure: StoreFailed) => void
}

/** Throws `StoreInUse` where another process still holds it after `storeLockWaitMs`. */
export async function openDurableStore(options: DurableStoreOptions): Promise<ReopeningStore> {
  const { directory, runtime, logger, onFailed } = options
  const store = await openReopeningStore({
    runtime,
    open: (failed) => openWhenFree(options, failed),
    freeBytes: () => freeBytes(directory),
    onFull: (err) => logger.error({ err }, 'the disk is full: only reads are served'),
    onRoom: () => logger.info('the disk has space again: writes are accepted'),
    onTrouble: (err) => logger.error({ err }, 'the store could not be opened again'),
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

/** In a rolling restart the previous process has some seconds to flush and end. */
async function openWhenFree(
  { runtime, logger, directory, stopping }: DurableStoreOptions,
  onFailed: (failure: StoreFailed) => void,
): Promise<LevelStore> {
  const until = runtime.elapsed() + storeLockWaitMs
  for (let isLogged = false; ; ) {
    try {
      return await openLevelStore({ directory, runtime, onFailed })
    } catch (error) {
      const isOver = stopping?.aborted === true || runtime.elapsed() >= until
      if (!(error instanceof StoreInUse) || isOver) throw error
      if (!isLogged) logger.info({ directory }, 'waiting for another process to release the store')
      isLogged = true
    }
    await new Promise<void>((resolve) => runtime.after(storeLockAskedEveryMs, resolve))
  }
}
