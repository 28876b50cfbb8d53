/**
 * Scans over one snapshot that is taken at the call. A small range is read by one statement. A
 * larger one is read through a cursor, whose transaction is the snapshot, a part at a time; where
 * all connections for that are in use, it is read at once.
 */
import { compareKeys } from '../key-order.ts'
import type { Range } from '../store.ts'
import { StoreClosed, StoreUnavailable } from '../store-errors.ts'
import type { Connections, HeldConnection } from './connections.ts'
import { isOutage, storeErrorOf } from './errors.ts'

/** Read by one statement up to so many; the first part that a cursor reads. */
const firstRows = 32
const rowsMax = 1_000
/** Of the values in one part, about. */
const partBytes = 512 * 1024

/** A scan that nobody reads on ends then. */
const idleSeconds = 600

interface Part<Row> {
  readonly rows: readonly Row[]
  readonly isLast: boolean
}

/** The rest of a scan. */
type Next<Row> = () => Promise<Part<Row>>

interface Begun<Row> {
  readonly first: Part<Row>
  readonly next: Next<Row>
  end(): void
}

export class Scans {
  readonly #connections: Connections
  readonly #beginning = new Set<Promise<unknown>>()
  /** Those that hold a connection. */
  readonly #open = new Set<() => void>()
  #isClosed = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Resolves when the scans that were begun before have their snapshots. */
  async snapshotsTaken(): Promise<void> {
    if (this.#beginning.size > 0) await Promise.allSettled([...this.#beginning])
  }

  /** `columns` of the rows in the range, in the order of keys; `key` is one of them. */
  scan<Row extends { readonly key: Buffer; readonly value?: Buffer }>(
    columns: string,
    range: Range,
  ): AsyncGenerator<Row> {
    this.#assertOpen()
    const beginning = this.#begin<Row>(columns, range)
    this.#beginning.add(beginning)
    beginning.then(
      () => this.#beginning.delete(beginning),
      () => this.#beginning.delete(beginning),
    )
    return this.#walk(beginning)
  }

  close(): void {
    this.#isClosed = true
    for (const end of this.#open) end()
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreClosed()
  }

  async *#walk<Row>(beginning: Promise<Begun<Row>>): AsyncGenerator<Row> {
    const { first, next, end } = await beginning
    try {
      for (let part = first; ; part = await next()) {
        for (const row of part.rows) {
          this.#assertOpen()
          yield row
        }
        this.#assertOpen()
        if (part.isLast) return
      }
    } finally {
      end()
    }
  }

  async #begin<Row extends object>(columns: string, range: Range): Promise<Begun<Row>> {
    const { limit = Number.POSITIVE_INFINITY } = range
    const { where, order, values } = conditionsOf(range)
    const select = `SELECT ${columns} FROM scriptorium.kv ${where} ${order}`
    const few = Math.min(limit, firstRows)
    const text = `${select} LIMIT ${few}`
    const rows = few <= 0 ? [] : await this.#connections.read<Row>({ text, values })
    if (rows.length < few || few === limit || few <= 0) return whole(rows)
    const all = limit === Number.POSITIVE_INFINITY ? select : `${select} LIMIT ${limit}`
    return this.#connections.waitingOut(
      async () =>
        (await this.#hold<Row>({ text: all, values })) ??
        whole(await this.#connections.read<Row>({ text: all, values })),
    )
  }

  /** Undefined: no connection is free. Resolves with the first part, keeps the connection. */
  #hold<Row extends object>(select: { text: string; values: readonly Buffer[] }) {
    return new Promise<Begun<Row> | undefined>((resolve, reject) => {
      let end = () => {}
      const ended = new Promise<void>((done) => {
        end = done
      })
      const holding = this.#connections.holding(async (held) => {
        const cursor = new Cursor<Row>(held)
        this.#open.add(end)
        try {
          const first = await cursor.open(select)
          resolve({ first, next: () => failing(cursor.next()), end })
          if (!first.isLast) await ended
          await cursor.close()
        } finally {
          this.#open.delete(end)
        }
      })
      if (holding === undefined) resolve(undefined)
      // After the first part a failure is that of the next one.
      else holding.catch(reject)
    })
  }
}

const whole = <Row>(rows: readonly Row[]): Begun<Row> => ({
  first: { rows, isLast: true },
  next: async () => ({ rows: [], isLast: true }),
  end: () => {},
})

/** What a scan under way throws: its snapshot is gone with its connection. */
async function failing<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw isOutage(error) ? new StoreUnavailable(error) : storeErrorOf(error, 'a scan')
  }
}

class Cursor<Row extends object> {
  readonly #held: HeldConnection
  #count = firstRows

  constructor(held: HeldConnection) {
    this.#held = held
  }

  async open({ text, values }: { text: string; values: readonly Buffer[] }): Promise<Part<Row>> {
    const begin = `BEGIN READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '${idleSeconds}s'`
    const [, , rows] = await this.#held.pipeline([
      { text: begin },
      { text: `DECLARE scan NO SCROLL CURSOR FOR ${text}`, values },
      { text: `FETCH ${this.#count} FROM scan` },
    ])
    return this.#part((rows?.rows ?? []) as Row[])
  }

  async next(): Promise<Part<Row>> {
    return this.#part(await this.#held.query<Row>({ text: `FETCH ${this.#count} FROM scan` }))
  }

  async close(): Promise<void> {
    await this.#held.query({ text: 'COMMIT' })
  }

  #part(rows: readonly Row[]): Part<Row> {
    const isLast = rows.length < this.#count
    let bytes = 1
    for (const row of rows)
      if ('value' in row && Buffer.isBuffer(row.value)) bytes += row.value.length
    const fitting = Math.floor((this.#count * partBytes) / bytes)
    this.#count = Math.max(1, Math.min(rowsMax, 4 * this.#count, fitting))
    return { rows, isLast }
  }
}

/** One lower and one upper bound at most. */
function conditionsOf({ gte, gt, lte, lt, reverse = false }: Range) {
  const values: Buffer[] = []
  const conditions: string[] = []
  const add = (operator: string, key: string) => {
    values.push(Buffer.from(key))
    conditions.push(`key ${operator} $${values.length}`)
  }
  if (gt !== undefined && (gte === undefined || compareKeys(gt, gte) >= 0)) add('>', gt)
  else if (gte !== undefined) add('>=', gte)
  if (lt !== undefined && (lte === undefined || compareKeys(lt, lte) <= 0)) add('<', lt)
  else if (lte !== undefined) add('<=', lte)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return { where, order: `ORDER BY key ${reverse ? 'DESC' : 'ASC'}`, values }
}
