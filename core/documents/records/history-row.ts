/**
 * One revision's history row (interface §2.7, §4.11): who, how, when, and the change of the text as
 * splices, from which the text of any revision can be rebuilt. Hashes of the text are computed on
 * reading. A row is rewritten while its revision is still open, and final afterwards.
 */
import type { ActorId } from '../../../schema/ids.ts'

/** At `at` (UTF-16 units of the text so far) `remove` units were taken out and `insert` put in. */
export interface TextSplice {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

export interface HistoryRow {
  readonly revision: number
  readonly at: number
  readonly event: string
  /** Everyone who wrote in it, first writer first. */
  readonly actors: readonly ActorId[]
  readonly authMethod: string
  readonly ipHash?: string
  /** Applied one after the other to the text of the revision before. */
  readonly splices: readonly TextSplice[]
}

export const encodeHistoryRow = (row: HistoryRow): Uint8Array =>
  Buffer.from(JSON.stringify({ ...row, splices: row.splices.map(packed) }))

const packed = ({ at, remove, insert }: TextSplice) => [at, remove, insert]

export function decodeHistoryRow(value: Uint8Array): HistoryRow {
  const row = JSON.parse(Buffer.from(value).toString())
  const splices = row.splices.map(([at, remove, insert]: [number, number, string]) => ({
    at,
    remove,
    insert,
  }))
  return { ...row, splices }
}

export function applySplices(text: string, splices: readonly TextSplice[]): string {
  let result = text
  for (const { at, remove, insert } of splices) {
    result = result.slice(0, at) + insert + result.slice(at + remove)
  }
  return result
}
