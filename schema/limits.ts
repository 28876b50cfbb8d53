/** Every bound of the service, in one place; the unit ends the name. */
import { accessBounds } from './access-limits.ts'
import { httpBounds } from './http-limits.ts'
import { libraryBounds } from './library-limits.ts'
import { uploadBounds } from './upload-limits.ts'
import { webhookBounds } from './webhook-limits.ts'

const bounds = {
  markdownMaxBytes: 4 * 1024 * 1024,
  editsPerPatch: 100,
  snippetsPerEdit: 100,
  /** An answer is kept with its idempotency key for a day. */
  snippetsPerPatch: 500,
  candidatesPerEdit: 3,
  /** A longer text is represented by its first line that is not in the document. */
  candidateMaxChars: 1_000,
  /** Failed edits of a request for which candidates are sought. */
  candidateSearchesPerPatch: 5,
  /** Of all texts sought by a request that are in the document neither as they are nor escaped. */
  soughtAsMarkdownMaxChars: 128 * 1024,
  editedBlocksMaxChars: 16 * 1024 * 1024,
  /** Blocks that one edit moves, wraps or converts: each is written again, half a millisecond. */
  movedBlocksPerEdit: 10_000,
  displayNameMaxChars: 80,
  /** Combining marks in a row. */
  displayNameMarksMax: 4,
  idempotencyKeyMaxChars: 200,
  idempotencyTtlMs: 24 * 3_600_000,
  unusedTokenTtlMs: 24 * 3_600_000,
  /** A session that is not used for so long ends. */
  sessionIdleMs: 180 * 24 * 3_600_000,
  sessionUseNotedEveryMs: 24 * 3_600_000,
  /** Of one account; the one used longest ago gives way. */
  sessionsPerAccount: 100,
  passwordMinChars: 8,
  passwordMaxChars: 200,
  /** What is read of a password that is only compared. */
  passwordSentMaxChars: 1_000,
  /** How long a start waits for another process on its data, and how often it tries meanwhile. */
  storeLockWaitMs: 15_000,
  storeLockAskedEveryMs: 250,
  /** Of the log, where whoever reads it does not come along. */
  logWaitingMaxChars: 16 * 1024 * 1024,
  /** How long a request for news may wait: many proxies end it after a minute. */
  inboxWaitMaxMs: 55_000,
  /** Passwords that wait to be hashed. */
  passwordsWaitingMax: 64,
  /** About how long one is hashed, for those who are asked to come again. */
  passwordHashedInMs: 400,
  resetTtlMs: 3_600_000,
  /** Identities at a provider that one account is known by. */
  identitiesPerAccount: 8,
  /** Guests whose documents wait for an account's answer; the one with the fewest gives way. */
  guestOffersPerAccount: 32,
  /** Documents of a guest are counted so far before they are offered. */
  guestDocumentsCounted: 1_000,
  /** Documents of an account that are passed on or archived before others get their turn. */
  accountWorkAtOnce: 20,
  /** Between leaving for an identity provider and coming back; how long the provider may take. */
  signInDetourMs: 10 * 60_000,
  providerAnswersWithinMs: 5_000,
  accountsPerPage: 500,
  /** One line of an operator's command, in UTF-16 units. */
  commandMaxChars: 64 * 1024,
  ownerKeysPerAccount: 100,
  /** Registered, ephemeral, bots. */
  agentsPerAccount: 1_000,
  /** A secret that another has taken the place of. */
  oldSecretKeptMs: 24 * 3_600_000,
  oldSecretsMax: 5,
  ephemeralAgentIdleMs: 30 * 24 * 3_600_000,
  addressMaxChars: 2_048,
  webhookHeadersMax: 16,
  webhookHeaderMaxChars: 1_024,
  /** Among which the title is looked for that lists show. */
  listedTitleBlocksMax: 200,
  confirmationTtlMs: 5 * 60_000,

  /** Acts that give or take access to one document, waiting for each other. */
  actsWaitingMax: 64,
  /** A timer of the system goes no further. */
  timerMaxMs: 12 * 3_600_000,
  /** A clock that differs by more at once was set; by less, it is followed. */
  clockDriftMaxMs: 60_000,
  /** How long it has to differ until that counts for what ends after a time. */
  clockJumpTrustedAfterMs: 3 * 3_600_000,

  /** Block nodes of a document; an open one costs some 4 KB for each. */
  blocksMax: 70_000,
  parseInlineSteps: 600_000,
  /** Pieces of text passed over again in search of the end of a label. */
  parseInlineSkips: 4_000_000,
  /** Inline nodes of one textblock: stretches of text with other marks, images, breaks. */
  textblockMaxNodes: 50_000,
  parseMaxLevel: 48,
  tableMaxColumns: 128,
  bareUrlMaxChars: 2048,
  /** Of new text in a PATCH: less is not queued. */
  queuedTextFromBytes: 4 * 1024,
  /** Work that costs less memory, and some 100 ms, has a lane of its own. */
  smallWorkMaxBytes: 4 * 1024 * 1024,
  /** What work may cost that runs at the same time, and that waits. */
  smallWork: { atOnceBytes: 8 * 1024 * 1024, waitingMaxBytes: 128 * 1024 * 1024 },
  largeWork: { atOnceBytes: 256 * 1024 * 1024, waitingMaxBytes: 1200 * 1024 * 1024 },
  /** Of the bodies of requests that wait for their turn, in each lane. */
  waitingHeldMaxBytes: 64 * 1024 * 1024,
  /** Who waits longer is BUSY. */
  workWaitMaxMs: 15_000,
  /** So long those who fit go before one who does not. */
  workPassedMaxMs: 3_000,
  /** About how fast work is done, for Retry-After. */
  workBytesPerSecond: 40 * 1024 * 1024,

  socketMessageMaxBytes: 8 * 1024 * 1024,
  socketBufferedMaxBytes: 1024 * 1024,
  socketPingEveryMs: 30_000,
  /** Of what a socket sent while its document was loading, or could not take it yet. */
  waitingMessagesMaxBytes: 16 * 1024 * 1024,
  /** With more waiting the socket is read no further. */
  waitingMessagesPauseBytes: 64 * 1024,
  socketCloseTimeoutMs: 10_000,
  awarenessEchoEveryMs: 20_000,
  awarenessStateMaxBytes: 2 * 1024,
  awarenessStateMaxDepth: 8,
  awarenessEntriesMax: 512,
  /** A longer message counts as much against what a socket may say of itself. */
  awarenessMaxBytes: 16 * 1024,
  awarenessInBytesPerSecond: 256 * 1024,
  /** First words, and words of who is not shown, that are looked at, a socket and second. */
  awarenessTriesPerSecond: 4,
  awarenessTriesAtOnce: 20,
  /** In a room. */
  shownStatesMax: 200,
  shownStatesPerHolderMax: 8,
  /** What goes to each socket of what people say of themselves. */
  presenceBytesPerSecond: 128 * 1024,
  presenceFrameMaxBytes: 32 * 1024,
  presenceQueryEveryMs: 1_000,
  /** Of live updates that wait together to be applied; one of them may have more. */
  batchMaxBytes: 256 * 1024,
  /** What Yjs spends on merging them, in looks at a struct of up to a microsecond. */
  batchEffortMax: 50_000,
  /** Of applied updates of a document that are not on disk yet. */
  unflushedMaxBytes: 8 * 1024 * 1024,
  /** An update that nobody can take for so long ends its socket: try again later. */
  heldUpdateMaxMs: 10_000,
  /** How long a clientID is kept for who announced it and lost the line, and how many are. */
  reservationKeptMs: 10 * 60_000,
  reservationsMax: 4_000,
  rememberedDocumentsMax: 10_000,
  parkedUpdateMaxBytes: 256 * 1024,
  parkedUpdateMaxMs: 10_000,
  nodeMaxDepth: 48,
  attributeMaxChars: 1024 * 1024,
  markAttributeMaxChars: 64 * 1024,

  revisionIdleMs: 150,
  revisionMaxMs: 250,
  provenanceEveryMs: 200,
  openDocumentIdleMs: 60_000,
  /** What open documents and those under construction may cost in memory, together. */
  memoryMaxBytes: 1024 * 1024 * 1024,
  /** What a single one is taken for at most while it is made or loaded; it is corrected then. */
  memoryReservedMaxBytes: 640 * 1024 * 1024,
  /** The heap of a thread of documents; one that needs more ends, and is replaced. */
  hostHeapMaxMb: 1_536,
  /** Requests that a host of documents has not answered; more are UNAVAILABLE. */
  hostCallsMax: 8_192,
  /** Of one socket's updates that are on their way to its document's host. */
  hostUnreadMaxBytes: 1024 * 1024,
  /** Of all sockets' updates on their way to one host; those beyond are not read meanwhile. */
  hostUnreadTotalMaxBytes: 32 * 1024 * 1024,
  /** Characters of markdown from which on a document is in a host for large ones. */
  largeHostFromChars: 64 * 1024,
  /** Without a word from a host for so long it is taken to hang: of small documents, of large. */
  hostHangsAfterMs: { small: 2_000, large: 20_000 },
  /** How long a document is refused that was worked on when its host ended, twice. */
  hostEndRefusedMs: 60_000,
  /** Two ends further apart than this are not counted as two in a row. */
  hostEndRememberedMs: 600_000,
  /** How long a host that has just been started may take to say its first word. */
  hostStartsWithinMs: 20_000,
  /** How often a session begins again in a row because its document's host ended meanwhile. */
  hostBeginningsMax: 8,
  /** How long a host may take to flush its documents when the service stops. */
  hostClosesWithinMs: 3_000,
  /** What is kept of documents that were read and are not open. */
  storedViewsMaxBytes: 16 * 1024 * 1024,
  /** Of the threads that plain reads begin with, in a stored view. */
  storedThreadsNearBytes: 384 * 1024,
  /** So long who opens or makes a document waits for memory. */
  memoryWaitMaxMs: 8_000,
  memoryWaitersMax: 1_000,
  /** New text of a PATCH that costs less is not counted. */
  patchReservedFromBytes: 1024 * 1024,
  /** A document that somebody is in is in use for so long after each use. */
  inUseMs: 5_000,
  wholeStateKeptMs: 5_000,
  compactAfterRecords: 500,
  compactBytesPerRecord: 512,
  compactMinBytes: 64 * 1024,
  historyFullTextEvery: 512,
  /** Of history rows that are read to find the text of a revision, where the text is shorter. */
  historyRowsBytes: 256 * 1024,
  /** What one page of the history reads of its rows, about; a whole row is always read. */
  historyPageBytes: 8 * 1024 * 1024,
  /** Hashes of texts of revisions that are kept. */
  historyHashesMax: 20_000,
  /** Revisions that are looked through for who changed what. */
  historyLookedThroughMax: 10_000,
  historyLookedThroughBytes: 16 * 1024 * 1024,
  /** Reads of the past that are under way; the others wait. */
  historyReadsAtOnce: 4,
  /** Of a revert's row: with more, the text that comes back is stored whole, once. */
  revertStoredMaxChars: 16 * 1024,
  /** What a page of a diff, or of changed blocks, holds, about. */
  diffPageChars: 256 * 1024,
  sincePageChars: 256 * 1024,
  /** Comparisons of revisions that are kept in memory. */
  diffsKeptBytes: 32 * 1024 * 1024,
  sinceKeptBytes: 8 * 1024 * 1024,
  logLinesPerPage: 500,
  revisionNamesMax: 1_000,
  revisionNameMaxChars: 100,
  recentChangesMax: 512,
  recentChangesMaxChars: 512 * 1024,
  /** Revisions that an insert on a stale base looks back over to keep the order of commits. */
  rebaseRevisionsMax: 5_000,
  /** Runs of others' words that were deleted, of a document; about 500 bytes each. */
  ledgerMaxEntries: 4_096,
  ledgerMaxChars: 1024 * 1024,
  /** Deleted blocks that a document remembers; about 300 bytes each. */
  tombstonesMax: 20_000,

  commentMaxBytes: 16 * 1024,
  /** Of a document. */
  threadsMax: 10_000,
  /** About words of one block. */
  threadsPerBlock: 1_000,
  commentsMax: 50_000,
  commentsMaxBytes: 16 * 1024 * 1024,
  /** Of `quote`, `new_block_quote` and `place.words`: text that is looked for in a document. */
  quoteMaxBytes: 64 * 1024,
  /** Of a suggestion: what it would put in, and what stands there. */
  suggestionMaxBytes: 256 * 1024,
  /** Of an anchor, told to who has not sent its words. */
  anchorToldMaxChars: 8_192,
  /** Of a read: threads, with comments and actors. */
  threadPageBytes: 64 * 1024,
  reactionsPerComment: 1_000,
  /** Text in which an edit looks for words of threads that left their blocks. */
  wordsSoughtMaxChars: 64 * 1024 * 1024,
  /** Text in which a revert looks for words of orphaned threads. */
  wordsBroughtMaxChars: 16 * 1024 * 1024,
  /** Of a refusal: blocks of the candidate shown beside the comments it affects. */
  candidateBlocksPerComment: 8,
  candidateBlocksMax: 2_000,
  candidateQuoteMaxChars: 500,
  affectedTextMaxChars: 1_000,

  /** Entries of an inbox live for so long. */
  inboxEntryTtlMs: 90 * 24 * 3_600_000,
  /** Acts of one actor in one thread within so long are one entry. */
  inboxJoinedMs: 60_000,
  inboxJoinedMax: 20_000,
  inboxWaitersMax: 10_000,
  inboxWaitersPerActor: 4,
  /** Who were woken and look whether there is something for them. */
  inboxWokenAtOnce: 4,
  /** Documents whose news is waited for, over all who wait. */
  inboxListenedMax: 500_000,
  /** Of the room for those who wait, what one address may have. */
  inboxRoomOfAnAddress: 1 / 4,
  /** Unread entries are counted as far as this. */
  inboxCountedMax: 1_000,
  /** Documents whose news one inbox has. */
  inboxDocumentsMax: 2_000,
  inboxBlockMaxChars: 4_096,
  /** Unread ones kept of one inbox; then those of whoever has most are told together. */
  inboxEntriesMax: 3_000,
  /** Of which is known how much room they have. */
  inboxRoomsKept: 20_000,
  /** From where on somebody hears of a document, as found once. */
  inboxBeginsKept: 20_000,
  mutedThreadsMax: 1_000,
  /** Among whom is sought who may be mentioned: of those who spoke, who wrote, who have a grant. */
  mentionablePerSource: 300,
  /** Who wrote in a thread and is told of an act in it, the latest; others have the feed. */
  toldPerActMax: 200,
  /** Agents' comments that answer each other, from which on no agent is told. */
  agentsDepthMax: 6,
  /** What an agent says later than this is no answer to what another said. */
  agentsAnswerMs: 3_600_000,
  /** Of whom is known what they were told and did of late. */
  exchangingAgentsKept: 2_000,

  quotaWindowMs: 60_000,
  /** Of quotas by account. */
  accountQuotaWindowMs: 3_600_000,
  /** Windows of single addresses, and of the /48 around those of IPv6, of one quota. */
  quotaAddressesMax: 20_000,
  /** How many times an address's quota its /48 has, and its region when the table is full. */
  quotaSiteFactor: 16,
  /** All callers behind one address together have so many times a quota. */
  quotaAddressFactor: 10,
  guestsByLinkPerMinute: 300,
  quotaRegionFactor: 8,
  quotaRegionsMax: 2_048,
  issuesPerRefusal: 20,
  frontMatterMaxChars: 64 * 1024,
  frontMatterMaxAliases: 32,
  frontMatterMaxDepth: 100,
  frontMatterMaxLines: 1_000,
  /** Indicators of YAML, in words too. */
  frontMatterMaxSigns: 2_000,
  frontMatterMaxValues: 10_000,
  unusedTokenSweepEveryMs: 3_600_000,
  /** An archived document can be brought back for so long (interface §8); then it is purged. */
  archiveRetentionMs: 30 * 24 * 3_600_000,
  purgeSweepEveryMs: 1_800_000,
  /** Of one look for documents whose time is over. */
  purgesBegunAtOnce: 1_000,
  purgeKeysPerCommit: 500,
  /** Who deletes a document waits so long for the end of it. */
  purgeAwaitedMs: 5_000,
  /** A document is named so long for backups that still have it. */
  purgedListKeptMs: 2 * 365 * 24 * 3_600_000,

  ...accessBounds,
  ...libraryBounds,
  ...uploadBounds,
  ...webhookBounds,
  /** How long the free space of the disk is taken for what it was. */
  freeSpaceKnownMs: 1_000,
  /** Where the disk is nearly full, a write may have so much. */
  smallWriteMaxBytes: 4 * 1024,
  /** A full disk is looked at so often, and less often where it is full again soon. */
  fullDiskLookEveryMs: 2_000,
  fullDiskLookMaxMs: 60_000,
  fullDiskForgottenMs: 600_000,
  /** The store is opened anew when so much is free. */
  reopenedFromFreeBytes: 16 * 1024 * 1024,

  ...httpBounds,
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
