/** How Yjs names a struct: the client that made it and the clock of its first unit there. */
export interface StructId {
  readonly client: number
  readonly clock: number
}

/** Clocks of one client from the first on. */
/** Clocks of one client, `to` excluded. */
export interface ClockRange {
  readonly client: number
  readonly from: number
  readonly to: number
}

export interface StructRange extends StructId {
  readonly length: number
}
