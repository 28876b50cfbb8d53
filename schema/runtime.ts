/**
 * The one door to clock, timers and chance: made by the composition, handed down, simulated in
 * tests.
 */
export interface Timer {
  cancel(): void
}

export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a clock that never goes back; for measuring. */
  elapsed(): number
  /** Calls back once after `ms`. Does not keep the process alive for longer than some 10 ms. */
  after(ms: number, callback: () => void): Timer
  /**
   * Calls back in a later turn of the event loop in which nobody else is called back: so that much
   * long work at once holds up the others no more than one does.
   */
  inTurn(callback: () => void): void
  /** Somebody works live: for a while the loop is free for some time between two turns. */
  isLive(): void
  randomBytes(count: number): Uint8Array
}
