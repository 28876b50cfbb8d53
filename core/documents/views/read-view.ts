/**
 * The view that callers of a read get, made of the data that was sent for it. It knows no document:
 * what the data lacks was not wished.
 */
import type { ActorId, Slug, ThreadId } from '../../../schema/ids.ts'
import type { FrontMatter } from '../../../schema/okf.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { DeletedPage } from '../threads/deleted-comments.ts'
import type { PlacedThread } from '../threads/placed.ts'
import type { WishedThreads } from '../threads/thread-wish.ts'
import { liveEtagOf } from './content-hash.ts'
import type { AuthorRun, ContentBlock, DocumentView, Excerpt, ViewData } from './document-view.ts'

export class ReadView implements DocumentView {
  readonly #data: ViewData

  constructor(data: ViewData) {
    this.#data = data
  }

  get slug(): Slug {
    return this.#data.facts.slug
  }

  get revision(): number {
    return this.#data.revision
  }

  get title(): string {
    return this.#data.title
  }

  get facts(): DocumentFacts {
    return this.#data.facts
  }

  get changedAt(): number {
    return this.#data.changedAt
  }

  get markdown(): string {
    return this.#wished('markdown')
  }

  markdownJson(): readonly Uint8Array[] {
    return this.#wished('markdownJson')
  }

  contentHash(): string {
    return this.#wished('contentHash')
  }

  liveEtag(): string {
    return liveEtagOf(this.contentHash())
  }

  contentBlocks(): readonly ContentBlock[] {
    return parsed(this.contentBlocksJson())
  }

  contentBlocksJson(): readonly Uint8Array[] {
    return this.#wished('contentBlocksJson')
  }

  quotedBlocksJson(): readonly Uint8Array[] {
    return this.#wished('quotedBlocksJson')
  }

  authorship(): readonly AuthorRun[] {
    return parsed(this.authorshipJson())
  }

  authorshipJson(): readonly Uint8Array[] {
    return this.#wished('authorshipJson')
  }

  authors(): readonly ActorId[] {
    return this.#wished('authors')
  }

  hueOf(actor: ActorId): number | undefined {
    return this.#wished('hues').get(actor)
  }

  frontMatter(): FrontMatter {
    return this.#wished('frontMatter')
  }

  threads(): readonly PlacedThread[] {
    return this.wishedThreads().threads
  }

  wishedThreads(): WishedThreads {
    return this.#wished('threads')
  }

  excerptOf(thread: ThreadId): Excerpt | undefined {
    return this.#wished('excerpts').find((one) => one.thread === thread)
  }

  speakers(): readonly ActorId[] {
    return this.#wished('speakers')
  }

  deletedComments(): DeletedPage {
    return this.#wished('deletedComments')
  }

  #wished<Part extends keyof ViewData>(part: Part): NonNullable<ViewData[Part]> {
    const told = this.#data[part]
    if (told === undefined) throw new TypeError(`the read did not ask for ${part}`)
    return told as NonNullable<ViewData[Part]>
  }
}

const parsed = (pieces: readonly Uint8Array[]) => JSON.parse(Buffer.concat(pieces).toString())
