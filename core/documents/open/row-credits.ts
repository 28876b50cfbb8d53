/**
 * Who wrote what a revision put into the text, for its history row: said where it is not all its
 * only writer's, as where words move, formats change around others' words, a deletion is undone or
 * several type at once. Where an insertion could as well have been beside letters like its own,
 * those are said too. Knows splices and marks, nothing of how they came about.
 */
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { LeafAuthor } from '../../../schema/markdown/runs.ts'
import { findingStretchRuns, type Stretch } from '../../../schema/markdown/stretch-runs.ts'
import type { Steps } from '../../../schema/steps.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import type { NewRow } from '../../commit/revision-row.ts'
import type { TextSplice } from '../../text/text-change.ts'

/** What an insertion may have been written beside, at most, to each side. */
const besideMax = 64

/** In longer blocks an insertion stands where the splice says. */
const besideBlockMax = 4096

/** `text`: that of the row's revision. */
export function* crediting(
  row: NewRow,
  text: DocumentText,
  leafAuthor: LeafAuthor,
): Steps<HistoryRow> {
  const [first, ...others] = row.actors
  const isSole = others.length === 0
  if (isSole && !row.creditsOthers && row.splices.every(addsOrTakes)) return row
  const runs = yield* findingStretchRuns(text, insertedIn(row, text), leafAuthor)
  return isSole && runs.every(({ author }) => author === first) ? row : { ...row, credits: runs }
}

/** What replaces others' words may hold them again. */
const addsOrTakes = ({ remove, insert }: TextSplice): boolean => remove === 0 || insert === ''

/** In the text as it is now. */
function insertedIn({ splices }: HistoryRow, text: DocumentText): readonly Stretch[] {
  const stretches: Stretch[] = []
  let shift = 0
  for (const { at, remove, insert } of splices) {
    const start = at + shift
    shift += insert.length - remove
    if (insert === '') continue
    const { from, to } = withBeside(text, { from: start, to: start + insert.length })
    stretches.push({ from: Math.max(from, stretches.at(-1)?.to ?? 0), to })
  }
  return stretches
}

/** Within its block. */
function withBeside(text: DocumentText, { from, to }: Stretch): Stretch {
  const index = text.indexAt(from)
  const start = text.start(index)
  const { md } = text.printed(index)
  const [first, end] = [from - start, to - start]
  if (end > md.length || md.length > besideBlockMax) return { from, to }
  let [before, behind] = [0, 0]
  while (before < besideMax && md[first - before - 1] === md[end - before - 1]) before++
  while (behind < besideMax && end + behind < md.length && md[end + behind] === md[first + behind])
    behind++
  return { from: from - Math.min(before, first), to: to + behind }
}
