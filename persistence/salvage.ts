/**
 * Writes what is left of a damaged store's files into a fresh directory, which then opens as any
 * other: single flipped bits are put right, write-ahead logs lose the commits that damage hit,
 * tables that cannot be read are replaced by empty ones and their keys put out of service. Knows
 * LevelDB's files; whether documents are whole is for core to say. The damaged store stays so.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSlug, type Slug } from '../schema/ids.ts'
import { isMissing, makeDirectory, writeFileDurably } from './durable-file.ts'
import { docRange } from './keys.ts'
import { readCleanStop } from './level-files/clean-stop.ts'
import { readLog, writtenLog } from './level-files/log-file.ts'
import { salvageLog } from './level-files/log-salvage.ts'
import { type LiveFiles, type LiveTable, liveFiles } from './level-files/manifest.ts'
import { mendByTrying } from './level-files/one-bit.ts'
import {
  quarantineIn,
  quarantineName,
  readQuarantine,
  writeQuarantine,
} from './level-files/quarantine-file.ts'
import { emptyTable, examineTable } from './level-files/table-file.ts'
import { mendTable } from './level-files/table-salvage.ts'
import { currentName, fileName, isManifestName } from './level-files/verify.ts'
import { assertNotInUse } from './level-store.ts'
import { type KeySpan, Quarantine } from './quarantine.ts'
import { DamagedFile } from './store-errors.ts'

export interface SalvagedFiles {
  /** What was put right, a line each: nothing of it is lost. */
  readonly mended: readonly string[]
  /** What had to be given up, a line each. */
  readonly lost: readonly string[]
  /** Documents whose names stand in commits that had to be given up. */
  readonly slugs: ReadonlySet<Slug>
  /** The store-wide number of the last commit before the last clean stop, if that is known. */
  readonly lastVersion: number | undefined
}

/**
 * `to` must be empty. Throws `StoreInUse`, and `DamagedFile` where nothing can be told any more:
 * the files that say which files there are.
 */
export async function salvageFiles(from: string, to: string): Promise<SalvagedFiles> {
  await assertNotInUse(from)
  await makeDirectory(to)
  return new Salvage(from, to).run()
}

class Salvage {
  readonly #from: string
  readonly #to: string
  readonly #mended: string[] = []
  readonly #lost: string[] = []
  readonly #slugs = new Set<Slug>()
  readonly #spans: KeySpan[] = []

  constructor(from: string, to: string) {
    this.#from = from
    this.#to = to
  }

  async run(): Promise<SalvagedFiles> {
    await this.#quarantine()
    const live = await this.#manifest()
    await this.#logs(live)
    for (const [number, table] of live.tables) await this.#table(fileName(number, 'ldb'), table)
    if (this.#spans.length > 0) await writeQuarantine(this.#to, this.#spans)
    return {
      mended: this.#mended,
      lost: this.#lost,
      slugs: this.#slugs,
      lastVersion: await this.#lastVersion(),
    }
  }

  async #quarantine(): Promise<void> {
    const bytes = await this.#read(quarantineName)
    if (bytes === undefined) return
    const spans = (): KeySpan[] | undefined => quarantineIn(bytes.toString())
    if (spans() === undefined) {
      const isMended = mendByTrying(bytes, { from: 0, to: bytes.length }, () => !!spans())
      this.#assertSaved(quarantineName, isMended)
    }
    this.#spans.push(...(spans() ?? []))
  }

  async #manifest(): Promise<LiveFiles> {
    const current = (await this.#read(currentName)) ?? Buffer.from('')
    const isRight = (): boolean => isManifestName(current.toString())
    const names = new Set(await readdir(this.#from))
    const isThere = () => isRight() && names.has(current.toString().trimEnd())
    if (!isThere()) {
      this.#assertSaved(
        currentName,
        mendByTrying(current, { from: 0, to: current.length }, isThere),
      )
    }
    const name = current.toString().trimEnd()
    const bytes = (await this.#read(name)) ?? Buffer.from('')
    const { records, mended, lost } = salvageLog(bytes)
    if (lost.length > 0) throw new DamagedFile(join(this.#from, name), 'it cannot be repaired')
    this.#mend(name, mended)
    await this.#write(name, bytes)
    await this.#write(currentName, current)
    return liveFiles(records)
  }

  async #logs({ firstLog }: LiveFiles): Promise<void> {
    const numbers = (await readdir(this.#from))
      .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
      .map(Number)
      .filter((number) => number >= firstLog)
    if (firstLog > 0 && !numbers.includes(firstLog)) {
      this.#lost.push(`${fileName(firstLog, 'log')}: it is missing, with every commit in it`)
      await this.#write(fileName(firstLog, 'log'), new Uint8Array())
    }
    for (const number of numbers) {
      const name = fileName(number, 'log')
      const bytes = (await this.#read(name)) ?? Buffer.from('')
      const { records, mended, lost } = salvageLog(bytes)
      this.#mend(name, mended)
      for (const { from, to } of lost) {
        this.#lost.push(`${name}: the commits from byte ${from} to ${to}`)
        for (const slug of slugsIn(bytes.subarray(from, to))) this.#slugs.add(slug)
      }
      // A torn end is what a crash leaves, but nothing may follow it.
      const isWhole = lost.length === 0 && readLog(bytes).stop === undefined
      await this.#write(name, isWhole ? bytes : writtenLog(records))
    }
  }

  async #table(name: string, table: LiveTable): Promise<void> {
    const bytes = await this.#read(name)
    if (bytes !== undefined && bytes.length === table.size) {
      this.#mend(name, mendTable(bytes))
      // The next start puts wrong blocks out of service.
      if (examineTable(bytes).kind !== 'broken') return this.#write(name, bytes)
    }
    this.#lost.push(`${name}: it cannot be read`)
    this.#spans.push({ from: table.first, to: table.last })
    await this.#write(name, emptyTable(table.size))
  }

  async #lastVersion(): Promise<number | undefined> {
    try {
      return (await readCleanStop(this.#from))?.lastVersion
    } catch (error) {
      // Nothing rests on it but this number.
      if (error instanceof DamagedFile) return undefined
      throw error
    }
  }

  #mend(name: string, offsets: readonly number[]): void {
    for (const at of offsets) this.#mended.push(`${name}: a bit near byte ${at}`)
  }

  #assertSaved(name: string, isMended: boolean): void {
    if (!isMended) throw new DamagedFile(join(this.#from, name), 'it cannot be repaired')
    this.#mend(name, [0])
  }

  /** Undefined: it is missing. */
  async #read(name: string): Promise<Buffer | undefined> {
    return readFile(join(this.#from, name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
  }

  async #write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#to, name)
    await writeFileDurably(path, bytes, { temporary: `${path}.new` })
  }
}

/** Keys stand in a commit as they are. */
function slugsIn(bytes: Uint8Array): Slug[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return [...text.matchAll(/doc\/([^/]{1,64})\//g)].flatMap(([, slug = '']) =>
    isSlug(slug) ? slug : [],
  )
}

/** Takes every key of these documents out of service, for good. The store must be closed. */
export async function putOutOfService(directory: string, slugs: readonly Slug[]): Promise<void> {
  const spans = slugs.map((slug) => {
    const { gte } = docRange(slug)
    return { from: Buffer.from(gte), to: Buffer.from(`${gte}\u{10ffff}`) }
  })
  const { spans: all } = new Quarantine([...(await readQuarantine(directory)), ...spans])
  await writeQuarantine(directory, all)
}
