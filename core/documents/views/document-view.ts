/** One durable revision of a document as its readers see it. */
import type { ActorId, BlockId, Slug } from '../../../schema/ids.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { PlacedThread, Range } from '../threads/placed.ts'
import type { DeletedComment } from '../threads/thread.ts'

/**
 * One durable revision of a document, immutable. Costly parts are computed once, when first asked.
 */
export interface DocumentView {
  readonly slug: Slug
  readonly revision: number
  readonly title: string
  readonly facts: DocumentFacts
  readonly markdown: string
  /** Of `markdown`, which need not be put together for it. */
  slice(from: number, to: number): string
  /** Of an addressed block; undefined: it is not there. */
  rangeOfBlock(id: BlockId): Range | undefined
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
  /** The same as JSON. */
  authorshipJson(): readonly Uint8Array[]
  /** Everybody in it, each once. */
  authors(): readonly ActorId[]
  /** The hue of who has written in the document, 0 to 9. */
  hueOf(actor: ActorId): number | undefined
  /** Those in which anything stands, the newest first. */
  threads(): readonly PlacedThread[]
  /** Those that were deleted, with the threads that they were in. */
  deletedComments(): readonly DeletedComment[]
  /** Time of the last content change, milliseconds since the epoch. */
  readonly changedAt: number
}

export interface ContentBlock {
  readonly id: BlockId | null
  readonly range: { readonly from: number; readonly to: number }
}

export interface AuthorRun {
  readonly from: number
  readonly to: number
  readonly author: ActorId
}
