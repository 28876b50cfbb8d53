/** One code of the error catalogue (interface §7). */
export interface CatalogueRow {
  readonly status: number
  readonly message: string
  readonly close?: number
  readonly reportable?: true
  /** The status where it is said of a comment's target (interface §7 gives some codes two). */
  readonly ofTarget?: number
  /** Not in the interface's table: this implementation's own. */
  readonly extension?: true
}
