/**
 * One revision's history row (interface §2.7, §4.11): who, how, when, and the change of the text as
 * splices, from which the text of any revision can be rebuilt, with the authors of its every
 * character, and which blocks are others than before. Hashes of the text are computed on reading. A
 * row is rewritten while its revision is still open, and final afterwards. A revert's row copies
 * its text from one that the history stores whole, instead of storing it again.
 */
import type { ActorId, BlockId } from '../../schema/ids.ts'
import type { AuthorRun } from '../../schema/markdown/runs.ts'
import type { TextChange, TextReplacement } from '../text/text-change.ts'

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
  /** The same splices as they are stored, where what they put in is copied. */
  readonly copied?: CopiedChange | undefined
}

/** A change whose text is mostly that of a revision that is stored whole. */
export interface CopiedChange {
  /** The revision that is stored whole. */
  readonly original: number
  readonly splices: readonly CopiedSplice[]
}

export type CopiedSplice = readonly [at: number, remove: number, insert: readonly CopiedPiece[]]

/** A stretch of the original, in UTF-16 units, or text as it is. */
export type CopiedPiece = readonly [from: number, to: number] | string

/** What stood there before, as a fingerprint; null: there was no such block. */
export type TouchedBlock = readonly [id: BlockId, before: string | null]

export function encodeHistoryRow(row: HistoryRow): Uint8Array {
  const { revision, at, event, actors, authMethod, ipHash, blocks, copied } = row
  const splices = copied === undefined ? row.splices.map(packed) : undefined
  const credits = row.credits?.map(({ from, to, author }) => [from, to, author])
  const said = { revision, at, event, actors, authMethod, ipHash, splices, copied, credits, blocks }
  return Buffer.from(JSON.stringify(said))
}

const packed = ({ at, remove, insert }: TextReplacement) => [at, remove, insert]

/** A row that was read, and the revision whose text `row` needs, if any. */
export interface OpenedRow {
  readonly revision: number
  readonly original: number | undefined
  row(original: string): HistoryRow
}

export function openHistoryRow(value: Uint8Array): OpenedRow {
  const { copied, ...stored } = JSON.parse(Buffer.from(value).toString())
  const credits = stored.credits?.map(([from, to, author]: [number, number, string]) => ({
    from,
    to,
    author,
  }))
  const splicesFrom = (original: string): TextChange =>
    copied === undefined
      ? stored.splices.map(unpacked)
      : copied.splices.map(([at, remove, pieces]: CopiedSplice) => {
          return { at, remove, insert: pieces.map((piece) => textOf(piece, original)).join('') }
        })
  return {
    revision: stored.revision,
    original: copied?.original,
    row: (original) => ({
      ...stored,
      splices: splicesFrom(original),
      ...(credits && { credits }),
    }),
  }
}

const unpacked = ([at, remove, insert]: [number, number, string]): TextReplacement => {
  return { at, remove, insert }
}

const textOf = (piece: CopiedPiece, original: string): string =>
  typeof piece === 'string' ? piece : original.slice(...piece)

/** A row that copies nothing. Throws TypeError for one that does. */
export function decodeHistoryRow(value: Uint8Array): HistoryRow {
  const opened = openHistoryRow(value)
  if (opened.original !== undefined) throw new TypeError('the row needs the text it copies')
  return opened.row('')
}
