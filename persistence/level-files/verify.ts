/**
 * Verifies a LevelDB directory before LevelDB opens it, and its tables at any time. LevelDB drops
 * damaged log records without a word, starts empty when `CURRENT` is gone, and reads tables
 * unchecked; and what it dropped it then deletes for good. Damage is a `DamagedFile` unless it is
 * known which keys it hit. Reads only: a refused directory stays as it was.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../durable-file.ts'
import { type KeySpan, keyAfter } from '../quarantine.ts'
import { DamagedFile } from '../store-errors.ts'
import { type CleanStop, readCleanStop, withoutMarker } from './clean-stop.ts'
import { readLog } from './log-file.ts'
import { type LiveFiles, type LiveTable, liveFiles } from './manifest.ts'
import { quarantineName } from './quarantine-file.ts'
import { examineTable, type TableFinding, type WrongBlock, wrongBlock } from './table-file.ts'

/** The file that names the manifest. */
export const currentName = 'CURRENT'

/** Whether it is what stands there. */
export const isManifestName = (text: string): boolean => /^MANIFEST-\d+\n$/.test(text)

/** Blocks of one table whose records are lost, and the keys they can have had. */
export interface DamagedTable {
  readonly path: string
  readonly blocks: readonly WrongBlock[]
  readonly spans: readonly KeySpan[]
}

export interface VerifiedDirectory {
  /** The marker of the clean stop, if there was one. */
  readonly cleanStop: CleanStop | undefined
  readonly damagedTables: readonly DamagedTable[]
}

/**
 * Throws `DamagedFile` unless everything the directory holds is what was written, apart from the
 * torn end of a crash and from blocks of records whose keys are known.
 */
export async function verifyDirectory(directory: string): Promise<VerifiedDirectory> {
  const names = await readdir(directory)
  const cleanStop = await readCleanStop(directory)
  if (cleanStop !== undefined) await verifySizes(directory, cleanStop)
  if (!names.includes(currentName)) {
    if (!names.some((name) => /\.(log|ldb|sst)$/.test(name))) {
      return { cleanStop, damagedTables: [] }
    }
    throw new DamagedFile(join(directory, currentName), 'it is missing')
  }
  const live = await readManifest(directory, cleanStop !== undefined)
  await verifyLogs(directory, live, cleanStop !== undefined)
  const damagedTables: DamagedTable[] = []
  for await (const { path, table, finding } of unsoundTables(directory)) {
    if (finding.kind === 'broken') throw new DamagedFile(path, finding.problem)
    const { blocks } = finding
    damagedTables.push({ path, blocks, spans: blocks.map((block) => spanOf(block, table)) })
  }
  return { cleanStop, damagedTables }
}

/**
 * What is wrong with the table files that count now, one finding a file. Also while the store is
 * open: a table that LevelDB replaced meanwhile is looked for in the new manifest.
 */
export async function verifyTables(directory: string): Promise<DamagedFile[]> {
  const found: DamagedFile[] = []
  for await (const { path, finding } of unsoundTables(directory)) {
    const problem =
      finding.kind === 'broken' ? finding.problem : finding.blocks.map(wrongBlock).join(', ')
    found.push(new DamagedFile(path, problem))
  }
  return found
}

/** The keys a block can have had, given that all of its table's lie between two. */
function spanOf({ after, upTo }: WrongBlock, { first, last }: LiveTable): KeySpan {
  return { from: after === undefined ? first : keyAfter(after), to: upTo ?? last }
}

interface UnsoundTable {
  readonly path: string
  readonly table: LiveTable
  readonly finding: Exclude<TableFinding, { kind: 'sound' }>
}

async function* unsoundTables(directory: string): AsyncGenerator<UnsoundTable> {
  // Without it there is no database, or one that opening refuses.
  if (!existsSync(join(directory, currentName))) return
  for (const [number, table] of (await readManifest(directory, false)).tables) {
    const path = tablePath(directory, number)
    const bytes = await readFile(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    const finding = findingIn(bytes, table)
    if (finding.kind === 'sound') continue
    const isGone = bytes === undefined
    if (isGone && !(await readManifest(directory, false)).tables.has(number)) continue
    yield { path, table, finding }
  }
}

function findingIn(bytes: Uint8Array | undefined, { size }: LiveTable): TableFinding {
  if (bytes === undefined) return { kind: 'broken', problem: 'it is missing' }
  if (bytes.length !== size) return { kind: 'broken', problem: 'its size is wrong' }
  return examineTable(bytes)
}

export const fileName = (number: number, ending: string): string =>
  `${String(number).padStart(6, '0')}.${ending}`
const tablePath = (directory: string, number: number): string =>
  join(directory, fileName(number, 'ldb'))

async function verifySizes(directory: string, cleanStop: CleanStop): Promise<void> {
  for (const [name, size] of cleanStop.sizes) {
    const path = join(directory, name)
    const now = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    // What is out of service may have grown since, in a start that did not get through.
    if (now?.size === size || (now !== undefined && name === quarantineName)) continue
    const problem =
      now === undefined
        ? 'it was there at the last clean stop and is missing'
        : `it had ${size} bytes at the last clean stop and has ${now.size}`
    const advice = `If this was intended, ${withoutMarker(directory)}.`
    throw new DamagedFile(path, problem, advice)
  }
}

async function readManifest(directory: string, stoppedCleanly: boolean): Promise<LiveFiles> {
  const currentPath = join(directory, currentName)
  const current = await readFile(currentPath, 'utf8')
  if (!isManifestName(current)) {
    throw new DamagedFile(currentPath, 'it names no manifest')
  }
  const path = join(directory, current.trimEnd())
  const bytes = await readFile(path).catch((error: unknown) => {
    throw isMissing(error) ? new DamagedFile(path, 'it is missing') : error
  })
  const { records, stop } = readLog(bytes)
  const damage = stop && (stop.damage ?? (stoppedCleanly ? 'it is cut off' : undefined))
  if (damage !== undefined) {
    throw new DamagedFile(path, `from byte ${stop?.at} on it is damaged: ${damage}`)
  }
  try {
    return liveFiles(records)
  } catch (error) {
    if (error instanceof RangeError) throw new DamagedFile(path, error.message)
    throw error
  }
}

async function verifyLogs(directory: string, live: LiveFiles, stoppedCleanly: boolean) {
  const numbers = (await readdir(directory))
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((number) => number >= live.firstLog)
    .sort((a, b) => a - b)
  if (live.firstLog > 0 && !numbers.includes(live.firstLog)) {
    const path = join(directory, fileName(live.firstLog, 'log'))
    throw new DamagedFile(path, 'it is missing')
  }
  let torn = false
  for (const number of numbers) {
    const path = join(directory, fileName(number, 'log'))
    const bytes = await readFile(path)
    const { stop } = readLog(bytes)
    // A torn log is followed by nothing but the empty one of a start that did not get through.
    const follows = torn && bytes.length > 0 ? 'it follows a log that is cut off' : undefined
    const cut = stop && stoppedCleanly ? 'it is cut off' : undefined
    const damage = stop?.damage ?? cut ?? follows
    if (damage !== undefined) throw damagedLog(path, stop?.at ?? 0, damage)
    torn = stop !== undefined
  }
}

function damagedLog(path: string, at: number, damage: string): DamagedFile {
  return new DamagedFile(path, `from byte ${at} on it is damaged: ${damage}`)
}
