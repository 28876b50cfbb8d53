/** Bounds of connections, requests and answers; `limits` has them all. */

export const httpBounds = {
  /** Of a JSON body, by what it carries: text of a document, a comment, fields, or nothing. */
  bodyMaxBytes: {
    text: 6 * 1024 * 1024,
    discussion: 1024 * 1024,
    fields: 16 * 1024,
    none: 1024,
  },
  jsonMaxDepth: 32,
  jsonMaxValues: 200_000,
  /** Of one object; no route knows as many. */
  jsonMaxFields: 1_000,
  /** Of one address, dry runs and edits that run at the same time, and that wait for those. */
  dryRunLine: { atOnce: 1, waitingMax: 32 },
  editLine: { atOnce: 16, waitingMax: 512 },
  /** Of the files that the process may have open: not for connections, whatever their bound is. */
  descriptorsReserved: 112,
  requestHeadersTimeoutMs: 10_000,
  /** Of a whole request, with its body: an upload may come on a slow line. */
  requestTimeoutMs: 5 * 60_000,
  /** How often the two are looked at. */
  requestTimesCheckedEveryMs: 1_000,
  /** Request bodies in memory until they are answered, over all and of one address. */
  bodiesMaxBytes: 64 * 1024 * 1024,
  bodiesMaxBytesPerAddress: 24 * 1024 * 1024,
  /** Answers in memory until they are sent, over all and of one address. */
  answersMaxBytes: 256 * 1024 * 1024,
  answersMaxBytesPerAddress: 64 * 1024 * 1024,
  /** What is reserved for an answer before it is made; of a document, beside what that weighs. */
  answerBytes: {
    bounded: 0,
    document: 16 * 1024,
    paged: 64 * 1024,
    streamed: 256 * 1024,
  },
  /** A smaller answer is not counted, and never refused for want of room. */
  answerCountedFromBytes: 16 * 1024,
  /** What is reserved for the answer of a very large document, whatever it weighs. */
  documentAnswerMaxBytes: 16 * 1024 * 1024,
  /** A bundle has a document's text in memory while it is sent. */
  bundleHeldBytes: 15 * 1024 * 1024,
  /** A connection ends when nothing of an answer could be sent for so long. */
  answerStalledMs: 30_000,
  /** What is written to a connection before its reader has to have taken it. */
  answerWriteBytes: 32 * 1024,
  /** Requests of one connection that are under way; those behind them wait, and so many may. */
  requestsPerConnection: 4,
  heldRequestsPerConnection: 1_000,
  heldRequestsMax: 8_000,
  bodyPiecesMax: 16_384,
  /** What is still heard of a body after its answer. */
  unreadBodyMaxBytes: 16 * 1024 * 1024,
} as const
