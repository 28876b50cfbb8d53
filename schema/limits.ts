/**
 * Bounds that several parts of the service share, or that are given to parts; the unit ends the
 * name. All others stand beside what they tune.
 */

const bounds = {
  markdownMaxBytes: 4 * 1024 * 1024,
  snippetsPerEdit: 100,
  /** An answer is kept with its idempotency key for a day. */
  snippetsPerPatch: 500,
  candidatesPerEdit: 3,
  displayNameMaxChars: 80,
  passwordMinChars: 8,
  passwordMaxChars: 200,
  /** How long a request for news may wait: many proxies end it after a minute. */
  inboxWaitMaxMs: 55_000,
  /** Documents of an account that are passed on or archived before others get their turn. */
  accountWorkAtOnce: 20,
  /** A secret that another has taken the place of. */
  oldSecretKeptMs: 24 * 3_600_000,
  oldSecretsMax: 5,
  addressMaxChars: 2_048,

  /** A timer of the system goes no further. */
  timerMaxMs: 12 * 3_600_000,

  /** Block nodes of a document; an open one costs some 4 KB for each. */
  blocksMax: 70_000,
  tableMaxColumns: 128,

  socketMessageMaxBytes: 8 * 1024 * 1024,
  /** Of what a socket sent while its document was loading, or could not take it yet. */
  waitingMessagesMaxBytes: 16 * 1024 * 1024,
  socketCloseTimeoutMs: 10_000,
  awarenessStateMaxBytes: 2 * 1024,
  awarenessInBytesPerSecond: 256 * 1024,
  /** First words, and words of who is not shown, that are looked at, a socket and second. */
  awarenessTriesPerSecond: 4,
  awarenessTriesAtOnce: 20,
  /** What goes to each socket of what people say of themselves. */
  presenceBytesPerSecond: 128 * 1024,
  presenceFrameMaxBytes: 32 * 1024,
  /** Of live updates that wait together to be applied; one of them may have more. */
  batchMaxBytes: 48 * 1024,
  /** What Yjs spends on merging them, in looks at a struct of up to a microsecond. */
  batchEffortMax: 20_000,
  /** Of applied updates of a document that are not on disk yet. */
  unflushedMaxBytes: 8 * 1024 * 1024,
  /** How long a clientID is kept for who announced it and lost the line, and how many are. */
  reservationKeptMs: 10 * 60_000,
  parkedUpdateMaxMs: 10_000,
  nodeMaxDepth: 48,
  attributeMaxChars: 1024 * 1024,

  openDocumentIdleMs: 60_000,
  /** What open documents and those under construction may cost in memory, together. */
  memoryMaxBytes: 1024 * 1024 * 1024,
  /** Characters of markdown from which on a document is in a host for large ones. */
  largeHostFromChars: 64 * 1024,
  /** Without a word from a host for so long it is taken to hang: of small documents, of large. */
  hostHangsAfterMs: { small: 2_000, large: 20_000 },
  /** How long a host that has just been started may take to say its first word. */
  hostStartsWithinMs: 20_000,
  /** How often a session begins again in a row because its document's host ended meanwhile. */
  hostBeginningsMax: 8,
  /** How long a host may take to flush its documents when the service stops. */
  hostClosesWithinMs: 3_000,
  /** How often a node that shares its store with others says that it is there. */
  nodeHeartbeatMs: 500,
  /** How often a node looks whether a duty has nobody. */
  nodeDutyEveryMs: 2_000,
  /** A node that says nothing for so long is dead to the others. */
  nodeLeaseMs: 2_000,
  /** So long before that it stops serving by itself. */
  nodeLeaseMarginMs: 500,
  /** How long a node that stops passes requests on after its documents have left. */
  nodeDrainMs: 2_000,
  /** Leases of documents that nobody has used between two sweeps are given back. */
  nodeLeaseSweepEveryMs: 60_000,
  /** How long a request is held whose document is between two nodes. */
  nodeHoldMaxMs: 2_000,
  /** New text of a PATCH that costs less is not counted. */
  patchReservedFromBytes: 1024 * 1024,
  /** A document that somebody is in is in use for so long after each use. */
  inUseMs: 5_000,
  /** Revisions that are looked through for who changed what. */
  historyLookedThroughMax: 10_000,
  recentChangesMax: 512,
  recentChangesMaxChars: 512 * 1024,

  /** Of a document. */
  threadsMax: 10_000,
  /** Of `quote`, `new_block_quote` and `place.words`: text that is looked for in a document. */
  quoteMaxBytes: 64 * 1024,
  /** Of a suggestion: what it would put in, and what stands there. */
  suggestionMaxBytes: 256 * 1024,
  /** Of a read: threads, with comments and actors. */
  threadPageBytes: 64 * 1024,
  /** Text in which an edit looks for words of threads that left their blocks. */
  wordsSoughtMaxChars: 64 * 1024 * 1024,
  /** Of a refusal: blocks of the candidate shown beside the comments it affects. */
  candidateBlocksPerComment: 8,
  candidateBlocksMax: 2_000,

  /** Entries of an inbox live for so long. */
  inboxEntryTtlMs: 90 * 24 * 3_600_000,
  inboxBlockMaxChars: 4_096,
  /** Agents' comments that answer each other, from which on no agent is told. */
  agentsDepthMax: 6,
  /** What an agent says later than this is no answer to what another said. */
  agentsAnswerMs: 3_600_000,

  // Links, tokens and grants.
  /** Of a document: links, tokens that its owner made, people and agents invited by handle. */
  linksPerDocument: 200,
  accessTokensPerDocument: 200,
  invitedPerDocument: 1_000,
  /** Of a document; past so many no account keeps what a link gave it at its first write. */
  grantsPerDocument: 10_000,
  /** Of a document, tokens that reads by a link minted and nobody named; and how many give way. */
  mintedTokensPerDocument: 2_000,
  mintedEndedAtOnce: 2,
  /** Documents of which is known for which networks these were minted. */
  mintingDocumentsKept: 100,
  /** Documents of which is known how many of these they have. */
  keyCountsKept: 10_000,
  grantsReadPerPage: 1_000,
  /** Tokens and makers looked at for what one token is worth; and how many are left for others. */
  worthRecordsMax: 64,
  worthRecordsSpared: 2,
  /** A revoked name is free to other documents after so long. */
  linkNameHeldMs: 90 * 24 * 3_600_000,
  /** An offer to own a document ends. */
  ownerOfferTtlMs: 30 * 24 * 3_600_000,
  /** A claim can be given back for so long. */
  claimGivenBackWithinMs: 24 * 3_600_000,
  /** Uses of links and tokens are counted in memory and written together. */
  usesStoredEveryMs: 30_000,
  usesNotedMax: 10_000,

  // Libraries.
  membersPerTeam: 200,
  teamsPerMember: 200,
  /** Bots with what is left of those that were deleted; slugs with old ones. */
  brainsPerAccount: 200,
  botSlugsPerAccount: 1_000,
  folderNameMaxChars: 200,
  /** Right in one folder, or in the root of a container. */
  foldersPerFolder: 1_000,
  /** Folders within each other. */
  folderDepthMax: 32,
  /** What may stand below a folder that is put into another. */
  foldersMovedMax: 5_000,
  /** Of an agent's library: what is asked for, and what is shown of a line. */
  searchQueryMaxChars: 500,
  searchTextMaxChars: 500,
  searchLineMaxChars: 200,
  /** Of an answer; what is left comes on the next page. */
  searchShownMaxChars: 128 * 1024,
  searchMatchesDefault: 5,
  searchContextDefault: 2,
  /** Looked through in one request; what is left comes on the next page. */
  searchedMaxChars: 8 * 1024 * 1024,
  bundleDocumentsMax: 500,
  bundleMaxBytes: 32 * 1024 * 1024,
  /** Documents that did not fit, after which no further ones are tried. */
  bundleMissesMax: 8,
  /** What reading one document for these may take, of the budget of parsing. */
  memberReadCostBytes: 8 * 1024 * 1024,
  /** Of the name of a file. */
  /** What is looked at of a title. */
  fileNameReadMaxChars: 1_000,
  fileNameMaxChars: 100,
  fileNameMaxBytes: 200,
  /** Entries of an index that one page of a list looks at. */
  listedEntriesMax: 500,
  /** Beside them, entries of one's own documents that are passed over. */
  ownEntriesPassedMax: 20_000,

  // Uploads.
  imageMaxBytes: 5_000_000,
  /** Of one document: all its images, and how many. */
  imagesMaxBytes: 100_000_000,
  imagesMax: 10_000,
  /** Parts of which an image is put together when others are taken off. */
  imagePartsMax: 1_000,
  /** As sent and as normalized; of one document, all together and how many. */
  artifactMaxBytes: 512 * 1024,
  artifactsMaxBytes: 8 * 1024 * 1024,
  artifactsMax: 1_000,
  artifactNormalizedWithinMs: 3_000,
  artifactThreadMegabytes: 128,
  /** Uploads whose artifact waits to be normalized. */
  artifactsWaitingMax: 64,
  posterMaxBytes: 1_000_000,
  posterMaxPixels: 4_000,
  postersMaxBytes: 50_000_000,
  feedbackMessageMaxBytes: 16 * 1024,
  feedbackImagesPerReport: 5,
  /** Of one credential, whatever document they are for. */
  feedbackImagesADay: 25,
  /** Of one document: images for reports, and reports. */
  feedbackImagesMaxBytes: 100_000_000,
  feedbackMax: 1_000,
  feedbackSweepEveryMs: 3_600_000,
  feedbackSweptAtOnce: 1_000,
  /** Of what one address uploads, unless configured; and how long it counts. */
  uploadedMegabytesMax: 5_000,
  writtenMegabytesMax: 2_000,
  megabytesWindowMs: 24 * 3_600_000,
  /** Uploads that are written to the disk in the same moment. */
  uploadWritesAtOnce: 4,
  /** Uploads that are being received, over all and of one address; each holds a file open. */
  uploadsAtOnce: 32,
  uploadsOfAddress: 16,
  /** Of those, while others wait: who is slower, after so long, gives way. */
  uploadSlowBytesPerSecond: 64 * 1024,
  uploadSlowAfterMs: 10_000,
  uploadSlowLookedAtEveryMs: 1_000,
  /** How often a commit beside the text may be overtaken: by more than come at once. */
  assetCommitsMax: 256,
  /** Who keep or release the same blob, one after another. */
  blobLineMax: 10_000,

  // Webhooks.
  /** Deliveries that are under way at once: of all targets, of those that are not known to answer
   * quickly, and of those among them whose last attempt failed. */
  webhooksAtOnce: 64,
  unknownWebhooksAtOnce: 48,
  failingWebhooksAtOnce: 16,
  webhooksPerAgentAtOnce: 4,
  /** Of one host and port. */
  webhooksPerHostAtOnce: 8,
  /** Of one agent, that wait; beyond it the oldest is given up. */
  deliveriesWaitingMax: 10_000,
  /** Of one agent, finished ones too, and for how long. */
  deliveriesKeptMax: 10_000,
  deliveryKeptMs: 30 * 24 * 3_600_000,
  deliveryAttemptsKept: 20,
  /** Of the body: of `data`, and of the texts in it where it would be larger. */
  webhookDataMaxBytes: 64 * 1024,
  /** What a receiver may ask for by `Retry-After`. */
  retryAfterMaxMs: 3_600_000,
  /** The owner is told of a target that failed for so long. */
  webhookFailingToldAfterMs: 3_600_000,
  /** Targets whose deliveries are in memory; the others wait in the store. */
  webhookTargetsMax: 5_000,
  /** Of one target: lanes, and deliveries of one. */
  webhookLanesMax: 16,
  webhookLaneMax: 32,
  webhookBodiesKept: 256,
  /** Tests and redeliveries of one agent. */
  webhookRepairsPerMinute: 60,
  /** Deliveries that one page looks through for those of a state. */
  deliveriesLookedThroughMax: 1_000,

  // Requests and answers.
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

  stopWithinMs: 10_000,
  pageDefault: 50,
  pageMax: 200,
} as const

type Bounds = typeof bounds

/** What takes them as an option can be given others; nobody changes those that are here. */
export type Limits = {
  readonly [Name in keyof Bounds]: Bounds[Name] extends number ? number : Bounds[Name]
}

export const limits: Limits = Object.freeze(bounds)
