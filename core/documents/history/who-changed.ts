/**
 * Who took what out of a text, and who put what into another that came of it, from the rows of the
 * history between: each is by the actor of the revision that did it.
 */
import { type ActorId, unattributed } from '../../../schema/ids.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import { type Span, Spans } from '../../text/spans.ts'
import { soleActor } from './former-authors.ts'

/** A stretch is either what it was in the first text, from `origin` on, or somebody's. */
type Of = { readonly origin: number } | { readonly by: ActorId }

interface Stretch {
  readonly from: number
  readonly to: number
}

interface Gone extends Stretch {
  readonly by: ActorId
}

export class WhoChanged {
  readonly #text: Spans<Of>
  readonly #gone: Gone[] = []

  /** Beginning with a text of this length. */
  constructor(length: number) {
    this.#text = new Spans<Of>([{ length, value: { origin: 0 } }], (value, by) =>
      'origin' in value ? { origin: value.origin + by } : value,
    )
  }

  follow(row: HistoryRow): void {
    const by = soleActor(row)
    for (const { at, remove, insert } of row.splices.toReversed()) {
      for (const { length, value } of this.#text.splice(at, remove, put(insert.length, by))) {
        if ('origin' in value) {
          this.#gone.push({ from: value.origin, to: value.origin + length, by })
        }
      }
    }
    if (row.actors.length === 1) return
    for (const { from, to, author } of row.credits ?? []) this.#name(from, to, author as ActorId)
  }

  /** Who of several wrote it. */
  #name(from: number, to: number, by: ActorId): void {
    const spans = this.#text.splice(from, to - from, [])
    const named = spans.map(({ length, value }) =>
      'by' in value && value.by === unattributed ? { length, value: { by } } : { length, value },
    )
    this.#text.splice(from, 0, named)
  }

  /** Who took out of the first text, ascending; what is between still stands. */
  takenOut(): readonly Gone[] {
    return this.#gone.toSorted((a, b) => a.from - b.from)
  }

  /** Who put what into the last text; what is between stood in the first. */
  putIn(): readonly Gone[] {
    const found: Gone[] = []
    let at = 0
    for (const { length, value } of this.#text) {
      if ('by' in value) found.push({ from: at, to: at + length, by: value.by })
      at += length
    }
    return found
  }
}

const put = (length: number, by: ActorId): Span<Of>[] => [{ length, value: { by } }]

/**
 * A stretch cut where its author changes; what nobody named goes with its neighbour, and is by
 * `otherwise` where there is none. Nothing of an empty one.
 */
export function byAuthor(
  { from, to }: Stretch,
  named: readonly Gone[],
  otherwise: ActorId,
): readonly Gone[] {
  if (from === to) return []
  const parts: { from: number; to: number; by: ActorId }[] = []
  for (let index = firstEndingAfter(named, from); index < named.length; index++) {
    const one = named[index]
    if (one === undefined || one.from >= to) break
    const last = parts.at(-1)
    if (last?.by === one.by) last.to = Math.min(to, one.to)
    else parts.push({ from: last?.to ?? from, to: Math.min(to, one.to), by: one.by })
  }
  const last = parts.at(-1)
  if (last === undefined) return [{ from, to, by: otherwise }]
  last.to = to
  return parts
}

/** Who alone is named in a stretch; nobody where there are several, or none. */
export function soleAuthor(stretch: Stretch, named: readonly Gone[]): ActorId {
  const [first, ...others] = byAuthor(stretch, named, unattributed)
  return first === undefined || others.length > 0 ? unattributed : first.by
}

function firstEndingAfter(named: readonly Gone[], at: number): number {
  let [low, high] = [0, named.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((named[middle]?.to ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
