/** What the other layers may use of the store. */
export { BackupRefused, type BackupReport, type BackupSource, backup } from './backup.ts'
export { type BlobId, isBlobId } from './blob-pieces.ts'
export { type BlobFinding, compareBlobs } from './blob-references.ts'
export { type BlobStore, openBlobStore } from './blob-store.ts'
export { CopyFailed, type CopyReport, type CopySide, copyStore } from './copy.ts'
export { type DataPaths, dataPaths, freeBytes } from './data-directory.ts'
export { copyFile, copyFiles, makeDirectory, writeFileDurably } from './durable-file.ts'
export { currentEpoch, epochKey, newEpoch, readEpoch, type WithEpoch } from './epoch.ts'
export * from './keys.ts'
export { verifyTables } from './level-files/verify.ts'
export { type LevelStore, type LevelStoreOptions, openLevelStore } from './level-store.ts'
export { createMemoryRecords, type MemoryRecords, openMemoryStore } from './memory-store.ts'
export { openPostgresStore } from './postgres/open.ts'
export type { PostgresStore } from './postgres/postgres-store.ts'
export { type PurgedList, readPurgedList } from './purged-list.ts'
export { type KeySpan, textOfKey } from './quarantine.ts'
export { documentsTouched } from './quarantine-start.ts'
export { openReopeningStore, type ReopeningStore } from './reopening-store.ts'
export { putOutOfService, type SalvagedFiles, salvageFiles } from './salvage.ts'
export { type ScrubFinding, scrubStore } from './scrub.ts'
export type {
  Check,
  Commit,
  CommitResult,
  KeyedValue,
  Range,
  Store,
  StoredValue,
  Version,
} from './store.ts'
export { StoreDamage } from './store.ts'
export {
  DamagedFile,
  DiskFull,
  OutcomeUnknown,
  StoreClosed,
  StoreFailed,
  StoreFull,
  StoreInUse,
  StoreNotEmpty,
  StoreUnavailable,
  UnfinishedCopy,
  UnknownLayout,
} from './store-errors.ts'
