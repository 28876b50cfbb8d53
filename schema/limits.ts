/** Every bound of the service, in one place; the unit ends the name. */
export const limits = {
  markdownMaxBytes: 4 * 1024 * 1024,
  jsonBodyMaxBytes: 6 * 1024 * 1024,
  jsonMaxDepth: 32,
  editsPerPatch: 100,
  snippetsPerEdit: 100,
  candidatesPerEdit: 3,
  /** A longer text is represented by its first line that is not in the document. */
  candidateMaxChars: 1_000,
  /** Failed edits of a request for which candidates are sought. */
  candidateSearchesPerPatch: 5,
  editedBlocksMaxChars: 16 * 1024 * 1024,
  /** Characters that an edit compares or writes in one transaction, about. */
  editWeightAtOnce: 32 * 1024,
  displayNameMaxChars: 80,
  idempotencyKeyMaxChars: 200,
  idempotencyTtlMs: 24 * 3_600_000,
  unusedTokenTtlMs: 24 * 3_600_000,
  /** A session that is not used for so long ends. */
  sessionIdleMs: 180 * 24 * 3_600_000,
  sessionUseNotedEveryMs: 24 * 3_600_000,
  confirmationTtlMs: 5 * 60_000,

  parseInlineSteps: 600_000,
  parseBlockTokens: 600_000,
  parseMaxLevel: 48,
  tableMaxColumns: 128,
  bareUrlMaxChars: 2048,
  parseQueueMaxJobs: 8,
  parseQueueFromBytes: 256 * 1024,
  /** How long work that can be parted goes on before others get the event loop. */
  turnMs: 12,

  socketMessageMaxBytes: 8 * 1024 * 1024,
  socketBufferedMaxBytes: 1024 * 1024,
  socketPingEveryMs: 30_000,
  /** Of what a socket sent while its document was loading. */
  waitingMessagesMaxBytes: 16 * 1024 * 1024,
  socketCloseTimeoutMs: 10_000,
  awarenessEchoEveryMs: 20_000,
  awarenessMaxBytes: 16 * 1024,
  /** A live update of more than twice as much is applied in parts where that can be done. */
  updatePartBytes: 16 * 1024,
  /** Each is a write to the disk; the parts of a very large update are longer. */
  updatePartsMax: 40,
  largeUpdateFromBytes: 256 * 1024,
  largeUpdateBudgetBytesPerMinute: 32 * 1024 * 1024,
  /** Steps of about a microsecond that applying live updates may cost, a socket and minute. */
  effortPerMinute: 3_000_000,
  parkedUpdateMaxBytes: 256 * 1024,
  parkedUpdateMaxMs: 10_000,
  nodeMaxDepth: 48,
  attributeMaxChars: 1024 * 1024,
  markAttributeMaxChars: 64 * 1024,

  revisionIdleMs: 150,
  revisionMaxMs: 250,
  provenanceEveryMs: 200,
  openDocumentIdleMs: 60_000,
  /** Of snapshot and log: a larger document stays open while anybody is in it, idle or not. */
  dormantMaxBytes: 256 * 1024,
  wholeStateKeptMs: 5_000,
  compactAfterRecords: 500,
  compactBytesPerRecord: 512,
  compactMinBytes: 64 * 1024,
  historyFullTextEvery: 512,
  recentChangesMax: 512,
  recentChangesMaxChars: 512 * 1024,
  /** Revisions that an insert on a stale base looks back over to keep the order of commits. */
  rebaseRevisionsMax: 5_000,
  ledgerMaxEntries: 256,
  ledgerMaxChars: 1024 * 1024,
  /** Deleted blocks that a document remembers; about 300 bytes each. */
  tombstonesMax: 20_000,

  quotaWindowMs: 60_000,
  quotaAddressesMax: 20_000,
  issuesPerRefusal: 20,
  frontMatterMaxChars: 64 * 1024,
  frontMatterMaxAliases: 32,
  frontMatterMaxValues: 10_000,
  unusedTokenSweepEveryMs: 3_600_000,

  requestHeadersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  stopWithinMs: 10_000,
  pageDefault: 50,
  pageMax: 200,
} as const
