/** How the layers above, which do not know the store, tell its failure from a bug. */
import { StoreDamage } from '../../persistence/store.ts'
import { DiskFull, StoreClosed, StoreFailed } from '../../persistence/store-errors.ts'

/** Whether the store could not answer: closed, failed, full, or a record's bytes are damaged. */
export const isStoreOutage = (thrown: unknown): boolean =>
  thrown instanceof StoreClosed ||
  thrown instanceof StoreFailed ||
  thrown instanceof DiskFull ||
  thrown instanceof StoreDamage
