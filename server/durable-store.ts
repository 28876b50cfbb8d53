/**
 * Opens the store on disk, waiting a while for another process to let go of it, and tells the log
 * what of it is out of service.
 */
import type { Logger } from 'pino'
import {
  documentsTouched,
  type LevelStore,
  type LevelStoreOptions,
  openLevelStore,
  StoreInUse,
  textOfKey,
} from '../persistence/index.ts'
import { limits } from '../schema/limits.ts'

export interface DurableStoreOptions extends LevelStoreOptions {
  readonly logger: Logger
  /** The process is to end: it waits no longer. */
  readonly stopping?: AbortSignal | undefined
}

/** Throws `StoreInUse` where another process still holds it after `limits.storeLockWaitMs`. */
export async function openDurableStore(options: DurableStoreOptions): Promise<LevelStore> {
  const store = await openWhenFree(options)
  for (const span of store.quarantine) {
    const documents = await documentsTouched(store, span)
    const [from, to] = [span.from, span.to].map(textOfKey)
    options.logger.warn(
      { from, to, documents },
      'records between these keys were damaged and are out of service: restore a backup',
    )
  }
  return store
}

/** In a rolling restart the process before has some seconds to flush and end. */
async function openWhenFree(options: DurableStoreOptions): Promise<LevelStore> {
  const { runtime, logger, directory, stopping } = options
  const until = runtime.elapsed() + limits.storeLockWaitMs
  for (let isTold = false; ; ) {
    try {
      return await openLevelStore(options)
    } catch (error) {
      const isOver = stopping?.aborted === true || runtime.elapsed() >= until
      if (!(error instanceof StoreInUse) || isOver) throw error
      if (!isTold) logger.info({ directory }, 'waiting for another process to let go of the store')
      isTold = true
    }
    await new Promise<void>((resolve) => runtime.after(limits.storeLockAskedEveryMs, resolve))
  }
}
