/**
 * Bounds that several parts of the service share, or that are given to parts; the unit ends the
 * name. All others stand beside what they tune.
 */
import { accessBounds } from './access-limits.ts'
import { httpBounds } from './http-limits.ts'
import { libraryBounds } from './library-limits.ts'
import { uploadBounds } from './upload-limits.ts'
import { webhookBounds } from './webhook-limits.ts'

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

  ...accessBounds,
  ...libraryBounds,
  ...uploadBounds,
  ...webhookBounds,

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
