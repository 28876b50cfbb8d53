/** Opens the store on disk and tells the log what of it is out of service. */
import type { Logger } from 'pino'
import {
  documentsTouched,
  type LevelStore,
  type LevelStoreOptions,
  openLevelStore,
  textOfKey,
} from '../persistence/index.ts'

export async function openDurableStore(
  options: LevelStoreOptions & { readonly logger: Logger },
): Promise<LevelStore> {
  const store = await openLevelStore(options)
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
