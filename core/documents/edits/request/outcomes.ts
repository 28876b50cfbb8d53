/**
 * What became of the edits of one request, in the spelling of the wire (interface §4.5), and the
 * refusals that carry it. Knows no text: offsets and snippets are made by whoever has it.
 */
import { type ErrorCode, Refusal } from '../../../../schema/errors.ts'
import type { Snippet } from '../../../../schema/markdown/matching.ts'
import type { TombstoneFields } from '../../model/block-address.ts'

/** Where several places match, which. */
export interface EditOutcome {
  readonly index: number
  readonly ok: boolean
  readonly code?: ErrorCode
  readonly reason?: string
  /** What to send to get there. */
  readonly instruction?: string
  /** Matches in the text that the answer carries. */
  readonly occurrences?: number
  readonly snippets?: readonly Snippet[]
  readonly tombstone?: TombstoneFields
}

export const failed = (outcomes: readonly EditOutcome[]) => ({
  edits: outcomes,
  failed_edit_indexes: outcomes.map(({ index }) => index),
})

/** One failing edit speaks for the request; of several none does. */
export function failure(outcomes: readonly EditOutcome[]): Refusal {
  const [only] = outcomes
  if (only?.code === undefined || outcomes.length > 1) {
    return new Refusal('ALL_EDITS_FAILED', failed(outcomes))
  }
  const { ok: _ok, index: _index, code, ...own } = only
  return new Refusal(code, { ...failed(outcomes), ...own }, own.instruction)
}

/**
 * The whole request is turned away for `code` (batch rule 4): edits that had matched are
 * BATCH_ROLLED_BACK, the others keep what they failed with.
 */
export function rolledBack(
  code: ErrorCode,
  outcomes: readonly EditOutcome[],
  details: Readonly<Record<string, unknown>> = {},
): Refusal {
  const edits = outcomes.map((outcome): EditOutcome => {
    const { ok, index } = outcome
    return ok ? { ok: false, index, code: 'BATCH_ROLLED_BACK' } : outcome
  })
  const likely = outcomes.filter(({ ok }) => ok).map(({ index }) => index)
  return new Refusal(code, { ...failed(edits), likely_edit_indexes: likely, ...details })
}
