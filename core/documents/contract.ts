/**
 * What core/documents offers to rest/ and server/: shapes and meanings, no behaviour. Nothing here
 * knows HTTP or sockets; a caller that got an answer may show it to anyone, for it is on disk.
 */
import type { Check } from '../../persistence/store.ts'
import type { BlockId, Slug } from '../../schema/ids.ts'
import type { Json } from '../../schema/json.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { DocumentFacts, FlagChanges, LinkAccess } from '../commit/facts.ts'
import type { IdempotencyClaim } from '../commit/kept-outcomes.ts'
import type { Permission, Writer } from '../commit/permission.ts'
import type { PlannedRecords } from '../commit/planned-records.ts'
import type { Discussion, EditCosts } from './discussion.ts'
import type { EditOutcome } from './edits/request/outcomes.ts'
import type {
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  Sources,
} from './live/live-peer.ts'
import type { FormerPosition } from './model/tombstones.ts'
import type { Back } from './open/document-writes.ts'
import type { Past } from './past.ts'
import type { Fates } from './threads/threads.ts'
import type { ContentBlock, DocumentView, ReadWish } from './views/document-view.ts'

export type * from '../commit/facts.ts'
export type { IdempotencyClaim } from '../commit/kept-outcomes.ts'
export type * from '../commit/permission.ts'
export type * from '../commit/planned-records.ts'
export type * from './discussion.ts'
export type * from './live/live-peer.ts'
export type * from './past.ts'
export type * from './threads/deleted-comments.ts'
export type * from './threads/placed.ts'
export type * from './threads/summary.ts'
export type * from './threads/thread.ts'
export type { SaidAct, Unheard } from './threads/thread-acts.ts'
export type * from './threads/thread-wish.ts'
export type * from './views/document-view.ts'

/** What a document is made with beside its text. */
export interface Founding {
  readonly linkAccess: LinkAccess
  /** Records that must exist exactly when the document does (tokens, grants). */
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
  /** What these rest on: where it was written meanwhile, the founding is asked for again. */
  readonly checks?: readonly Check[]
  /** Whatever the caller needs to answer (stored with the idempotency record, for replays). */
  readonly replay: Json
}

/** A function is asked only where the key has no outcome yet. */
export type CreateRequest = (Founding | { founding(): Promise<Founding> }) & {
  readonly markdown: string
  /** `costOfMarkdown` of it, where that is known. */
  readonly costBytes?: number
  readonly idempotency?: IdempotencyClaim
  /** The slug and the writer are made by the caller before, since tokens refer to them. */
  readonly slug: Slug
  readonly writer: Writer
  /** Of a creator who came with a credential. */
  readonly permission?: Permission | undefined
  /** For whom memory is needed. */
  readonly sources?: Sources
}

export interface CreateOutcome {
  /** `replayed`: the same request ran before; this is what it made then. */
  readonly kind: 'created' | 'replayed'
  readonly slug: Slug
  readonly replay: Json
  readonly title: string
  /** As of revision 1. */
  readonly markdown: string
  readonly revision: number
}

/** The document as it is after its flags were set. */
export interface Configured {
  readonly revision: number
  readonly facts: DocumentFacts
}

export type LifeChange = 'archive' | 'restore'

/** The document as it is after its life was changed. */
export interface ChangedLife extends Configured {
  readonly title: string
}

/** What a durable block id stands for at `revision` (interface §4.11). */
export type BlockFinding = { readonly id: BlockId; readonly revision: number } & (
  | { readonly kind: 'block'; readonly range: ContentBlock['range']; readonly quote: string }
  | { readonly kind: 'deleted'; readonly place: FormerPosition }
)

/** As the wire has it (interface §4.5). */
export interface CommentOutcome {
  readonly id: string
  readonly action: 'remap' | 'remove' | 'keep'
  readonly new_block_idx?: number
  readonly new_block_quote?: string
}

/** The wire forms of interface §4.5, already validated as to shape. */
export interface PatchRequest extends EditCosts {
  readonly edits: readonly Readonly<Record<string, unknown>>[]
  readonly baseRevision?: number | undefined
  readonly dryRun: boolean
  /** What becomes of comments whose words go. */
  readonly commentOutcomes?: readonly CommentOutcome[] | undefined
  /** The edit is the whole text of an earlier revision. */
  readonly back?: Back
  /** UTF-8 bytes that the document may have afterwards. */
  readonly maxMarkdownBytes?: number
  readonly writer: Writer
  readonly permission?: Permission | undefined
  readonly idempotency?: IdempotencyClaim | undefined
  /** For whom memory is needed. */
  readonly sources?: Sources
}

export type RevertRequest = Omit<PatchRequest, 'edits' | 'back'> & { readonly baseRevision: number }

export interface PatchOutcome {
  readonly revision: number
  /** The text this request made (also on a replay): UTF-8 of one JSON string literal in pieces. */
  readonly markdownJson: readonly Uint8Array[]
  readonly fields: PatchFields
}

/** What a PATCH answers beside `markdown` and `revision`, in the spelling of the wire. */
export interface PatchFields {
  readonly edits?: readonly EditOutcome[]
  readonly failed_edit_indexes?: readonly number[]
  readonly sequential_reconcile?: true
  readonly rebased?: true
  readonly base_revision?: number | undefined
  readonly applied_to_revision?: number
  readonly applied_to_markdown_sha256?: string
  readonly applied?: readonly number[]
  readonly failed?: readonly number[]
  readonly removed_blocks?: number
  readonly revert?: { readonly revision: number }
  /** What became of comments. */
  readonly comments?: Fates
}

export interface ByWhom {
  readonly writer: Writer
  readonly permission?: Permission | undefined
}

/** Who acts, and what others are told that it was (interface §6.1). */
export interface ActedBy extends ByWhom {
  readonly event: string
}

export interface Retirement {
  readonly permission?: Permission | undefined
  /** In whatever state it is: it was purged before, and came back with a backup. */
  readonly forced?: boolean
}

/** What one host of documents has in memory. */
export interface HostUsage {
  readonly host: string
  readonly openCount: number
  readonly memoryBytes: number
}

export interface Documents {
  create(request: CreateRequest): Promise<CreateOutcome>
  /**
   * Has an effect that is no text of a document once, for as long as an outcome is kept: a retry
   * gets the note of the first. Without a claim it is just done. `slug`: what is purged with it.
   * Refuses IDEMPOTENCY_KEY_REUSED.
   */
  keep<Note>(
    claim: IdempotencyClaim | undefined,
    slug: Slug | undefined,
    effect: (attached: AttachedRecords<Note>) => Promise<Note>,
  ): Promise<Note>
  /** Without opening the document. Refuses DOC_NOT_FOUND. */
  facts(slug: Slug): Promise<DocumentFacts>
  /**
   * Seals pending typing and waits until that revision is durable. Refuses DOC_NOT_FOUND,
   * DOC_DAMAGED; like all that opens a document UNAVAILABLE when there is no memory for it.
   * The view has the parts that are wished.
   */
  read(slug: Slug, wish: ReadWish, sources?: Sources): Promise<DocumentView>
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
   * The text of an earlier revision again, as a PATCH with all of it would: what is still there
   * stays, what comes back is whose it was. Refuses NOT_FOUND too.
   */
  revert(slug: Slug, revision: number, request: RevertRequest): Promise<PatchOutcome>
  readonly past: Past
  readonly discussion: Discussion
  /**
   * Sets flags, durably, as one revision of its own; what is set already makes none.
   */
  configure(slug: Slug, changes: FlagChanges, by: ByWhom): Promise<Configured>
  /**
   * Stores the records that are planned, durably, as one revision of its own; a plan without any
   * makes none. Asked again where what it rests on was written meanwhile. Refuses what the plan
   * refuses.
   */
  record<T>(slug: Slug, by: ActedBy, plan: () => Promise<PlannedRecords<T>>): Promise<T>
  /**
   * Archives, or brings back (interface §3), durably, as one revision of its own; what is so
   * already makes none. Whoever is in the document is sent away with 4423, and what is under way is
   * refused. Bringing back refuses PURGE_STARTED and RETENTION_EXPIRED.
   */
  changeLife(slug: Slug, change: LifeChange, by: ByWhom): Promise<ChangedLife>
  /**
   * Takes it out of service for good (interface §3), durably, for a purge to delete: it is
   * DOC_NOT_FOUND from then on, whoever is in it is closed with 4404, nothing of it is written any
   * more. Again changes nothing. Refuses DOC_NOT_FOUND, and NOT_ARCHIVED unless it is `forced`.
   */
  retire(slug: Slug, why?: Retirement): Promise<void>
  /** The text of an old revision; undefined when there is no such revision. */
  revisionText(slug: Slug, revision: number): Promise<string | undefined>
  /** Attaches a live editor (interface §6.2). Refuses DOC_NOT_FOUND, DOC_ARCHIVED, UNAVAILABLE. */
  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession>
  /** Follows sealed, durable revisions: `onChange` for each one after the answer's (§6.1). */
  follow(slug: Slug, follower: Follower, sources?: Sources): Promise<Following>
  /** Flushes and closes every open document. */
  close(): Promise<void>
  /** Of each host of documents that runs. */
  readonly usage: readonly HostUsage[]
  readonly openCount: number
  /** What open documents, and those under construction, cost in memory. */
  readonly memoryBytes: number
}
