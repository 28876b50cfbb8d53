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
  /** Calls back in a later turn of the event loop, when what has come meanwhile was taken in. */
  inTurn(callback: () => void): void
  randomBytes(count: number): Uint8Array
}
