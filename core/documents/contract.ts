/**
 * What core/documents offers to rest/ and server/: shapes and meanings, no behaviour. Nothing here
 * knows HTTP or sockets; a caller that got an answer may show it to anyone, for it is on disk.
 */
import type { Check } from '../../persistence/store.ts'
import type { ErrorCode } from '../../schema/errors.ts'
import type { ActorId, BlockId, Slug } from '../../schema/ids.ts'

export type Role = 'owner' | 'editor' | 'commenter' | 'viewer'

/** The document's general access (interface §4.10). */
export interface LinkAccess {
  readonly mode: 'restricted' | 'anyone'
  readonly role: Exclude<Role, 'owner'>
}

/** The small facts of a document that access decisions need without opening it. */
export interface DocumentFacts {
  readonly slug: Slug
  readonly linkAccess: LinkAccess
  readonly readOnly: boolean
  readonly commentsDisabled: boolean
  readonly createdAt: number
}

export type DocumentFlags = Pick<DocumentFacts, 'linkAccess' | 'readOnly' | 'commentsDisabled'>

/** What to set of them; the rest stays, also within general access. */
export interface FlagChanges extends Partial<Omit<DocumentFlags, 'linkAccess'>> {
  readonly linkAccess?: Partial<LinkAccess>
}

/**
 * Names one retry-safe request: the same `identity` and `key` with another `fingerprint` is a
 * conflict.
 */
export interface IdempotencyClaim {
  /** Whose keys these are: a token id, an agent id, a visitor id. */
  readonly identity: string
  readonly key: string
  /** Hash of method, path and body. */
  readonly fingerprint: string
}

/** Who is credited with a write, and how they proved it (history, interface §2.7). */
export interface Writer {
  readonly actor: ActorId
  readonly authMethod: 'token' | 'agent' | 'session' | 'anonymous'
  /** SHA-256 of the address, hex; undefined where there is none. */
  readonly ipHash?: string
}

/**
 * What lets somebody write: asked on the facts of the document in the same turn as the write, and
 * part of its commit by the records that it rests on. Knows nobody but its holder.
 */
export interface Permission {
  /** What it would be another without, as it was when this was asked. */
  readonly rests: readonly Check[]
  /** Refuses what a document of these facts does not let its holder do. */
  assertOn(facts: DocumentFacts): void
  /** The same as it is now. Refuses what is permitted no more. */
  renewed(): Promise<Permission>
}

export interface CreateRequest {
  readonly markdown: string
  readonly linkAccess: LinkAccess
  readonly idempotency?: IdempotencyClaim
  /** The slug and the writer are made by the caller before, since tokens refer to them. */
  readonly slug: Slug
  readonly writer: Writer
  /** Records that must exist exactly when the document does (tokens, grants). */
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
  /** Of a creator who came with a credential. */
  readonly permission?: Permission | undefined
  /** Whatever the caller needs to answer a replay (stored with the idempotency record). */
  readonly replay: unknown
  /** For whom memory is needed. */
  readonly sources?: Sources
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly view: DocumentView }
  /** The same request ran before: its slug, its stored `replay`, its text as of revision 1. */
  | {
      readonly kind: 'replayed'
      readonly slug: Slug
      readonly replay: unknown
      readonly title: string
      readonly markdown: string
      readonly revision: number
    }

/**
 * One durable revision of a document, immutable. Costly parts are computed once, when first asked.
 */
export interface DocumentView {
  readonly slug: Slug
  readonly revision: number
  readonly title: string
  readonly facts: DocumentFacts
  readonly markdown: string
  /**
   * UTF-8 of `markdown` as one JSON string literal, quotes included, in pieces cached per chunk.
   */
  markdownJson(): readonly Uint8Array[]
  /** SHA-256 of the markdown, hex. */
  contentHash(): string
  /** A fingerprint that changes exactly when the content does. */
  liveEtag(): string
  contentBlocks(): readonly ContentBlock[]
  /** `content_blocks` as JSON in pieces cached per chunk, without quotes of blocks. */
  contentBlocksJson(): readonly Uint8Array[]
  authorship(): readonly AuthorRun[]
  /** Time of the last content change, milliseconds since the epoch. */
  readonly changedAt: number
}

export interface ContentBlock {
  readonly id: BlockId | null
  readonly range: { readonly from: number; readonly to: number }
}

/** Where the place of a deleted block is, told by a block that stands (interface §7). */
export interface RestingPlace {
  readonly deletedAtRevision: number
  /** Null: the place is the start of the document. */
  readonly survivor: BlockId | null
  /** `after`: retry with `after_block`; `before`: with `before_block`. */
  readonly relation: 'after' | 'before'
}

/** What a durable block id stands for at `revision` (interface §4.11). */
export type BlockFinding = { readonly id: BlockId; readonly revision: number } & (
  | { readonly kind: 'block'; readonly range: ContentBlock['range']; readonly quote: string }
  | { readonly kind: 'deleted'; readonly place: RestingPlace }
)

export interface AuthorRun {
  readonly from: number
  readonly to: number
  readonly author: ActorId
}

/** The wire forms of interface §4.5, already validated as to shape. */
export interface PatchRequest {
  readonly edits: readonly Readonly<Record<string, unknown>>[]
  readonly baseRevision?: number
  readonly dryRun: boolean
  /** Told of the time that planning and applying took, as it goes by. */
  readonly onWork?: (ms: number) => void
  /** UTF-8 bytes that the document may have afterwards. */
  readonly maxMarkdownBytes?: number
  readonly writer: Writer
  readonly permission?: Permission | undefined
  readonly idempotency?: IdempotencyClaim
  /** For whom memory is needed. */
  readonly sources?: Sources
}

export interface PatchOutcome {
  readonly revision: number
  /** The text this request made (also on a replay), as pieces of one JSON string literal. */
  markdownJson(): readonly Uint8Array[]
  readonly markdown: string
  /**
   * Fields beside `markdown` and `revision`, in wire spelling (edits, failed_edit_indexes, rebased
   * …).
   */
  readonly fields: Readonly<Record<string, unknown>>
}

export interface Documents {
  create(request: CreateRequest): Promise<CreateOutcome>
  /** Without opening the document. Refuses DOC_NOT_FOUND. */
  facts(slug: Slug): Promise<DocumentFacts>
  /**
   * Seals pending typing and waits until that revision is durable. Refuses DOC_NOT_FOUND,
   * DOC_DAMAGED; like all that opens a document UNAVAILABLE when there is no memory for it.
   */
  read(slug: Slug, sources?: Sources): Promise<DocumentView>
  /**
   * What a block id stands for now; seals and waits as `read` does. Refuses BLOCK_ID_NOT_FOUND,
   * malformed ids included, and BLOCK_ID_NOT_ADDRESSABLE.
   */
  block(slug: Slug, id: string, sources?: Sources): Promise<BlockFinding>
  /**
   * One commit or nothing (interface §4.5). 409 and 422 refusals carry `markdown` and `revision`.
   */
  patch(slug: Slug, request: PatchRequest): Promise<PatchOutcome>
  /**
   * Sets flags, durably, as one revision of its own; what is set already makes none. Answers what
   * is set then.
   */
  configure(
    slug: Slug,
    changes: FlagChanges,
    by: { readonly writer: Writer; readonly permission?: Permission | undefined },
  ): Promise<DocumentFacts>
  /** The text of an old revision; undefined when there is no such revision. */
  revisionText(slug: Slug, revision: number): Promise<string | undefined>
  /** Attaches a live editor (interface §6.2). */
  connect(slug: Slug, peer: LivePeer): Promise<LiveSession>
  /** Follows sealed, durable revisions; calls back for each one after the current. */
  follow(slug: Slug, follower: Follower, sources?: Sources): Promise<Following>
  /** Flushes and closes every open document. */
  close(): Promise<void>
  readonly openCount: number
  /** What open documents, and those under construction, cost in memory. */
  readonly memoryBytes: number
}

export interface Change {
  readonly revision: number
  readonly event: string
  /** Everyone who had a part in it, first writer first. */
  readonly actors: readonly ActorId[]
}

export interface Follower {
  onChange(change: Change): void
  /** Nothing more will be told; to go on, follow anew. */
  onClose(code: number, reason: string): void
}

export interface Following {
  /** The revision that was current and durable when following began. */
  readonly revision: number
  current(): number
  stop(): void
}

/**
 * What many identities of one attacker have in common. What identities can be made of at will is
 * bounded by these, for which it takes another network or another link.
 */
export interface Sources {
  /** The caller's network. */
  readonly address: string
  /** What let it in: the link or token that others may have come through too, else its account. */
  readonly link: string
}

/** What a live peer's credential is worth at the moment. */
export interface PeerAccess {
  readonly role: Role
  /** Known before its holder has a name; undefined: a credential that stands for nobody yet. */
  readonly actor: ActorId | undefined
  /** Who is credited with its writes; undefined: it has to identify first. */
  readonly writer: Writer | undefined
  /** Names the credential, not the account that it may take later. */
  readonly holder: string
  readonly sources: Sources
}

/** One live socket as the document sees it. Called back only with what is durable. */
export interface LivePeer {
  /** Whether this socket asked for JSON events. */
  readonly events: boolean
  /** Its copy is known to be of the present life of the store (no restore in between). */
  readonly knowsEpoch: boolean
  /** Asked at each update, since roles and identities change while a socket is open. */
  access(): PeerAccess
  /** A merged Yjs update (V1). */
  onUpdate(update: Uint8Array): void
  onChange(change: Change): void
  /** Authorship after an edit, throttled (§6.2). */
  onProvenance(ranges: readonly AuthorRun[]): void
  /** `count` of this peer's update messages are durable, or were dropped, at `revision`. */
  onSaved(saved: { readonly revision: number; readonly updates: number }): void
  /** An update of this peer that changes something was taken. */
  onWrite(): void
  /** Whether more messages may come: while false, nothing more is to be read from it. */
  onReading(isReading: boolean): void
  /** The document ends this session. */
  onClose(code: number, reason: ErrorCode | string): void
}

export interface LiveSession {
  /** The document is not in memory, so that no clientID can be reserved. */
  readonly isAway: boolean
  /** Opens it. Refuses what opening a document refuses. */
  open(): Promise<void>
  /**
   * The state this peer lacks (sync step 2); `vector` is its own state vector. Durable content
   * only.
   */
  answerStep1(vector: Uint8Array): Promise<Uint8Array>
  /** What is durable at the moment. */
  current(): { readonly revision: number; readonly readOnly: boolean }
  /** The server's own state vector when the session began, for its sync step 1. */
  readonly stateVector: Uint8Array
  /**
   * An update message or the peer's sync step 2 (`answersStep1`). Judged, applied, stored, then
   * shown.
   */
  receive(update: Uint8Array, answersStep1: boolean): void
  /** Reserves a clientID that the peer announced by awareness; false: it is somebody else's. */
  reserveClient(client: number): boolean
  leave(): void
}
