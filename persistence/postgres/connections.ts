/**
 * Connections to PostgreSQL, and waiting for it while it does not answer. A connection keeps
 * nothing between transactions, so that a pooler in transaction mode may stand between: no prepared
 * statement, no SET outside a transaction, no LISTEN. Nothing here writes; whether what failed may
 * be tried again is for the caller to know.
 */
import pg from 'pg'
import type { Runtime } from '../../schema/runtime.ts'
import { StoreClosed, StoreUnavailable } from '../store-errors.ts'
import { isOutage, isTransient, storeErrorOf } from './errors.ts'

/** Reads of one statement each, at once. */
const readConnections = 6
/** Scans of many records, which keep a connection for as long as they are read. */
const heldConnections = 4
/** Commits, which are written one group at a time, and what asks for their outcome. */
const writeConnections = 2
const longWriteConnections = 2

const connectTimeoutMs = 3_000
const answerTimeoutMs = 30_000
const idleMs = 30_000

const retryFirstMs = 20
const retryMaxMs = 500
const pauseStepMs = 10

/** How long a call waits for a database that does not answer. */
export const outageWaitMs = 5_000

export interface ConnectionParts {
  /** `postgres://…` */
  readonly url: string
  readonly runtime: Runtime
  /** For tests: instead of `outageWaitMs`. */
  readonly waitMs?: number | undefined
  /** Told once when it does not answer any more. */
  readonly onOutage?: ((error: unknown) => void) | undefined
  /** Told once when it answers again. */
  readonly onRecovery?: (() => void) | undefined
}

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * An expression that makes the transaction durable before its commit is answered, whatever the
 * database's default is. A stricter default stays.
 */
export const durableSql = `set_config('synchronous_commit',
  replace(current_setting('synchronous_commit'), 'off', 'on'), true)`

/** Begins a transaction that is durable, and that keeps no lock when its statements stop coming. */
export const beginDurable: Statement = {
  text: `BEGIN; SELECT ${durableSql}; SET LOCAL idle_in_transaction_session_timeout = '30s'`,
}

/** A connection for as long as it is held. */
export interface HeldConnection {
  query<Row extends object>(statement: Statement): Promise<Row[]>
  /** All are sent at once; answers of all, in order. Rejects with the first that failed. */
  pipeline(statements: readonly Statement[]): Promise<pg.QueryResult[]>
}

export class Connections {
  readonly waitMs: number
  readonly #runtime: Runtime
  readonly #reads: pg.Pool
  readonly #held: pg.Pool
  readonly #writes: pg.Pool
  readonly #longWrites: pg.Pool
  readonly #parts: ConnectionParts
  readonly #underWay = new Set<Promise<unknown>>()
  #isOut = false
  #isClosed = false
  #freeHeld = heldConnections

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#runtime = parts.runtime
    this.waitMs = parts.waitMs ?? outageWaitMs
    this.#reads = this.#pool(readConnections)
    this.#held = this.#pool(heldConnections)
    this.#writes = this.#pool(writeConnections)
    this.#longWrites = this.#pool(longWriteConnections)
  }

  /** One statement that only reads. It is asked again while the database does not answer. */
  read<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.waitingOut(() => this.#using(this.#reads, (held) => held.query<Row>(statement)))
  }

  /** A connection to write by. Throws what the driver throws: nothing is tried again. */
  writing<T>(work: (held: HeldConnection) => Promise<T>, isLong = false): Promise<T> {
    return this.#using(isLong ? this.#longWrites : this.#writes, work)
  }

  /**
   * A connection for several statements, for as long as `work` takes. Undefined: none is free, and
   * `work` did not begin. Like `writing` it tries nothing again.
   */
  holding<T>(work: (held: HeldConnection) => Promise<T>): Promise<T> | undefined {
    if (this.#freeHeld === 0) return undefined
    this.#freeHeld -= 1
    return this.#using(this.#held, work).finally(() => {
      this.#freeHeld += 1
    })
  }

  /**
   * Calls `attempt` again while the database does not answer, or refuses what may pass the next
   * time. Throws `StoreUnavailable` when it has waited for long enough: `attempt` has to be such
   * that it may be called again after any outcome.
   */
  async waitingOut<T>(attempt: () => Promise<T>, waitMs = this.waitMs): Promise<T> {
    const until = this.#runtime.elapsed() + waitMs
    for (let tries = 0; ; tries++) {
      if (this.#isClosed) throw new StoreClosed()
      try {
        const result = await attempt()
        this.answered()
        return result
      } catch (error) {
        if (this.#isClosed) throw new StoreClosed()
        if (isOutage(error)) this.noAnswer(error)
        else if (!isTransient(error)) throw storeErrorOf(error, 'a record')
        if (this.#runtime.elapsed() >= until) throw new StoreUnavailable(error)
      }
      await this.pause(tries)
    }
  }

  /** Longer from one try to the next, and not at the same moment as others. */
  async pause(tries: number): Promise<void> {
    const most = Math.min(retryMaxMs, retryFirstMs * 2 ** Math.min(tries, 10))
    const [chance = 0] = this.#runtime.randomBytes(1)
    const until = this.#runtime.elapsed() + most * (0.5 + chance / 512)
    // Longer timers do not keep a command alive, which waits for nothing else.
    while (this.#runtime.elapsed() < until) {
      await new Promise<void>((resolve) => this.#runtime.after(pauseStepMs, resolve))
    }
  }

  noAnswer(error: unknown): void {
    if (this.#isOut || this.#isClosed) return
    this.#isOut = true
    this.#parts.onOutage?.(error)
  }

  answered(): void {
    if (!this.#isOut) return
    this.#isOut = false
    this.#parts.onRecovery?.()
  }

  /** It did not answer when it was last asked. */
  get isOut(): boolean {
    return this.#isOut
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** What waits fails with `StoreClosed`; what was sent is answered first. */
  async close(): Promise<void> {
    this.#isClosed = true
    // A pool that ends forgets whoever waits for a connection.
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay])
    const pools = [this.#reads, this.#held, this.#writes, this.#longWrites]
    await Promise.all(pools.map((pool) => pool.end()))
  }

  #using<T>(pool: pg.Pool, work: (held: HeldConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreClosed())
    const using = use(pool, work)
    this.#underWay.add(using)
    const over = () => void this.#underWay.delete(using)
    using.then(over, over)
    return using
  }

  #pool(max: number): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#parts.url,
      application_name: 'scriptorium',
      max,
      pipeline: true,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      idleTimeoutMillis: idleMs,
      keepAlive: true,
    })
    // Of a connection that nobody uses: the next user gets another one.
    pool.on('error', () => {})
    return pool
  }
}

/** A connection goes back only when `work` succeeded; after a failure nobody knows its state. */
async function use<T>(pool: pg.Pool, work: (held: HeldConnection) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // What is under way fails with it; without a listener it would end the process.
  const onError = () => {}
  client.on('error', onError)
  let failure: Error | undefined
  try {
    return await work({
      query: async ({ text, values }) => {
        return (await client.query({ text, ...(values && { values: [...values] }) })).rows
      },
      pipeline: (statements) => pipeline(client, statements),
    })
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.off('error', onError)
    // The pool waits for the connection to close, and hears of its errors meanwhile.
    client.release(failure)
  }
}

async function pipeline(client: pg.PoolClient, statements: readonly Statement[]) {
  const answers = await Promise.allSettled(
    statements.map(({ text, values }) =>
      client.query({ text, ...(values && { values: [...values] }) }),
    ),
  )
  const results: pg.QueryResult[] = []
  for (const answer of answers) {
    if (answer.status === 'rejected') throw answer.reason
    results.push(answer.value)
  }
  return results
}
