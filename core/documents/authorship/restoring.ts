/**
 * Which inserted runs are words put back, and so keep their authors. Three rules, strictest
 * reading: (1) in one update, a run deleted and all of it, or its head and tail, inserted with no
 * living text between the two places (split, join, change of block type, deletion over several
 * blocks): the words stand in their old order, as if the rest had been deleted first; any length;
 * (2) at the same place, one or more whole deleted runs in their old order, any length: the text
 * stands as if they had never been deleted; (3) elsewhere, a whole run of at least 32 characters,
 * or a whole block as a whole block, its texts in their order where breaks or images part them.
 * Each deleted run serves once, its deleter only, never in part.
 */
import type * as Y from 'yjs'
import { itemsBetween } from '../../../schema/yjs/structs.ts'
import type { AuthorSpan } from './exceptions.ts'
import type { Deletion, Deletions, LedgerEntry } from './ledger.ts'
import { chainsOf, invisibleAround, type Run } from './runs.ts'

/** Characters from which a run is kept wherever it is put back. */
export const keptAnywhereFromChars = 32

const chainStepsMax = 10_000
/** How many deleted runs ahead an inserted one is looked for in its chain. */
const sourcesAheadMax = 64

/** An inserted run that repeats a deleted one, or its head and its tail. */
export interface RunMove {
  readonly run: Run
  readonly source: Run
  /** The authors of the inserted run. */
  readonly authors: readonly AuthorSpan[]
}

/** Rule 1. */
export function findMoves(deleted: readonly Run[], inserted: readonly Run[]): RunMove[] {
  const moves: RunMove[] = []
  if (deleted.length === 0) return moves
  for (const chain of chainsOf([...deleted, ...inserted], chainStepsMax)) {
    const sources = chain.filter((run) => run.kind === 'deleted')
    let next = 0
    for (const run of chain) {
      if (run.kind !== 'inserted') continue
      const end = Math.min(sources.length, next + sourcesAheadMax)
      for (let index = next; index < end; index += 1) {
        const source = sources[index]
        const head = source === undefined ? undefined : repeatedHead(run.text, source.text)
        if (source === undefined || head === undefined) continue
        moves.push({ run, source, authors: repeatedAuthors(run, source, head) })
        next = index + 1
        break
      }
    }
  }
  return moves
}

/** How much of a text is the head of a longer one, if the rest of it is the tail of that. */
function repeatedHead(text: string, source: string): number | undefined {
  if (text.length > source.length) return undefined
  let head = 0
  while (head < text.length && text.charCodeAt(head) === source.charCodeAt(head)) head += 1
  const splitsPair = head < text.length && (text.charCodeAt(head - 1) & 0xfc00) === 0xd800
  if (splitsPair) head -= 1
  return source.endsWith(text.slice(head)) ? head : undefined
}

function repeatedAuthors({ text }: Run, source: Run, head: number): AuthorSpan[] {
  const tail = text.length - head
  return [
    ...slicedAuthors(source.authors, 0, head),
    ...slicedAuthors(source.authors, source.text.length - tail, tail),
  ]
}

/** So many deletions of one place, or of one text, are looked at: the newest. */
const candidatesMax = 256

/** Rule 2: the deletions an inserted run puts back where they were, in order; empty if none. */
export function restoredInPlace(doc: Y.Doc, run: Run, deletions: Deletions): LedgerEntry[] {
  const here = invisibleAround(run).flatMap((item) =>
    item.deleted ? deletions.beginningIn({ ...item.id, length: item.length }) : [],
  )
  const mayServe = (kept: LedgerEntry): boolean =>
    kept.text.length <= run.text.length && !livesOn(doc, kept)
  return spelling(run.text, newestOf(here.filter(mayServe)))
}

/** In their order. */
function newestOf(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  if (entries.length <= candidatesMax) return entries
  const newest = entries.map(({ key }) => key).sort((a, b) => b - a)
  const least = newest[candidatesMax - 1] ?? 0
  return entries.filter(({ key }) => key >= least)
}

/** Rule 3: the newest deletion that an inserted run may put back anywhere. */
export function restoredElsewhere(
  doc: Y.Doc,
  run: Run,
  deletions: Deletions,
): LedgerEntry | undefined {
  const isLong = run.text.length >= keptAnywhereFromChars
  if (!isLong && !run.isBlock) return undefined
  return [...deletions.ofText(run.text)]
    .slice(-candidatesMax)
    .findLast((kept) => (isLong || kept.isBlock) && !livesOn(doc, kept))
}

/** Rule 3 for a block of several texts: the newest deleted block with the same texts, in order. */
export function restoredBlock(
  doc: Y.Doc,
  runs: readonly Run[],
  deletions: Deletions,
): LedgerEntry[] | undefined {
  const [first] = runs
  if (first?.part === undefined) return undefined
  const { pieces } = first.part
  const likely = [...deletions.ofText(first.text)].slice(-candidatesMax)
  for (const { part } of likely.reverse()) {
    if (part?.pieces !== pieces || part.index !== 0) continue
    const block: LedgerEntry[] = []
    for (const kept of deletions.ofBlock(part)) {
      const { index } = kept.part ?? part
      if (runs[index]?.text === kept.text && !livesOn(doc, kept)) block[index] = kept
    }
    if (Object.keys(block).length === pieces) return block
  }
  return undefined
}

/** `length` authors from the one of character `from` on. */
function slicedAuthors(authors: readonly AuthorSpan[], from: number, length: number): AuthorSpan[] {
  const slice: AuthorSpan[] = []
  let start = 0
  for (const run of authors) {
    const [head, tail] = [Math.max(start, from), Math.min(start + run.length, from + length)]
    if (tail > head) slice.push({ length: tail - head, author: run.author })
    start += run.length
  }
  return slice
}

/** A part of the deleted run was put elsewhere at once and still stands there. */
const livesOn = (doc: Y.Doc, { movedTo }: Deletion): boolean =>
  movedTo?.some(({ client, clock, length }) =>
    [...itemsBetween(doc, { client, from: clock, to: clock + length })].some(
      (item) => !item.deleted,
    ),
  ) ?? false

/** The first way to spell a text with some of the pieces, whole and in order. */
function spelling(text: string, pieces: readonly LedgerEntry[]): LedgerEntry[] {
  const ways = new Map<number, LedgerEntry[]>([[0, []]])
  for (const piece of pieces) {
    for (const [offset, way] of [...ways]) {
      const end = offset + piece.text.length
      if (!ways.has(end) && text.startsWith(piece.text, offset)) ways.set(end, [...way, piece])
    }
  }
  return ways.get(text.length) ?? []
}
