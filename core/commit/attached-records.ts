/**
 * What a caller has stored in the same commit as an effect, such as the outcome that a retry of its
 * request gets. The effect knows nothing of it but its records.
 */
import type { Check, CommitResult } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'

export interface AttachedRecords<Made> {
  readonly checks: readonly Check[]
  /** Asked for what the commit makes. */
  puts(made: Made): readonly { readonly key: string; readonly value: Uint8Array }[]
}

export const noAttachedRecords: AttachedRecords<unknown> = { checks: [], puts: () => [] }

/** The same, of an effect that makes something else. */
export const attachedRecordsOf = <Made, Note>(
  attached: AttachedRecords<Note>,
  noteOf: (made: Made) => Note,
): AttachedRecords<Made> => ({
  checks: attached.checks,
  puts: (made) => attached.puts(noteOf(made)),
})

/** A record that the caller rests on was written meanwhile; trying again is the caller's. */
export class AttachedConflict extends Refusal {
  readonly key: string

  constructor(key: string) {
    super('UNAVAILABLE', { conflict: key })
    this.key = key
  }
}

/** Throws `AttachedConflict`, a refusal as UNAVAILABLE unless the caller tries again. */
export function assertNoAttachedConflict(
  attached: AttachedRecords<never>,
  result: CommitResult,
): void {
  if (!result.ok && attached.checks.some(({ key }) => key === result.conflict)) {
    throw new AttachedConflict(result.conflict)
  }
}
