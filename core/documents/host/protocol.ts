/**
 * What the front and a document host say to each other. Every message is plain data, so that a host
 * may run in the same thread, in another one or elsewhere: nothing in it can be called.
 *
 * A call is answered once, or refused. Notes and events are not answered; they arrive in the order
 * in which they were sent, and calls and notes of one session too.
 */

import type { Check } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Json } from '../../../schema/json.ts'
import type { LinkAccess } from '../../commit/facts.ts'
import type { Keeping } from '../../commit/kept-outcomes.ts'
import type { HeldPermission, Writer } from '../../commit/permission.ts'
import type {
  BlockFinding,
  ChangedLife,
  CommentOutcome,
  Configured,
  FlagChanges,
  LifeChange,
  PatchOutcome,
} from '../contract.ts'
import type { FormerRevision, HistoryPage } from '../history/history.ts'
import type {
  BlockPage,
  DiffAsk,
  PageAsk,
  RevisionAsk,
  SinceAsk,
  TextPage,
} from '../history/past.ts'
import type { Sources } from '../live/live-peer.ts'
import type { DiscardReason } from '../live/live-peers.ts'
import type { Back } from '../open/document-writes.ts'
import type { ReadWish, ViewData } from '../views/document-view.ts'
import type { Acting, NotedRecords } from './acts.ts'
import type { ActRequest, ActResult } from './discussion.ts'

/** One document, and for whom memory is needed. */
export interface OfDocument {
  readonly slug: Slug
  readonly sources: Sources
}

/** A new document with all that belongs into its first commit. */
export interface CreateAsk extends OfDocument {
  readonly markdown: string
  /** `costOfMarkdown` of it, where that is known. */
  readonly costBytes: number | undefined
  readonly writer: Writer
  readonly permission: HeldPermission | undefined
  readonly linkAccess: LinkAccess
  /** Records that must exist exactly when the document does, and what they rest on. */
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array }[]
  readonly founding: readonly Check[]
  readonly keeping: Keeping | undefined
  /** Stored with the idempotency record, for replays. */
  readonly replay: Json
}

/** A document as it was made. */
export interface CreatedText {
  readonly title: string
  /** In canonical form. */
  readonly markdown: string
  readonly revision: number
}

/** A PATCH (interface §4.5), already validated as to shape. */
export interface PatchAsk extends OfDocument {
  readonly edits: readonly Readonly<Record<string, unknown>>[]
  readonly baseRevision?: number | undefined
  readonly dryRun: boolean
  /** What becomes of comments whose words go. */
  readonly commentOutcomes?: readonly CommentOutcome[] | undefined
  /** The edit is the whole text of an earlier revision. */
  readonly back?: Back | undefined
  /** UTF-8 bytes that the document may have afterwards. */
  readonly maxMarkdownBytes?: number | undefined
  /** How many characters may come; undefined: any number. */
  readonly freeChars?: number | undefined
  readonly writer: Writer
  readonly permission: HeldPermission | undefined
  readonly keeping: Keeping | undefined
}

export interface Patched {
  readonly outcome: PatchOutcome
  /** About how many bytes its commit has because of it. */
  readonly writtenBytes: number
}

/** The calls, each with what is asked and what is answered. */
export interface HostCalls {
  create: { ask: CreateAsk; answer: CreatedText }
  /** Of an open document; a stored one is opened. */
  read: { ask: OfDocument & { readonly wish: ReadWish }; answer: ViewData }
  /** The newest revision, on disk and closed. */
  settled: { ask: OfDocument; answer: number }
  block: { ask: OfDocument & { readonly id: string }; answer: BlockFinding }
  patch: { ask: PatchAsk; answer: Patched }
  revert: {
    ask: Omit<PatchAsk, 'edits' | 'back'> & { readonly revision: number }
    answer: Patched
  }
  configure: { ask: Acting & { readonly changes: FlagChanges }; answer: Configured }
  changeLife: { ask: Acting & { readonly change: LifeChange }; answer: ChangedLife }
  note: { ask: NotedRecords; answer: undefined }
  name: {
    ask: Omit<Acting, 'writer'> & { readonly revision: number; readonly name: string | null }
    answer: undefined
  }
  say: { ask: ActRequest; answer: ActResult }
  page: { ask: PageAsk; answer: HistoryPage }
  at: { ask: RevisionAsk; answer: FormerRevision }
  diff: { ask: DiffAsk; answer: TextPage }
  since: { ask: SinceAsk; answer: BlockPage & { readonly to: number } }
  /** The text of an old revision; undefined when there is no such revision. */
  text: { ask: { readonly slug: Slug; readonly revision: number }; answer: string | undefined }
  /** All that is under way for it is done and stored; then it is closed, and nobody is in it. */
  release: { ask: { readonly slug: Slug }; answer: undefined }
  /** What is in memory of the document goes at once, with what no commit has stored. */
  discard: { ask: { readonly slug: Slug; readonly because: DiscardReason }; answer: undefined }
}

export type HostCall = keyof HostCalls
export type Ask<K extends HostCall> = HostCalls[K]['ask']
export type Answer<K extends HostCall> = HostCalls[K]['answer']
