/** What a service keeps, opened for a command while no service runs on it. */
import { existsSync } from 'node:fs'
import {
  type BlobStore,
  dataPaths,
  type LevelStore,
  openBlobStore,
  openLevelStore,
  type PostgresStore,
} from '../persistence/index.ts'
import type { StoreLocation } from './config.ts'
import { openDatabaseStore } from './database-store.ts'
import { systemRuntime } from './runtime.ts'

export interface Data<S extends LevelStore | PostgresStore = LevelStore | PostgresStore> {
  readonly store: S
  readonly blobs: BlobStore
}

export type DurableLocation = Exclude<StoreLocation, { readonly kind: 'memory' }>

/** Why there is nothing to open; undefined: there is a store, or may be one. */
export function whyNoData(location: StoreLocation): string | undefined {
  if (location.kind === 'memory') return 'there is no store on disk'
  const isMissing = location.kind === 'level' && !existsSync(location.directory)
  return isMissing ? `there is no store in ${location.directory}` : undefined
}

export interface OpenOptions {
  /** It is opened to copy other data into it. */
  readonly isCopy?: boolean
}

/** `dataDirectory` holds the blobs, or those on their way to the database. Close its store. */
export async function openData(
  location: DurableLocation,
  dataDirectory: string,
  { isCopy = false }: OpenOptions = {},
): Promise<Data> {
  const runtime = systemRuntime
  const directory = dataPaths(dataDirectory).blobs
  if (location.kind === 'level') {
    const store = await openLevelStore({ directory: location.directory, runtime, isCopy })
    return { store, blobs: await openBlobStore({ directory, runtime }) }
  }
  const store = await openDatabaseStore({ url: location.url, runtime, isCopy })
  return { store, blobs: await store.openBlobs(directory) }
}
