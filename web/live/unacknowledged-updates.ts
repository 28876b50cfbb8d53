/**
 * What was made in this copy and the service has not acknowledged, in the updates in which it was
 * made, oldest first. An answer to the service's first step that is too long for one message leaves
 * in these pieces: as one update it would be refused for good, and cut anywhere else it would put
 * all that was made before all that was deleted, and the document in between be several times as
 * long. **Invariant:** each piece needs only what the service has or those before it bring;
 * together they are the answer. It knows no socket.
 */
import * as Y from 'yjs'
import { limits } from '../../schema/limits.ts'
import { grouped } from './grouped-updates.ts'

/** Cuts an update that is too long for one message. */
export type Slice = (update: Uint8Array) => readonly Uint8Array[]

/** A piece is no longer, unless one change is; that is cut. */
const pieceMaxBytes = limits.socketMessageMaxBytes / 4

/** By client, below which clock the service has everything. */
type Clocks = Map<number, number>

export class UnacknowledgedUpdates {
  /** What this device had kept, and how many changes of it are not acknowledged. */
  #kept: readonly Uint8Array[] = []
  #keptCount = 0
  /** One a change. */
  #own: Uint8Array[] = []

  /** What was kept holds so many changes of which the service has said nothing. */
  load(updates: readonly Uint8Array[], count: number): void {
    this.#kept = count > 0 ? updates : []
    this.#keptCount = count
  }

  add(change: Uint8Array): void {
    this.#own.push(change)
  }

  /** The service has the oldest changes, this many. */
  acknowledged(count: number): void {
    const ofKept = Math.min(count, this.#keptCount)
    this.#keptCount -= ofKept
    if (this.#keptCount === 0) this.#kept = []
    this.#own.splice(0, count - ofKept)
  }

  /** The updates that an answer leaves in; itself alone, where it is short enough. */
  piecesOf(answer: Uint8Array, slice: Slice = whole): readonly Uint8Array[] {
    if (answer.length <= pieceMaxBytes) return [answer]
    const known: Clocks = new Map(Y.parseUpdateMeta(answer).from)
    const pieces: Uint8Array[] = []
    for (const update of grouped([...this.#kept, ...this.#own], pieceMaxBytes)) {
      const piece = lacking(update, known)
      const { from, to } = Y.parseUpdateMeta(piece)
      const isAhead = [...from].some(([client, clock]) => clock > (known.get(client) ?? 0))
      // What it builds on stands further behind, as where two pages kept one copy.
      if (isAhead) return [answer]
      pieces.push(...slice(piece))
      for (const [client, clock] of to) known.set(client, clock)
    }
    return [...pieces, Y.diffUpdate(answer, Y.encodeStateVector(known))]
  }
}

const whole: Slice = (update) => [update]

/** Of clients that the answer does not speak of the service has all. */
function lacking(update: Uint8Array, known: Clocks): Uint8Array {
  const { to } = Y.parseUpdateMeta(update)
  const had = [...to].map(([client, end]) => [client, known.get(client) ?? end] as const)
  return Y.diffUpdate(update, Y.encodeStateVector(new Map(had)))
}
