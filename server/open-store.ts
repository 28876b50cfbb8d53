/**
 * What the service keeps its data in, by the settings: the store, the other processes that share
 * it, and the blobs.
 */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { SecretKey } from '../core/records/secrets.ts'
import {
  type BlobStore,
  dataPaths,
  openBlobStore,
  openMemoryStore,
  type PostgresStore,
  type ReopeningStore,
  type Store,
} from '../persistence/index.ts'
import { assertNever } from '../schema/errors.ts'
import type { Runtime } from '../schema/runtime.ts'
import type { Config } from './config.ts'
import { assertBelongs, openDatabaseStore } from './database-store.ts'
import { openDurableStore } from './durable-store.ts'
import { Nodes } from './nodes/nodes.ts'

export interface StoreParts {
  readonly config: Config
  readonly runtime: Runtime
  readonly logger: Logger
  /**
   * Told once when a write to the store failed: only a new process can go on from what is there.
   */
  readonly onFatal?: (error: Error) => void
  /** One that others use too; opened by the settings unless a test brings it. */
  readonly store?: Store | undefined
  /** Aborted where the process is to end before it has started. */
  readonly stopping?: AbortSignal | undefined
}

export interface OpenedStore {
  readonly store: Store
  /** Undefined: the store is of this process alone. */
  readonly nodes: Nodes | undefined
  readonly blobs: BlobStore
  readonly isFull: () => boolean
}

type Engine = Store | ReopeningStore | PostgresStore

/** `onOpened` is given what closes a part as soon as that is open. */
export async function openStore(
  parts: StoreParts,
  secretKey: SecretKey,
  onOpened: (close: () => Promise<void>) => void,
): Promise<OpenedStore> {
  const { config, runtime } = parts
  const engine: Engine = parts.store ?? (await openEngine(parts, secretKey))
  onOpened(() => engine.close())
  const nodes = config.sharesStore ? await openNodes(parts, engine, secretKey) : undefined
  if (nodes !== undefined) onOpened(() => nodes.close())
  const directory = dataPaths(config.dataDirectory).blobs
  const blobs =
    'openBlobs' in engine
      ? await engine.openBlobs(directory)
      : await openBlobStore({ directory, runtime })
  const isFull = () => 'isFull' in engine && engine.isFull
  return { store: nodes?.store ?? engine, nodes, blobs, isFull }
}

function openNodes(
  { runtime, logger }: StoreParts,
  store: Store,
  secretKey: SecretKey,
): Promise<Nodes> {
  const onTrouble = (err: unknown) => logger.error({ err }, 'cluster error')
  return Nodes.open({ store, runtime, secretKey, machine: hostname(), onTrouble })
}

async function openEngine(parts: StoreParts, secretKey: SecretKey): Promise<Engine> {
  const { config, runtime, logger, stopping, onFatal = () => {} } = parts
  switch (config.store.kind) {
    case 'memory':
      return openMemoryStore({ runtime })
    case 'level': {
      const { directory } = config.store
      return openDurableStore({ directory, runtime, logger, stopping, onFailed: onFatal })
    }
    case 'postgres': {
      const store = await openDatabaseStore({ url: config.store.url, runtime, logger })
      try {
        await assertBelongs(store, secretKey, config.secretKey !== undefined)
      } catch (error) {
        await store.close()
        throw error
      }
      return store
    }
    default:
      return assertNever(config.store)
  }
}
