/**
 * A store that outlives a full disk. LevelDB takes no more writes once one has failed: from then on
 * commits are refused and reads go on. When the disk has room again, LevelDB is opened anew; reads
 * wait for that, and a scan that is under way fails. What a failed write left on the disk counts or
 * not, as after a crash. Every other failure is passed on.
 */
import type { Runtime, Timer } from '../schema/runtime.ts'
import { isDiskFull } from './level-errors.ts'
import type { RawRecord } from './level-scan.ts'
import type { LevelStore } from './level-store.ts'
import type { KeySpan } from './quarantine.ts'
import type { Below, Commit, CommitResult, KeyedValue, Range, StoredValue } from './store.ts'
import { StoreClosed, type StoreFailed, StoreFull } from './store-errors.ts'

/** The store is opened anew when so much is free. */
export const reopenedFromFreeBytes = 16 * 1024 * 1024

const fullDiskForgottenMs = 600_000

const fullDiskLookMaxMs = 60_000

/** A full disk is looked at so often, and less often where it is full again soon. */
export const fullDiskLookEveryMs = 2_000

export interface ReopeningParts {
  readonly runtime: Runtime
  /** Opens it; told once when a write failed. */
  open(onFailed: (failure: StoreFailed) => void): Promise<LevelStore>
  /** How much the disk has free now. */
  freeBytes(): Promise<number>
  onFull(failure: StoreFailed): void
  /** It takes writes again. */
  onRoom(): void
  /** It cannot be opened, and is tried again. */
  onTrouble(error: unknown): void
  /** A write failed, and not because the disk is full. */
  onFailed(failure: StoreFailed): void
}

export interface ReopeningStore extends LevelStore {
  /** No commit is taken. */
  readonly isFull: boolean
}

export async function openReopeningStore(parts: ReopeningParts): Promise<ReopeningStore> {
  const store = new Reopening(parts)
  await store.open()
  return store
}

interface Watch {
  readonly prefix: string
  readonly listener: (key: string) => void
  stop: () => void
}

class Reopening implements ReopeningStore {
  readonly #parts: ReopeningParts
  readonly #watches = new Set<Watch>()
  #engine: LevelStore | undefined
  /** While it is opened anew. */
  #opening: Promise<void> | undefined
  #isFull = false
  #timer: Timer | undefined
  #waitMs = fullDiskLookEveryMs
  #isClosed = false

  constructor(parts: ReopeningParts) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    const engine = await this.#parts.open((failure) => this.#failed(failure))
    this.#engine = engine
    for (const watch of this.#watches) watch.stop = engine.watch(watch.prefix, watch.listener)
  }

  get isFull(): boolean {
    return this.#isFull
  }

  get directory(): string {
    return this.#now.directory
  }

  get lastVersion(): number {
    return this.#now.lastVersion
  }

  get quarantine(): readonly KeySpan[] {
    return this.#now.quarantine
  }

  keysAround(span: KeySpan): Promise<string[]> {
    return this.#reading((engine) => engine.keysAround(span))
  }

  commit(commit: Commit): Promise<CommitResult> {
    return this.#writing((engine) => engine.commit(commit))
  }

  get(key: string): Promise<StoredValue | undefined> {
    return this.#reading((engine) => engine.get(key))
  }

  getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    return this.#reading((engine) => engine.getMany(keys))
  }

  scan(range: Range): AsyncIterable<KeyedValue> {
    return this.#opening === undefined ? this.#now.scan(range) : this.#scanLater(range)
  }

  async *#scanLater(range: Range): AsyncGenerator<KeyedValue> {
    await this.#opening
    yield* this.#now.scan(range)
  }

  scanRaw(range: Range): AsyncIterable<RawRecord> {
    return this.#now.scanRaw(range)
  }

  deleteRange(range: Range): Promise<number> {
    return this.#writing((engine) => engine.deleteRange(range))
  }

  compact(range: Below): Promise<void> {
    return this.#writing((engine) => engine.compact(range))
  }

  watch(prefix: string, listener: (key: string) => void): () => void {
    const watch: Watch = { prefix, listener, stop: () => {} }
    if (this.#engine !== undefined) watch.stop = this.#engine.watch(prefix, listener)
    this.#watches.add(watch)
    return () => {
      this.#watches.delete(watch)
      watch.stop()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    await this.#opening
    await this.#engine?.close()
  }

  get #now(): LevelStore {
    if (this.#engine === undefined) throw new StoreClosed()
    return this.#engine
  }

  #reading<T>(read: (engine: LevelStore) => Promise<T>): Promise<T> {
    if (this.#opening === undefined) return read(this.#now)
    return this.#opening.then(() => read(this.#now))
  }

  async #writing<T>(write: (engine: LevelStore) => Promise<T>): Promise<T> {
    if (this.#isFull) throw new StoreFull()
    try {
      return await write(this.#now)
    } catch (error) {
      throw isDiskFull(error) ? new StoreFull() : error
    }
  }

  #failed(failure: StoreFailed): void {
    if (!isDiskFull(failure)) {
      this.#parts.onFailed(failure)
      return
    }
    this.#isFull = true
    this.#parts.onFull(failure)
    this.#lookLater()
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#timer = this.#parts.runtime.after(this.#waitMs, () => void this.#look())
  }

  async #look(): Promise<void> {
    try {
      if ((await this.#parts.freeBytes()) < reopenedFromFreeBytes) return this.#lookLater()
      if (this.#isClosed) return
      this.#opening = this.#openAnew()
      await this.#opening
    } catch (error) {
      this.#parts.onTrouble(error)
      this.#lookLater()
    }
  }

  /** Where opening fails, nothing is read either until it has been opened. */
  async #openAnew(): Promise<void> {
    try {
      const before = this.#engine
      this.#engine = undefined
      await before?.close()
      await this.open()
      this.#isFull = false
      this.#waitLonger()
      this.#parts.onRoom()
    } finally {
      this.#opening = undefined
    }
  }

  /** A disk that is full again and again is looked at less often. */
  #waitLonger(): void {
    const waitMs = this.#waitMs
    this.#waitMs = Math.min(2 * waitMs, fullDiskLookMaxMs)
    this.#parts.runtime.after(fullDiskForgottenMs, () => {
      this.#waitMs = fullDiskLookEveryMs
    })
  }
}
