/** The positions [from, to) of a document, `from` never behind `to`. */
export interface DocRange {
  readonly from: number
  readonly to: number
}
