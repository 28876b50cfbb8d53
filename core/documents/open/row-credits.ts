/**
 * Who wrote what is in the text of a revision where its splices do not say so, for its history row:
 * where words move, a deletion is undone, several type at once, an insertion may have been
 * beside letters like its own, or markup goes over to other words. Invariant: the authors of the
 * revision before, taken through the splices and then through these, are those of the new text; but
 * in blocks longer than `exactMaxChars`, where letters and what stands beside them are told.
 */
import { unattributed } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { type AuthorRun, keptRuns, type LeafAuthor } from '../../../schema/markdown/runs.ts'
import { findStretchRuns, type Stretch } from '../../../schema/markdown/stretch-runs.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import type { TextChange } from '../../text/text-change.ts'
import type { ChangedStretch } from './changed-blocks.ts'

/** Of a longer block not all is read again at each key. */
export const exactMaxChars = 32 * 1024

/** What an insertion may have been written beside, at most, to each side, in a longer one. */
const besideMax = 64

export interface Versions {
  readonly before: DocumentText
  readonly after: DocumentText
}

export function credit(
  { splices, actors }: Pick<HistoryRow, 'splices' | 'actors'>,
  { before, after }: Versions,
  {
    stretches,
    leafAuthor,
  }: { readonly stretches: readonly ChangedStretch[]; readonly leafAuthor: LeafAuthor },
): readonly AuthorRun[] {
  const writer = (actors.length === 1 ? actors[0] : undefined) ?? unattributed
  const expected = new Expected(before, { splices, writer, leafAuthor })
  const credits: AuthorRun[] = []
  const add = (run: AuthorRun): void => {
    const last = credits.at(-1)
    if (last?.to === run.from && last.author === run.author) {
      credits[credits.length - 1] = { from: last.from, to: run.to, author: last.author }
    } else credits.push(run)
  }
  for (const stretch of stretches) {
    if (stretch.what === 'whole' && stretch.printed.md.length > exactMaxChars) {
      const inserted = insertedIn(splices, after, stretch)
      for (const run of findStretchRuns(after, inserted, leafAuthor)) add(run)
    } else {
      const said = expected.runs(stretch.from, stretch.to)
      for (const run of otherwise(authorsOf(stretch, leafAuthor), said)) add(run)
    }
  }
  return credits
}

/** The runs of a stretch; nothing is left out. */
function authorsOf(
  { what, from, to, start, printed, node }: ChangedStretch,
  leafAuthor: LeafAuthor,
): readonly AuthorRun[] {
  const runs = keptRuns(printed, node, leafAuthor)
  const end = what === 'head' ? runs[0] : runs.at(-1)
  if (what !== 'whole') return [{ from, to, author: end?.author ?? unattributed }]
  return runs.map((run, index) => ({
    from: index === 0 ? from : start + run.from,
    to: index === runs.length - 1 ? to : start + run.to,
    author: run.author,
  }))
}

/** Where the first say otherwise than the second; both cover the same stretch. */
function* otherwise(runs: readonly AuthorRun[], said: readonly AuthorRun[]): Generator<AuthorRun> {
  let index = 0
  for (const { from, to, author } of runs) {
    for (let at = from; at < to; ) {
      const one = said[index]
      if (one === undefined) {
        yield { from: at, to, author }
        break
      }
      const end = Math.min(to, one.to)
      if (one.author !== author && end > at) yield { from: at, to: end, author }
      at = Math.max(at, end)
      if (one.to <= to) index++
    }
  }
}

/** The authors that the row would tell by its splices alone; asked for ascending stretches. */
class Expected {
  readonly #before: DocumentText
  readonly #splices: TextChange
  readonly #writer: string
  readonly #leafAuthor: LeafAuthor
  #next = 0
  #shift = 0

  constructor(
    before: DocumentText,
    given: {
      readonly splices: TextChange
      readonly writer: string
      readonly leafAuthor: LeafAuthor
    },
  ) {
    this.#before = before
    this.#splices = given.splices
    this.#writer = given.writer
    this.#leafAuthor = given.leafAuthor
  }

  runs(from: number, to: number): AuthorRun[] {
    const runs: AuthorRun[] = []
    for (let at = from; at < to; ) {
      const splice = this.#splices[this.#next]
      const start = splice === undefined ? Number.POSITIVE_INFINITY : splice.at + this.#shift
      if (splice === undefined || at < start) {
        const end = Math.min(to, start)
        const shift = this.#shift
        for (const { from: first, to: last, author } of this.#former(at - shift, end - shift)) {
          runs.push({ from: first + shift, to: last + shift, author })
        }
        at = end
        continue
      }
      const end = start + splice.insert.length
      if (at < end) runs.push({ from: at, to: Math.min(to, end), author: this.#writer })
      at = Math.max(at, Math.min(to, end))
      if (at < end) break
      this.#shift += splice.insert.length - splice.remove
      this.#next++
    }
    return runs
  }

  /** Of the text before; the blank line before a block is its. */
  *#former(from: number, to: number): Generator<AuthorRun> {
    const text = this.#before
    for (let at = from; at < to; ) {
      let index = text.indexAt(at)
      const isBehind = at >= text.end(index) && index + 1 < text.blockCount
      if (isBehind && text.printed(index + 1).md !== '') index++
      const start = text.start(index)
      const runs = keptRuns(text.printed(index), text.node(index), this.#leafAuthor)
      const next = index + 1 < text.blockCount && text.printed(index + 1).md !== ''
      const stop = Math.min(to, next ? text.end(index) : text.length)
      for (const [order, run] of runs.entries()) {
        const end = order === runs.length - 1 ? stop : Math.min(stop, start + run.to)
        if (end > at) yield { from: at, to: end, author: run.author }
        at = Math.max(at, end)
      }
      if (at < stop) yield { from: at, to: stop, author: unattributed }
      at = Math.max(at, stop)
    }
  }
}

/** What the splices put into a long block, with what stands beside it. */
function insertedIn(splices: TextChange, text: DocumentText, block: ChangedStretch): Stretch[] {
  const stretches: Stretch[] = []
  const [first, end] = [block.start, block.start + block.printed.md.length]
  let shift = 0
  for (const { at, remove, insert } of splices) {
    const start = at + shift
    shift += insert.length - remove
    const from = Math.max(first, start - besideMax, stretches.at(-1)?.to ?? 0)
    const to = Math.min(end, text.length, start + insert.length + besideMax)
    if (to > from) stretches.push({ from, to })
  }
  return stretches
}
