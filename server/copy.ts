/**
 * `npm run copy -- FROM TO`, with the service stopped: carries all that it keeps between LevelDB
 * and PostgreSQL. FROM and TO are data directories or addresses `postgres://…`; TO must be empty,
 * or hold a copy that was cut off. Everything is read back and compared. Exits 0 when the copy is
 * whole, 1 when it failed, 2 when it could not begin.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  CopyFailed,
  copyFile,
  copyStore,
  DamagedFile,
  dataPaths,
  type PostgresStore,
  StoreDamage,
  StoreInUse,
  StoreNotEmpty,
  StoreUnavailable,
  UnfinishedCopy,
  UnknownLayout,
} from '../persistence/index.ts'
import { isPostgresUrl } from './config.ts'
import { type Data, type DurableLocation, openData, whyNoData } from './data.ts'
import { systemRuntime } from './runtime.ts'
import { keyFromFile, keyFromSetting } from './secret-key.ts'
import { settings } from './settings.ts'

const [from, to] = process.argv.slice(2)
if (from === undefined || to === undefined) refuse('usage: npm run copy -- FROM TO')
const config = settings()

interface Side {
  readonly name: string
  readonly location: DurableLocation
  /** Of a database: where the service's key and the list of deleted documents are. */
  readonly directory: string
}

function sideOf(text: string): Side {
  if (isPostgresUrl(text)) {
    const { host, pathname } = new URL(text)
    const location = { kind: 'postgres', url: text } as const
    return { name: `postgres://${host}${pathname}`, location, directory: config.dataDirectory }
  }
  const directory = resolve(text)
  const location = { kind: 'level', directory: dataPaths(directory).store } as const
  return { name: directory, location, directory }
}

const [source, target] = [sideOf(from), sideOf(to)]
if (source.name === target.name) refuse('FROM and TO are the same')
const missing = whyNoData(source.location)
if (missing !== undefined) refuse(missing)
if (target.location.kind === 'level' && !existsSync(target.location.directory)) {
  const isThere = existsSync(target.directory) && (await readdir(target.directory)).length > 0
  if (isThere) refuse(`${target.name} is not empty`)
}

/** What an operator can do something about. */
const expected = [
  ...[CopyFailed, DamagedFile, StoreDamage, StoreInUse, StoreNotEmpty, StoreUnavailable],
  ...[UnfinishedCopy, UnknownLayout],
]

/** Nothing is on its way to a database for longer than a copy takes. */
const scratch = await mkdtemp(join(tmpdir(), 'scriptorium-copy-'))
try {
  process.exitCode = await copy()
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function copy(): Promise<number> {
  let isBegun = false
  const open: Data[] = []
  try {
    for (const [side, isCopy] of [
      [source, false],
      [target, true],
    ] as const) {
      const directory = side.location.kind === 'level' ? side.directory : scratch
      open.push(await openData(side.location, directory, { isCopy }))
    }
    const [there, here] = open as [Data, Data]
    isBegun = true
    const advice = await copyKey(there, here)
    const { records, blobs } = await copyStore(there, here)
    console.log(`${target.name}: ${records} records, ${blobs} blobs, verified`)
    if (advice !== undefined) console.log(advice)
    return 0
  } catch (error) {
    const isFailure = expected.some((kind) => error instanceof kind)
    if (!isFailure && !(error instanceof Error && error.constructor === Error)) throw error
    const { message } = error as Error
    console.error(error instanceof StoreNotEmpty ? `${target.name} is not empty` : message)
    return isBegun ? 1 : 2
  } finally {
    for (const { store } of open.reverse()) await store.close()
  }
}

/** What the store does not hold. Answers what the operator has to do beside it. */
async function copyKey({ store }: Data, { store: copied }: Data): Promise<string | undefined> {
  const files = dataPaths(source.directory)
  const isSet = config.secretKey !== undefined
  const key = await keyOf(files.key)
  const isOurs = key !== undefined && (!('belongsTo' in store) || (await belongs(store, key)))
  if ('belongsTo' in copied) {
    if (isOurs && (await copied.belongsTo(key, true)) !== 'yes') {
      throw new CopyFailed('the database belongs to a service with another secret key')
    }
    return isSet ? undefined : `copy secret-key and purged from ${source.directory} to its DATA_DIR`
  }
  const into = dataPaths(target.directory)
  await copyFile(files.purged, into.purged)
  if (!isOurs || isSet) return 'start it with the same SECRET_KEY as before'
  await copyFile(files.key, into.key)
  return undefined
}

/** Undefined: none is set, and there is no file. */
async function keyOf(file: string): Promise<Uint8Array | undefined> {
  if (config.secretKey !== undefined) return keyFromSetting(config.secretKey)
  return existsSync(file) ? keyFromFile(file, systemRuntime) : undefined
}

async function belongs(store: PostgresStore, key: Uint8Array): Promise<boolean> {
  return (await store.belongsTo(key, false)) === 'yes'
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}
