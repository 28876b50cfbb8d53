/**
 * Many commits, one fsync: whatever arrives while a batch is being written joins the next one.
 * Invariant: commits are judged one after the other, each against everything accepted before it,
 * and nobody is answered on the strength of a write that is not durable yet. One batch is in
 * flight. They are judged in the order they arrived, but that small ones pass a large one, once: a
 * key does not wait for megabytes that are not being written yet. It knows versions and operations,
 * not files.
 */
import { LRUCache } from 'lru-cache'
import { Refusal } from '../schema/errors.ts'
import { assertCommit, firstConflict } from './commit-shape.ts'
import { sealEnvelope, versionOf, type WrappedValue, wrapValue } from './envelope.ts'
import { type Check, type Commit, type CommitResult, StoreDamage, type Version } from './store.ts'
import { StoreClosed, StoreFailed } from './store-errors.ts'

interface Versions {
  /** `undefined`: the key is absent. */
  get(key: string): Version | undefined
}

export interface BatchWrite {
  /** The store-wide number after this batch. */
  readonly lastVersion: number
  /** Sealed values by key; `undefined`: the key is deleted. */
  readonly writes: ReadonlyMap<string, Buffer | undefined>
}

export interface GroupCommitPorts {
  /** Durable when it resolves, all or nothing. */
  write(batch: BatchWrite): Promise<void>
  /**
   * The durable versions of keys, in their order; a damaged record has none that can be trusted.
   */
  readVersions(keys: readonly string[]): Promise<(Version | undefined | StoreDamage)[]>
  /** Told after each durable batch. */
  written(writes: BatchWrite['writes']): void
  /** Told once, when a write failed. */
  failed(failure: StoreFailed): void
  readonly lastVersion: number
}

interface QueuedCommit {
  readonly checks: readonly Check[]
  readonly puts: readonly WrappedValue[]
  readonly deletes: readonly string[]
  readonly checksFollow: boolean
  readonly bytes: number
  resolve(result: CommitResult): void
  reject(error: Error): void
}

const batchMaxBytes = 16 * 1024 * 1024
/** A commit of more bytes is large, and takes as long to write as many keys. */
const largeFromBytes = 256 * 1024
const waitingMaxBytes = 256 * 1024 * 1024

/** Durable versions of the keys that were checked last; of most of them, one was absent. */
class KnownVersions {
  readonly #known = new LRUCache<string, { readonly version: Version | undefined }>({
    // Given as a number of entries, the room for all of them would be taken at once, at each start.
    maxSize: 65_536,
    sizeCalculation: () => 1,
  })

  has(key: string): boolean {
    return this.#known.has(key)
  }

  get(key: string): Version | undefined {
    return this.#known.get(key)?.version
  }

  delete(key: string): void {
    this.#known.delete(key)
  }

  set(key: string, version: Version | undefined): void {
    this.#known.set(key, { version })
  }
}

/** The batch being put together, and what its commits will be told once it is durable. */
class Batch {
  readonly writes = new Map<string, Buffer | undefined>()
  readonly versions = new Map<string, Version | undefined>()
  /** Keys that are checked soon. */
  readonly remembered = new Set<string>()
  readonly answers: { readonly commit: QueuedCommit; readonly result: CommitResult }[] = []
  lastVersion: number

  constructor(lastVersion: number) {
    this.lastVersion = lastVersion
  }

  /** Judges one commit as of now and takes it in, or notes the conflict. */
  judge(commit: QueuedCommit, durable: Versions): void {
    const conflict = firstConflict(commit.checks, (key) =>
      this.versions.has(key) ? this.versions.get(key) : durable.get(key),
    )
    if (conflict !== undefined) {
      this.answers.push({ commit, result: { ok: false, conflict } })
      return
    }
    const version = versionOf(++this.lastVersion)
    for (const wrapped of commit.puts) {
      this.writes.set(wrapped.key, sealEnvelope(wrapped, this.lastVersion))
      this.versions.set(wrapped.key, version)
      if (commit.checksFollow) this.remembered.add(wrapped.key)
    }
    for (const key of commit.deletes) {
      this.writes.set(key, undefined)
      this.versions.set(key, undefined)
    }
    this.answers.push({ commit, result: { ok: true, version } })
  }
}

export class GroupCommit {
  readonly #ports: GroupCommitPorts
  /** So that a conditional commit need not read first: every write passes through here. */
  readonly #durable = new KnownVersions()
  #waiting: QueuedCommit[] = []
  #waitingBytes = 0
  /** The large commit that others have passed. */
  #passed: QueuedCommit | undefined
  #lastVersion: number
  #running: Promise<void> | undefined
  #failure: StoreFailed | undefined
  #closed = false

  constructor(ports: GroupCommitPorts) {
    this.#ports = ports
    this.#lastVersion = ports.lastVersion
  }

  /** The number of the last durable commit. */
  get lastVersion(): number {
    return this.#lastVersion
  }

  get failure(): StoreFailed | undefined {
    return this.#failure
  }

  /** Resolves when the commit is durable or judged; UNAVAILABLE when too much is waiting. */
  async commit(commit: Commit): Promise<CommitResult> {
    if (this.#closed) throw new StoreClosed()
    if (this.#failure !== undefined) throw this.#failure
    if (this.#waitingBytes > waitingMaxBytes) throw new Refusal('UNAVAILABLE')
    assertCommit(commit)
    return new Promise((resolve, reject) => {
      const waiting = waitingCommit(commit, { resolve, reject })
      this.#waiting.push(waiting)
      this.#waitingBytes += waiting.bytes
      this.#running ??= this.#run()
    })
  }

  /** Takes no more commits and waits until those that were taken are answered. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    // One turn of the microtask queue: commits made in the same tick share the first batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const taken = this.#take()
      try {
        await this.#writeTogether(taken)
      } catch (cause) {
        this.#fail(cause, taken)
      }
    }
    this.#running = undefined
  }

  #take(): QueuedCommit[] {
    const taken = this.#takePassing() ?? this.#waiting.splice(0, fitting(this.#waiting))
    for (const { bytes } of taken) this.#waitingBytes -= bytes
    return taken
  }

  /** Those that pass the large one that is next, if there are any. */
  #takePassing(): QueuedCommit[] | undefined {
    const [next] = this.#waiting
    if (next === undefined || isSmall(next) || next === this.#passed) return undefined
    const small = this.#waiting.filter(isSmall)
    const taken = new Set(small.slice(0, fitting(small)))
    if (taken.size === 0) return undefined
    this.#passed = next
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting))
    return [...taken]
  }

  async #writeTogether(taken: readonly QueuedCommit[]): Promise<void> {
    const durable = await this.#durableVersions(taken)
    const batch = new Batch(this.#lastVersion)
    for (const commit of taken) {
      const damage = damagedCheck(commit, durable.damaged)
      if (damage === undefined) batch.judge(commit, durable.versions)
      else commit.reject(damage)
    }
    if (batch.lastVersion > this.#lastVersion) {
      await this.#ports.write(batch)
      this.#lastVersion = batch.lastVersion
      // Keys that nobody ever checked, as of log and history, would only push others out.
      for (const [key, version] of batch.versions) {
        if (version === undefined) this.#durable.delete(key)
        else if (this.#durable.has(key) || batch.remembered.has(key))
          this.#durable.set(key, version)
      }
      this.#ports.written(batch.writes)
    }
    for (const { commit, result } of batch.answers) commit.resolve(result)
  }

  /** The durable version of every key checked here: from the cache, or read now. */
  #durableVersions(taken: readonly QueuedCommit[]): DurableVersions | Promise<DurableVersions> {
    for (const { checks } of taken) {
      for (const { key } of checks) if (!this.#durable.has(key)) return this.#readVersions(taken)
    }
    return { versions: this.#durable, damaged: undamaged }
  }

  async #readVersions(taken: readonly QueuedCommit[]): Promise<DurableVersions> {
    const versions = new Map<string, Version | undefined>()
    const damaged = new Map<string, StoreDamage>()
    const missing = new Set<string>()
    for (const { checks } of taken) {
      for (const { key } of checks) {
        if (this.#durable.has(key)) versions.set(key, this.#durable.get(key))
        else missing.add(key)
      }
    }
    const keys = [...missing]
    for (const [at, read] of (await this.#ports.readVersions(keys)).entries()) {
      const key = keys[at] ?? ''
      if (read instanceof StoreDamage) {
        damaged.set(key, read)
      } else {
        versions.set(key, read)
        this.#durable.set(key, read)
      }
    }
    return { versions, damaged }
  }

  #fail(cause: unknown, taken: readonly QueuedCommit[]): void {
    const failure = new StoreFailed(cause)
    this.#failure = failure
    this.#waitingBytes = 0
    for (const { reject } of [...taken, ...this.#waiting.splice(0)]) reject(failure)
    this.#ports.failed(failure)
  }
}

const isSmall = ({ bytes }: QueuedCommit): boolean => bytes < largeFromBytes

/** How many of them, from the first, one batch holds. */
function fitting(commits: readonly QueuedCommit[]): number {
  let bytes = 0
  let count = 0
  for (const { bytes: more } of commits) {
    if (count > 0 && bytes + more > batchMaxBytes) break
    bytes += more
    count += 1
  }
  return count
}

interface DurableVersions {
  readonly versions: Versions
  readonly damaged: ReadonlyMap<string, StoreDamage>
}

const undamaged: ReadonlyMap<string, StoreDamage> = new Map()

const damagedCheck = (commit: QueuedCommit, damaged: ReadonlyMap<string, StoreDamage>) =>
  damaged.size === 0
    ? undefined
    : commit.checks.map(({ key }) => damaged.get(key)).find((damage) => damage !== undefined)

function waitingCommit(
  commit: Commit,
  answer: Pick<QueuedCommit, 'resolve' | 'reject'>,
): QueuedCommit {
  const { checks = [], deletes = [], checksFollow = false } = commit
  const puts = (commit.puts ?? []).map(({ key, value }) => wrapValue(key, value))
  let bytes = 0
  for (const { key, envelope } of puts) bytes += key.length + envelope.length
  const { resolve, reject } = answer
  return { checks: [...checks], puts, deletes: [...deletes], checksFollow, bytes, resolve, reject }
}
