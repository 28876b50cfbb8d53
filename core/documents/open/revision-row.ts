/**
 * History rows in the making: one for each revision, begun by its first writers and joined by those
 * whose typing goes into the same revision. Knows nothing of when that ends.
 */
import type { Writer } from '../contract.ts'
import type { HistoryRow } from '../records/history-row.ts'
import { composed } from '../records/text-change.ts'

/** What a change of the text says to the history. */
type TextSplices = Pick<HistoryRow, 'splices'>

/** The row of a revision that begins now, by at least one writer. */
export function newRow(
  begins: Pick<HistoryRow, 'revision' | 'at' | 'event'>,
  writers: readonly Writer[],
  { splices }: TextSplices,
): HistoryRow {
  const [first] = writers
  if (first === undefined) throw new TypeError('a revision without a writer')
  return {
    ...begins,
    actors: [...new Set(writers.map((writer) => writer.actor))],
    authMethod: first.authMethod,
    ...(first.ipHash === undefined ? {} : { ipHash: first.ipHash }),
    splices,
  }
}

/** The row of a revision that is open, with what joined it. */
export function joinedRow(
  row: HistoryRow | undefined,
  writers: readonly Writer[],
  { splices }: TextSplices,
): HistoryRow {
  if (row === undefined) throw new TypeError('an open revision without a row')
  const actors = new Set([...row.actors, ...writers.map((writer) => writer.actor)])
  return { ...row, actors: [...actors], splices: composed(row.splices, splices) }
}
