/**
 * Commits that wait are written together, one group at a time; each has a verdict of its own.
 * Invariant: nobody is answered before the group is durable or judged, and the next group begins
 * only when the outcome of the one before is known. While the database does not answer, each commit
 * is refused after a while: as not done where it was not sent, as unknown where it was.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { assertCommit } from '../commit-shape.ts'
import type { Commit, CommitResult, Version } from '../store.ts'
import { OutcomeUnknown, StoreClosed, StoreUnavailable } from '../store-errors.ts'
import { type CommitAttempts, Unwanted } from './attempts.ts'
import { namedKeys, type Plan, type PlannedCommit, planOf } from './plan.ts'
import { sealValue, versionBytes } from './sealed-value.ts'
import { writeNamed } from './write-statement.ts'

const groupMaxBytes = 16 * 1024 * 1024
const groupMaxCommits = 500
const waitingMaxBytes = 256 * 1024 * 1024
/** What a key costs beside its bytes, about. */
const keyBytes = 64

/** Others wrote the checked keys again and again in between. */
const plansMax = 50

const lookEveryMs = 250

export interface CommitQueueParts {
  readonly attempts: CommitAttempts
  readonly runtime: Runtime
  /** How long a commit waits for a database that does not answer. */
  readonly waitMs: number
  /** Resolves when every scan that was begun before has its snapshot. */
  snapshotsTaken(): Promise<unknown>
  /** Told after each group. */
  written(keys: Iterable<string>): void
}

class QueuedPlan implements PlannedCommit {
  readonly version: Buffer
  readonly checks: PlannedCommit['checks']
  readonly puts: PlannedCommit['puts']
  readonly deletes: readonly string[]
  readonly bytes: number
  readonly since: number
  readonly result: Promise<CommitResult>
  isAnswered = false
  #resolve: (result: CommitResult) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor({ checks = [], puts = [], deletes = [] }: Commit, version: Buffer, since: number) {
    this.version = version
    this.since = since
    this.checks = [...checks]
    this.deletes = [...deletes]
    this.puts = puts.map(({ key, value }) => ({ key, sealed: sealValue(key, version, value) }))
    let bytes = keyBytes * (checks.length + deletes.length + puts.length)
    for (const { value } of puts) bytes += value.length
    this.bytes = bytes
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  answer(result: CommitResult): void {
    this.isAnswered = true
    this.#resolve(result)
  }

  refuse(error: unknown): void {
    this.isAnswered = true
    this.#reject(error)
  }
}

export class CommitQueue {
  readonly #parts: CommitQueueParts
  #waiting: QueuedPlan[] = []
  #waitingBytes = 0
  /** The group that is being written. */
  #group: readonly QueuedPlan[] = []
  #isUncertain = false
  #isRunning = false
  #look: Timer | undefined
  #isClosed = false

  constructor(parts: CommitQueueParts) {
    this.#parts = parts
  }

  /** UNAVAILABLE when too much is waiting. */
  async commit(commit: Commit): Promise<CommitResult> {
    if (this.#isClosed) throw new StoreClosed()
    if (this.#waitingBytes > waitingMaxBytes) throw new Refusal('UNAVAILABLE')
    assertCommit(commit)
    const { runtime } = this.#parts
    const version = Buffer.from(runtime.randomBytes(versionBytes))
    const waiting = new QueuedPlan(commit, version, runtime.elapsed())
    this.#waiting.push(waiting)
    this.#waitingBytes += waiting.bytes
    if (!this.#isRunning) void this.#run()
    return waiting.result
  }

  /** Takes no more commits and waits until those that were taken are answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#group, ...this.#waiting].map(({ result }) => result))
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // One turn of the microtask queue: commits made in the same tick share the first group.
    await Promise.resolve()
    this.#lookLater()
    while (this.#waiting.length > 0) {
      this.#group = this.#take()
      try {
        await this.#parts.snapshotsTaken()
        await this.#write()
      } catch (error) {
        for (const commit of this.#unanswered()) commit.refuse(error)
      }
      this.#group = []
      this.#isUncertain = false
    }
    this.#look?.cancel()
    this.#isRunning = false
  }

  async #write(): Promise<void> {
    const read = new Map<string, Version | undefined>()
    for (let plans = 0; plans < plansMax; plans++) {
      const plan = await this.#tryPlan(read)
      if (plan === undefined) continue
      for (const { commit, result } of plan.verdicts) commit.answer(result)
      this.#parts.written(plan.writes.keys())
      return
    }
    throw new StoreUnavailable()
  }

  /** Undefined: the database has other versions, which `read` holds now. */
  async #tryPlan(read: Map<string, Version | undefined>): Promise<Plan<QueuedPlan> | undefined> {
    let plan = planOf(this.#unanswered(), read)
    if (plan.isKnown) return plan
    const others = await this.#parts.attempts
      .run<ReadonlyMap<string, Version | undefined>>({
        isWanted: () => this.#unanswered().length > 0,
        uncertain: (isUncertain) => {
          this.#isUncertain = isUncertain
        },
        send: (held, id) => {
          // Without those that were refused meanwhile.
          plan = planOf(this.#unanswered(), read)
          return writeNamed(held, id, namedKeys(plan))
        },
        done: new Map(),
      })
      .catch((error: unknown) => {
        if (error instanceof Unwanted) return undefined
        throw error
      })
    if (others === undefined) return planOf<QueuedPlan>([], read)
    for (const [key, version] of others) read.set(key, version)
    return others.size === 0 ? plan : undefined
  }

  #unanswered(): QueuedPlan[] {
    return this.#group.filter(({ isAnswered }) => !isAnswered)
  }

  #take(): QueuedPlan[] {
    let bytes = 0
    let count = 0
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && (bytes + more > groupMaxBytes || count === groupMaxCommits)) break
      bytes += more
      count += 1
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }

  #lookLater(): void {
    this.#look = this.#parts.runtime.after(lookEveryMs, () => {
      this.#refuseLate()
      this.#lookLater()
    })
  }

  #refuseLate(): void {
    const { runtime, waitMs } = this.#parts
    const isLate = ({ since }: QueuedPlan) => runtime.elapsed() - since > waitMs
    for (const commit of this.#unanswered().filter(isLate)) {
      commit.refuse(this.#isUncertain ? new OutcomeUnknown(undefined) : new StoreUnavailable())
    }
    for (const commit of this.#waiting.filter(isLate)) {
      commit.refuse(new StoreUnavailable())
      this.#waitingBytes -= commit.bytes
    }
    this.#waiting = this.#waiting.filter(({ isAnswered }) => !isAnswered)
  }
}
