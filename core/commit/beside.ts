/**
 * What a caller has stored in the same commit as an effect, such as the outcome that a retry of its
 * request gets. The effect knows nothing of it but its records.
 */
import type { Check, CommitResult } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'

export interface Beside<Made> {
  readonly checks: readonly Check[]
  /** Asked for what the commit makes. */
  puts(made: Made): readonly { readonly key: string; readonly value: Uint8Array }[]
}

export const nothingBeside: Beside<unknown> = { checks: [], puts: () => [] }

/** The same, of an effect that makes something else. */
export const besideOf = <Made, Note>(
  beside: Beside<Note>,
  noteOf: (made: Made) => Note,
): Beside<Made> => ({
  checks: beside.checks,
  puts: (made) => beside.puts(noteOf(made)),
})

/** A record that the caller rests on was written meanwhile; trying again is the caller's. */
export class OvertakenBeside extends Refusal {
  readonly key: string

  constructor(key: string) {
    super('UNAVAILABLE', { conflict: key })
    this.key = key
  }
}

/** Throws `OvertakenBeside`, a refusal as UNAVAILABLE unless the caller tries again. */
export function assertNotBeside(beside: Beside<never>, result: CommitResult): void {
  if (!result.ok && beside.checks.some(({ key }) => key === result.conflict)) {
    throw new OvertakenBeside(result.conflict)
  }
}
