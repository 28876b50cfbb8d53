/**
 * Records beside a document's text that an act is to write, as planned on what the store said at
 * one moment. Where one of those it rests on was written meanwhile, the plan is made again.
 */
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { HeldPermission } from './permission.ts'

export interface PlannedRecords<T> {
  /** What the caller is told once the records are stored. */
  readonly answer: T
  /** Absent: all is as it should be already, and nothing is written. */
  readonly records?: {
    readonly checks: readonly Check[]
    readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
    readonly deletes?: readonly string[]
  }
}

/** The plan does not hold any more; never shown to anyone. */
export class Overtaken extends Refusal {
  constructor() {
    super('UNAVAILABLE')
  }
}

/** Holds a commit to these checks without ending the document when one fails. */
export const unlessOvertaken = (checks: readonly Check[]): HeldPermission => ({ checks })
