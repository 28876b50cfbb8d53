/**
 * Writes whose outcome is always known. Each carries a random id that the same transaction inserts
 * into `attempts`. When the answer is lost, the id is written again as not done: that waits for a
 * transaction that is still under way, finds the row of one that committed, and otherwise leaves a
 * row on which the first one must fail if it ever arrives. So an outcome is read, never guessed.
 */
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { OutcomeUnknown, StoreClosed, StoreUnavailable } from '../store-errors.ts'
import { type Connections, durableSql, type HeldConnection } from './connections.ts'
import { isOutage, isTransient, isUniqueViolation, storeErrorOf } from './errors.ts'

const idBytes = 12

/** An outcome is asked for so long. Rows stay longer, so that it cannot be a wrong one. */
const askedForMs = 300_000
const keptFor = '15 minutes'
const sweepEveryMs = 60_000

/** One more than this in a row means that something else is wrong. */
const triesMax = 100

/** As a statement, or as a part of one. `$1` is the id. */
export const insertAttempt = 'INSERT INTO scriptorium.attempts (id, done) VALUES ($1, true)'

export interface CommitAttemptsParts {
  readonly connections: Connections
  readonly runtime: Runtime
}

export interface Attempt<T> {
  /**
   * One transaction, which inserts `id` if it changes anything. May be called again, with others.
   */
  send(held: HeldConnection, id: Buffer): Promise<T>
  /** What `send` would have answered, where it is known only that the transaction committed. */
  readonly done: T
  /** It takes a while, in which commits go on. */
  readonly isLong?: boolean
  /** Asked before each try; false: nobody waits for it any more. */
  isWanted?(): boolean
  /**
   * Told when something was sent and not answered (true), and when it is known what became of it.
   */
  uncertain?(isUncertain: boolean): void
}

export interface Answered<T> {
  readonly answer: Promise<T>
  readonly settled: Promise<void>
}

/** Nobody waited for the write any more, and it was not tried again. */
export class Unwanted extends Error {}

export class CommitAttempts {
  readonly #connections: Connections
  readonly #runtime: Runtime
  #sweep: Timer | undefined
  #isClosed = false

  constructor({ connections, runtime }: CommitAttemptsParts) {
    this.#connections = connections
    this.#runtime = runtime
    this.#sweepLater()
  }

  /**
   * Tries until it is done or failed for good. While the database does not answer it goes on as
   * long as it is wanted. Throws `OutcomeUnknown` where even the outcome cannot be read for
   * minutes.
   */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      if (this.#connections.isClosed) throw new StoreClosed()
      if (attempt.isWanted?.() === false) throw new Unwanted()
      const id = Buffer.from(this.#runtime.randomBytes(idBytes))
      const sentAt = this.#runtime.elapsed()
      let isSent = false
      try {
        const send = (held: HeldConnection) => {
          isSent = true
          attempt.uncertain?.(true)
          return attempt.send(held, id)
        }
        const result = await this.#connections.writing(send, attempt.isLong)
        attempt.uncertain?.(false)
        this.#connections.answered()
        return result
      } catch (error) {
        if (isOutage(error)) {
          this.#connections.noAnswer(error)
          if (isSent && (await this.#isDone(id, sentAt))) {
            attempt.uncertain?.(false)
            return attempt.done
          }
        } else if (!isTransient(error) && !isUniqueViolation(error)) {
          attempt.uncertain?.(false)
          throw storeErrorOf(error, 'a commit')
        } else if (tries >= triesMax) throw error
        attempt.uncertain?.(false)
      }
      await this.#connections.pause(tries)
    }
  }

  /**
   * The same for a caller who waits only for a while when the database does not answer: refused as
   * not done, or as unknown. `settled` resolves when it is known what became of it.
   */
  runFor<T>(attempt: Omit<Attempt<T>, 'isWanted' | 'uncertain'>): Answered<T> {
    let isLate = false
    let isUncertain = false
    const running = this.run({
      ...attempt,
      isWanted: () => !isLate,
      uncertain: (is) => {
        isUncertain = is
      },
    })
    const answer = new Promise<T>((resolve, reject) => {
      let timer: Timer
      const look = () => {
        timer = this.#runtime.after(this.#connections.waitMs, () => {
          // A large write takes its time.
          if (!this.#connections.isOut) return look()
          isLate = true
          reject(isUncertain ? new OutcomeUnknown(undefined) : new StoreUnavailable())
        })
      }
      look()
      running.then(resolve, reject).finally(() => timer.cancel())
    })
    const over = () => {}
    return { answer, settled: running.then(over, over) }
  }

  close(): void {
    this.#isClosed = true
    this.#sweep?.cancel()
  }

  /** After false the attempt never comes to be. */
  async #isDone(id: Buffer, sentAt: number): Promise<boolean> {
    const isOver = () => this.#connections.isClosed || this.#runtime.elapsed() > sentAt + askedForMs
    for (let tries = 0; ; tries++) {
      if (isOver()) throw new OutcomeUnknown(undefined)
      try {
        const [row] = await this.#connections.writing((held) =>
          held.query<{ done: boolean }>({
            // A write in either case: its own commit is durable, and so is what it read.
            text: `INSERT INTO scriptorium.attempts (id, done)
              SELECT $1, false FROM (SELECT ${durableSql}) durable
              ON CONFLICT (id) DO UPDATE SET at = clock_timestamp() RETURNING done`,
            values: [id],
          }),
        )
        this.#connections.answered()
        return row?.done === true
      } catch (error) {
        if (!isOutage(error) && !isTransient(error)) throw error
        if (isOver()) throw new OutcomeUnknown(error)
      }
      await this.#connections.pause(tries)
    }
  }

  #sweepLater(): void {
    this.#sweep = this.#runtime.after(sweepEveryMs, () => {
      if (this.#isClosed) return
      // `clock_timestamp()` is volatile, so no index could be used with it.
      const text = `DELETE FROM scriptorium.attempts
        WHERE at < now() - interval '${keptFor}'`
      // What was not deleted is the next time.
      const deleting = this.#connections.writing((held) => held.query({ text }))
      deleting.then(
        () => this.#sweepLater(),
        () => this.#sweepLater(),
      )
    })
  }
}
