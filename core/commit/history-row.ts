/**
 * One revision's history row (interface §2.7, §4.11): who, how, when, and the change of the text as
 * splices, from which the text of any revision can be rebuilt, with the authors of its every
 * character, and which blocks are others than before. Hashes of the text are computed on reading. A
 * row is rewritten while its revision is still open, and final afterwards.
 */
import type { ActorId, BlockId } from '../../schema/ids.ts'
import type { AuthorRun } from '../../schema/markdown/runs.ts'
import type { TextChange, TextSplice } from '../text/text-change.ts'

export interface HistoryRow {
  readonly revision: number
  readonly at: number
  readonly event: string
  /** Everyone who wrote in it, first writer first. */
  readonly actors: readonly ActorId[]
  readonly authMethod: string
  readonly ipHash: string | undefined
  /** From the text of the revision before to this one's. */
  readonly splices: TextChange
  /**
   * By whom the text of this revision is, ascending, where that is not what its splices say: that
   * what is put in is its only actor's (of several, nobody's), and the rest by whom it was.
   */
  readonly credits?: readonly AuthorRun[] | undefined
  /** Blocks that came, went, or read otherwise than before. Rows of long ago do not say. */
  readonly blocks?: readonly TouchedBlock[] | undefined
}

/** What stood there before, as a fingerprint; null: there was no such block. */
export type TouchedBlock = readonly [id: BlockId, before: string | null]

export function encodeHistoryRow(row: HistoryRow): Uint8Array {
  const { revision, at, event, actors, authMethod, ipHash, blocks } = row
  const splices = row.splices.map(packed)
  const credits = row.credits?.map(({ from, to, author }) => [from, to, author])
  const said = { revision, at, event, actors, authMethod, ipHash, splices, credits, blocks }
  return Buffer.from(JSON.stringify(said))
}

const packed = ({ at, remove, insert }: TextSplice) => [at, remove, insert]

export function decodeHistoryRow(value: Uint8Array): HistoryRow {
  const row = JSON.parse(Buffer.from(value).toString())
  const splices = row.splices.map(([at, remove, insert]: [number, number, string]) => ({
    at,
    remove,
    insert,
  }))
  if (row.credits === undefined) return { ...row, splices }
  const credits = row.credits.map(([from, to, author]: [number, number, string]) => ({
    from,
    to,
    author,
  }))
  return { ...row, splices, credits }
}
