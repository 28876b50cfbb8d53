/** What a read answers: one durable revision of a document, or the parts of it that were wished. */
import type { ActorId, BlockId, Slug, ThreadId } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { FrontMatter } from '../../../schema/okf.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { DeletedPage, DeletedWish } from '../threads/deleted-comments.ts'
import type { PlacedThread } from '../threads/placed.ts'
import type { ThreadWish, WishedThreads } from '../threads/thread-wish.ts'

/**
 * The parts of a view that a read wants, as plain data. Slug, revision, facts, title and the time
 * of the last change are in every view.
 */
export interface ReadWish {
  readonly markdown?: boolean
  readonly markdownJson?: boolean
  /** With it comes the live ETag. */
  readonly contentHash?: boolean
  readonly contentBlocks?: boolean
  readonly quotedBlocks?: boolean
  readonly authorship?: boolean
  readonly authors?: boolean
  readonly hues?: boolean
  readonly frontMatter?: boolean
  readonly threads?: ThreadWish
  /** Of the threads that are wished; with so many UTF-16 units of their blocks. */
  readonly excerpts?: { readonly blockMaxChars: number }
  readonly speakers?: { readonly most: number }
  readonly deletedComments?: DeletedWish
}

/** The same parts as plain data, as one message carries them. What was not wished is left out. */
export interface ViewData {
  readonly revision: number
  readonly title: string
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly markdown?: string
  readonly markdownJson?: readonly Uint8Array[]
  readonly contentHash?: string
  readonly contentBlocksJson?: readonly Uint8Array[]
  readonly quotedBlocksJson?: readonly Uint8Array[]
  readonly authorshipJson?: readonly Uint8Array[]
  readonly authors?: readonly ActorId[]
  readonly hues?: ReadonlyMap<ActorId, number>
  readonly frontMatter?: FrontMatter
  readonly threads?: WishedThreads
  readonly excerpts?: readonly Excerpt[]
  readonly speakers?: readonly ActorId[]
  readonly deletedComments?: DeletedPage
}

/** The markdown that a thread is about. */
export interface Excerpt {
  readonly thread: ThreadId
  /** In its range; undefined: it is orphaned. */
  readonly quote: string | undefined
  /** The beginning of its block; undefined: it is orphaned, or the block is gone. */
  readonly block: { readonly id: BlockId; readonly begin: string } | undefined
}

/**
 * One durable revision of a document, immutable. Throws TypeError where a part is used that the
 * read did not wish.
 */
export interface DocumentView {
  readonly slug: Slug
  readonly revision: number
  readonly title: string
  readonly facts: DocumentFacts
  /** Time of the last content change, milliseconds since the epoch. */
  readonly changedAt: number
  readonly markdown: string
  /** UTF-8 of `markdown` as one JSON string literal, quotes included, in pieces. */
  markdownJson(): readonly Uint8Array[]
  /** SHA-256 of the markdown, hex. */
  contentHash(): string
  /** A fingerprint that changes exactly when the content does. */
  liveEtag(): string
  contentBlocks(): readonly ContentBlock[]
  /** `content_blocks` as JSON in pieces, without quotes of blocks. */
  contentBlocksJson(): readonly Uint8Array[]
  /** The same with the markdown of each. */
  quotedBlocksJson(): readonly Uint8Array[]
  authorship(): readonly AuthorRun[]
  /** The same as JSON. */
  authorshipJson(): readonly Uint8Array[]
  /** Everybody in it, each once. */
  authors(): readonly ActorId[]
  /** The hue of who has written in the document, 0 to 9. */
  hueOf(actor: ActorId): number | undefined
  frontMatter(): FrontMatter
  /** Those that were wished and in which anything stands, the newest first. */
  threads(): readonly PlacedThread[]
  /** The same with what is counted of all threads. */
  wishedThreads(): WishedThreads
  excerptOf(thread: ThreadId): Excerpt | undefined
  /** Who spoke last in the newest threads, first. */
  speakers(): readonly ActorId[]
  deletedComments(): DeletedPage
}

export interface ContentBlock {
  readonly id: BlockId | null
  readonly range: TextRange
}

export interface AuthorRun {
  readonly from: number
  readonly to: number
  readonly author: ActorId
}
