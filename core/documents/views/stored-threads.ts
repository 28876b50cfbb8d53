/**
 * What is said of a document as its view holds it: first what tells which threads a read wants,
 * then the threads. Those that plain reads begin with lie in the view itself, the others in a
 * record of their own, which most reads never need; of neither a thread is parsed before somebody
 * looks at it.
 */
import type { ActorId, CommentId, ThreadId } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { PlacedThread } from '../threads/placed.ts'
import { isStanding, type Thread } from '../threads/thread.ts'

/** Of the threads that plain reads begin with, in a stored view. */
export const storedThreadsNearBytes = 384 * 1024

export interface StoredThreadsBytes {
  /** JSON of one row a thread, in the order in which they lie. */
  readonly rows: readonly Uint8Array[]
  /** JSON of each thread, one behind the other. */
  readonly near: readonly Uint8Array[]
  readonly far: readonly Uint8Array[]
}

/** Id, n, changed in, resolved, standing, pending, stale, mentioned, bytes. */
type StoredThreadRow = [ThreadId, number, number, 0 | 1, 0 | 1, number, number, ActorId[], number]

/** What is said of one thread beside its summary. */
interface Whole {
  readonly thread: Thread
  readonly range?: TextRange | undefined
  readonly stale: readonly CommentId[]
  readonly quote?: string | undefined
}

/** `threads`: the newest first, also those of which nothing stands. */
export function encodeThreads(threads: readonly PlacedThread[]): StoredThreadsBytes {
  const isOpen = ({ summary }: PlacedThread) => !summary.isResolved
  const [near, far]: [Lain[], Lain[]] = [[], []]
  let left = storedThreadsNearBytes
  const lain = [...threads.filter(isOpen), ...threads.filter((one) => !isOpen(one))]
  for (const placed of lain) {
    const { range, stale, quote } = placed
    const thread = ordered(placed.thread)
    const json = Buffer.from(JSON.stringify({ thread, range, stale, quote } satisfies Whole))
    const isNear = json.length <= Math.min(left, storedThreadsNearBytes / 4)
    if (isNear) left -= json.length
    ;(isNear ? near : far).push({ row: rowOf(placed, json.length), json })
  }
  const rows = Buffer.from(JSON.stringify([...near, ...far].map(({ row }) => row)))
  const [nearJson, farJson] = [near, far].map((some) => some.map(({ json }) => json))
  return { rows: [rows], near: nearJson ?? [], far: farJson ?? [] }
}

/** Its fields as they come from its records, whatever was done to it since it was loaded. */
const ordered = ({ id, comments, ...facts }: Thread): Thread => ({
  id,
  ...facts,
  comments: comments.map(({ id: comment, ...said }) => ({ id: comment, ...said })),
})

interface Lain {
  readonly row: StoredThreadRow
  readonly json: Uint8Array
}

function rowOf({ thread, summary }: PlacedThread, bytes: number): StoredThreadRow {
  const { id, n, changedRevision, isResolved, suggestions, mentions } = summary
  const flags = [isResolved ? 1 : 0, isStanding(thread) ? 1 : 0] as const
  const counts = [suggestions.pending, suggestions.stale] as const
  return [id, n, changedRevision, ...flags, ...counts, [...mentions], bytes]
}

export interface StoredThread extends PlacedThread {
  readonly isStanding: boolean
  /** It lies in the record of its own. */
  readonly isFar: boolean
}

/** The newest first. `farBytes` is asked when a thread that lies there is looked at. */
export function storedThreads(
  { rows, near }: { readonly rows: Uint8Array; readonly near: Uint8Array },
  farBytes: () => Uint8Array | undefined,
): readonly StoredThread[] {
  let at = 0
  const parsed: StoredThreadRow[] =
    rows.length === 0 ? [] : JSON.parse(Buffer.from(rows).toString())
  const threads = parsed.map((row) => {
    const bytes = row[8]
    const isFar = at >= near.length
    const [from, of] = isFar ? [at - near.length, farBytes] : [at, () => near]
    at += bytes
    return new Lying(row, isFar, () => of()?.subarray(from, from + bytes))
  })
  return threads.sort((a, b) => b.summary.n - a.summary.n)
}

class Lying implements StoredThread {
  readonly id: ThreadId
  readonly summary: PlacedThread['summary']
  readonly isStanding: boolean
  readonly isFar: boolean
  readonly #bytes: () => Uint8Array | undefined
  #whole: Whole | undefined

  constructor(row: StoredThreadRow, isFar: boolean, bytes: () => Uint8Array | undefined) {
    const [id, n, changedRevision, isResolved, standing, pending, stale, mentions] = row
    const suggestions = { pending, stale }
    this.id = id
    this.summary = { id, n, changedRevision, isResolved: isResolved === 1, suggestions, mentions }
    this.isStanding = standing === 1
    this.isFar = isFar
    this.#bytes = bytes
  }

  #read(): Whole {
    if (this.#whole !== undefined) return this.#whole
    const bytes = this.#bytes()
    if (bytes === undefined) throw new TypeError('a thread that the read did not ask for')
    this.#whole = JSON.parse(Buffer.from(bytes).toString()) as Whole
    return this.#whole
  }

  get thread(): Thread {
    return this.#read().thread
  }

  get range(): TextRange | undefined {
    return this.#read().range
  }

  get stale(): readonly CommentId[] {
    return this.#read().stale
  }

  get quote(): string | undefined {
    return this.#read().quote
  }
}
