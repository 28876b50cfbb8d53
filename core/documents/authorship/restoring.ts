/**
 * Which inserted runs are words put back, and so keep their authors. Three rules, strictest reading:
 * (1) in one update, a run deleted and the same run inserted with no living text between the two
 * places (split, join, change of block type): the words stand as they stood, any length;
 * (2) at the same place, one or more whole deleted runs in their old order, any length: the text
 * stands as if they had never been deleted; (3) elsewhere, a whole run of at least 32 characters, or
 * a whole block as a whole block. Each deleted run serves once, its deleter only, never in part.
 */
import * as Y from 'yjs'
import type { AuthorRun } from './exceptions.ts'
import type { Deletion } from './ledger.ts'
import { chainsOf, invisibleAround, type Run } from './runs.ts'

/** Characters from which a run is kept wherever it is put back. */
export const keptAnywhereFromChars = 32

const chainStepsMax = 10_000

/** The runs of rule 1: each inserted run with the deleted run it repeats. */
export function movedRuns(deleted: readonly Run[], inserted: readonly Run[]): Map<Run, Run> {
  const moved = new Map<Run, Run>()
  for (const chain of chainsOf([...deleted, ...inserted], chainStepsMax)) {
    const gone = chain.filter((run) => run.kind === 'deleted')
    let from = 0
    for (const run of chain) {
      if (run.kind !== 'inserted') continue
      const found = gone.findIndex((other, index) => index >= from && other.text === run.text)
      const source = gone[found]
      if (source === undefined) continue
      moved.set(run, source)
      from = found + 1
    }
  }
  return moved
}

/** Rule 2: the deletions an inserted run puts back where they were, in order; empty if none. */
export function restoredInPlace<Kept extends Deletion>(
  store: Y.Doc['store'],
  run: Run,
  deletions: Iterable<Kept>,
): Kept[] {
  const short = [...deletions].filter(({ text }) => text.length <= run.text.length)
  if (short.length === 0) return []
  const places = new Map(invisibleAround(run).map((item, index) => [item, index]))
  const here: { kept: Kept; place: number }[] = []
  for (const kept of short) {
    const tombstone = itemAt(store, kept)
    const place = tombstone === undefined ? undefined : places.get(tombstone)
    if (place !== undefined) here.push({ kept, place })
  }
  here.sort((a, b) => a.place - b.place || a.kept.clock - b.kept.clock)
  return spelling(
    run.text,
    here.map(({ kept }) => kept),
  )
}

/** Rule 3: the newest deletion that an inserted run may put back anywhere. */
export function restoredElsewhere<Kept extends Deletion>(
  run: Run,
  deletions: Iterable<Kept>,
): Kept | undefined {
  let found: Kept | undefined
  for (const kept of deletions) {
    if (kept.text.length !== run.text.length) continue
    const mayMove = kept.text.length >= keptAnywhereFromChars || (kept.isBlock && run.isBlock)
    if (mayMove && kept.text === run.text) found = kept
  }
  return found
}

export const joinedAuthors = (kept: readonly Deletion[]): AuthorRun[] =>
  kept.flatMap(({ authors }) => authors)

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
