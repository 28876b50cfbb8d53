/**
 * Which inserted runs are words put back, and so keep their authors. Three rules, strictest reading:
 * (1) in one update, a run deleted and all of it, its head or its tail inserted with no living text
 * between the two places (split, join, change of block type, deletion over several blocks): the words
 * stand in their old order, as if the rest had been deleted first; any length;
 * (2) at the same place, one or more whole deleted runs in their old order, any length: the text
 * stands as if they had never been deleted; (3) elsewhere, a whole run of at least 32 characters, or
 * a whole block as a whole block. Each deleted run serves once, its deleter only, never in part.
 */
import * as Y from 'yjs'
import type { AuthorRun } from './exceptions.ts'
import type { Deletion } from './ledger.ts'
import { itemsOf } from './projection.ts'
import { chainsOf, invisibleAround, type Run } from './runs.ts'

/** Characters from which a run is kept wherever it is put back. */
export const keptAnywhereFromChars = 32

const chainStepsMax = 10_000

/** An inserted run with the deleted run it repeats, from the first character that it repeats. */
export interface Move {
  readonly run: Run
  readonly source: Run
  readonly from: number
}

/** Rule 1. */
export function movesIn(deleted: readonly Run[], inserted: readonly Run[]): Move[] {
  const moves: Move[] = []
  if (deleted.length === 0) return moves
  for (const chain of chainsOf([...deleted, ...inserted], chainStepsMax)) {
    const sources = chain.filter((run) => run.kind === 'deleted')
    let next = 0
    for (const run of chain) {
      if (run.kind !== 'inserted') continue
      const found = sources.findIndex((source, index) => index >= next && repeats(run, source))
      const source = sources[found]
      if (source === undefined) continue
      const isHead = source.text.startsWith(run.text)
      moves.push({ run, source, from: isHead ? 0 : source.text.length - run.text.length })
      next = found + 1
    }
  }
  return moves
}

const repeats = (run: Run, source: Run): boolean =>
  source.text.startsWith(run.text) || source.text.endsWith(run.text)

/** Rule 2: the deletions an inserted run puts back where they were, in order; empty if none. */
export function restoredInPlace<Kept extends Deletion>(
  store: Y.Doc['store'],
  run: Run,
  deletions: Iterable<Kept>,
): Kept[] {
  const places = new Map<Y.Item, number>()
  for (const [index, item] of invisibleAround(run).entries()) {
    if (item.deleted) places.set(item, index)
  }
  if (places.size === 0) return []
  const here: { kept: Kept; place: number }[] = []
  for (const kept of deletions) {
    if (kept.text.length > run.text.length) continue
    const tombstone = itemAt(store, kept)
    const place = tombstone === undefined ? undefined : places.get(tombstone)
    if (place !== undefined && !livesOn(store, kept)) here.push({ kept, place })
  }
  here.sort((a, b) => a.place - b.place || a.kept.clock - b.kept.clock)
  return spelling(
    run.text,
    here.map(({ kept }) => kept),
  )
}

/** Rule 3: the newest deletion that an inserted run may put back anywhere. */
export function restoredElsewhere<Kept extends Deletion>(
  store: Y.Doc['store'],
  run: Run,
  deletions: Iterable<Kept>,
): Kept | undefined {
  const isLong = run.text.length >= keptAnywhereFromChars
  if (!isLong && !run.isBlock) return undefined
  let found: Kept | undefined
  for (const kept of deletions) {
    if (kept.text.length !== run.text.length || !(isLong || kept.isBlock)) continue
    if (kept.text === run.text && !livesOn(store, kept)) found = kept
  }
  return found
}

/** `length` authors from the one of character `from` on. */
export function slicedAuthors(authors: readonly AuthorRun[], from: number, length: number) {
  const slice: AuthorRun[] = []
  let start = 0
  for (const run of authors) {
    const [head, tail] = [Math.max(start, from), Math.min(start + run.length, from + length)]
    if (tail > head) slice.push({ length: tail - head, author: run.author })
    start += run.length
  }
  return slice
}

/** A part of the deleted run was put elsewhere at once and still stands there. */
const livesOn = (store: Y.Doc['store'], { movedTo }: Deletion): boolean =>
  movedTo?.some(({ client, clock, length }) =>
    [...itemsOf(store, client, clock, clock + length)].some((item) => !item.deleted),
  ) ?? false

/** The first way to spell a text with some of the pieces, whole and in order. */
function spelling<Kept extends Deletion>(text: string, pieces: readonly Kept[]): Kept[] {
  const ways = new Map<number, Kept[]>([[0, []]])
  for (const piece of pieces) {
    for (const [offset, way] of [...ways]) {
      const end = offset + piece.text.length
      if (!ways.has(end) && text.startsWith(piece.text, offset)) ways.set(end, [...way, piece])
    }
  }
  return ways.get(text.length) ?? []
}

function itemAt(store: Y.Doc['store'], { client, clock }: Deletion): Y.Item | undefined {
  const structs = store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(store, client)) return undefined
  const struct = structs[Y.findIndexSS(structs, clock)]
  return struct instanceof Y.Item ? struct : undefined
}
