/** What an honest other client may feel of any attack, and what it may cost the service. */
export const bounds = {
  healthP99Ms: 300,
  keyP99Ms: 300,
  holdMs: 300,
  /** Of one request, or of answers that nobody reads. */
  stepHoldMs: 500,
  stepResidentBytes: 300 * 1024 * 1024,
  residentPeakBytes: 1.5 * 1024 * 1024 * 1024,
  /** A minute later, of what was resident before. */
  residentAfter: 1.2,
  /** After a kill in the midst of an attack, until the service answers again. */
  readyMs: 5_000,
  slowHeadersSeconds: 12,
  /** Of answers to who is here: sixteen times all of 1 MB. */
  awarenessBytesBack: 16 * 1024 * 1024,
  /** Of 1 MB documents to eight sockets: what an address has saved up, and 2 MB for each second. */
  step1BytesBackPerSecond: 12 * 1024 * 1024,
} as const
