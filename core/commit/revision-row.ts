/**
 * History rows in the making: one for each revision, begun by its first writers and joined by those
 * whose typing goes into the same revision. Knows nothing of when that ends.
 */
import type { ActorId } from '../../schema/ids.ts'
import { composed, type TextChange } from '../text/text-change.ts'
import type { HistoryRow } from './history-row.ts'
import type { Writer } from './permission.ts'

const unique = (actors: readonly ActorId[]): readonly ActorId[] =>
  actors.length === 1 ? actors : [...new Set(actors)]

/** The row of a revision that begins now, by at least one writer. */
export function newRow(
  begins: Pick<HistoryRow, 'revision' | 'at' | 'event'>,
  writers: readonly Writer[],
  splices: TextChange,
): HistoryRow {
  const [first] = writers
  if (first === undefined) throw new TypeError('a revision without a writer')
  const { revision, at, event } = begins
  const { authMethod, ipHash } = first
  const actors = unique(writers.map(({ actor }) => actor))
  return { revision, at, event, actors, authMethod, ipHash, splices }
}

/** The row of a revision that is open, with what joined it. */
export function joinedRow(
  row: HistoryRow | undefined,
  writers: readonly Writer[],
  splices: TextChange,
): HistoryRow {
  if (row === undefined) throw new TypeError('an open revision without a row')
  const came = writers.map(({ actor }) => actor)
  const isKnown = came.every((actor) => row.actors.includes(actor))
  const actors = isKnown ? row.actors : unique([...row.actors, ...came])
  const { revision, at, event, authMethod, ipHash } = row
  return {
    revision,
    at,
    event,
    actors,
    authMethod,
    ipHash,
    splices: composed(row.splices, splices),
  }
}
