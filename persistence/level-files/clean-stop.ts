/**
 * The marker a clean stop leaves: the number of the last batch and the size of every file. The next
 * start must find all of it, so that a log cut at a record's edge, which no checksum shows, is
 * noticed. No marker means that the last stop was a crash, after which a torn end is no damage.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, removeFileDurably, writeFileDurably } from '../durable-file.ts'
import { DamagedFile } from '../store-errors.ts'
import { quarantineName } from './quarantine-file.ts'

const markerName = 'CLEAN-STOP'

/**
 * Listed with the files, though it is none: a service from before store layouts misses it and
 * leaves the store alone, where it would else change files before it finds that it cannot read it.
 */
const newerMark = 'what a newer version of this service wrote'

export interface CleanStop {
  readonly lastVersion: number
  readonly sizes: ReadonlyMap<string, number>
}

const markerPath = (directory: string): string => join(directory, markerName)

/** The advice that goes with every finding after a clean stop. */
export const withoutMarker = (directory: string): string => `remove ${markerPath(directory)}`

/** Call when LevelDB is closed: from then on the directory must not change. */
export async function writeCleanStop(directory: string, lastVersion: number): Promise<void> {
  const sizes: Record<string, number> = { [newerMark]: 0 }
  for (const name of (await readdir(directory)).sort()) {
    if (isKept(name)) sizes[name] = (await stat(join(directory, name))).size
  }
  const body = JSON.stringify({ lastVersion, sizes })
  const bytes = new TextEncoder().encode(`${digest(body)} ${body}\n`)
  const temporary = `${markerPath(directory)}.new`
  await writeFileDurably(markerPath(directory), bytes, { temporary })
}

/** The files of LevelDB that hold data, and what is known to be damaged in them. */
const isKept = (name: string): boolean =>
  /^(CURRENT|MANIFEST-\d+|\d+\.(log|ldb|sst))$/.test(name) || name === quarantineName

const digest = (body: string): string => createHash('sha256').update(body).digest('hex')

/** The marker, `undefined` when there is none. Throws `DamagedFile` when it is not as written. */
export async function readCleanStop(directory: string): Promise<CleanStop | undefined> {
  const path = markerPath(directory)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const [, sum, body = ''] = /^([0-9a-f]{64}) (.*)\n$/s.exec(text) ?? []
  if (sum !== digest(body)) {
    const advice = 'Or remove it to start as after a crash.'
    throw new DamagedFile(path, 'the marker of the last clean stop is damaged', advice)
  }
  const marker: { lastVersion: number; sizes: Record<string, number> } = JSON.parse(body)
  const sizes = new Map(Object.entries(marker.sizes))
  sizes.delete(newerMark)
  return { lastVersion: marker.lastVersion, sizes }
}

/** Call when the store is open and has passed, before its first write. */
export const removeCleanStop = (directory: string): Promise<void> =>
  removeFileDurably(markerPath(directory))
