/**
 * One revision of a document as readers get it: immutable, costly parts computed once when asked
 * and kept; bytes of unchanged chunks are shared between the views of one document.
 */
import type { Node } from 'prosemirror-model'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import type { DocumentText, TextChunk } from '../../../schema/markdown/document-text.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { documentRuns } from '../../../schema/markdown/runs.ts'
import { titleOf } from '../../../schema/markdown/title.ts'
import { type FrontMatter, readFrontMatter } from '../../../schema/okf.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { Writers } from '../authorship/hues.ts'
import { type PlacedThread, placedThreads } from '../threads/placed.ts'
import { isStanding, type Thread } from '../threads/thread.ts'
import type { BlockListing } from './block-listing.ts'
import { contentHashOfChunks } from './content-hash.ts'
import type { AuthorRun, ContentBlock, ReadWish, ViewData } from './document-view.ts'
import { encodeThreads } from './stored-threads.ts'
import type { ViewToStore } from './stored-view.ts'
import { viewData, type WholeView } from './view-data.ts'

/** UTF-8 of a chunk's text escaped for JSON, without the quotes. */
export class EscapedChunks {
  readonly #bytes = new WeakMap<TextChunk, Uint8Array>()

  #escaped(chunk: TextChunk): Uint8Array {
    const known = this.#bytes.get(chunk)
    if (known !== undefined) return known
    const bytes = Buffer.from(JSON.stringify(chunk.text).slice(1, -1))
    this.#bytes.set(chunk, bytes)
    return bytes
  }

  escape(text: DocumentText): readonly Uint8Array[] {
    return [quote, ...text.chunks.map((chunk) => this.#escaped(chunk)), quote]
  }
}

const quote = Buffer.from('"')

/** What a revision's text does not say of it. */
export interface RevisionMoment {
  readonly revision: number
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly writers: Writers
  /** The newest first. */
  readonly threads: readonly Thread[]
}

/** What the views of one document share. */
export interface ViewSource {
  readonly escaped: EscapedChunks
  readonly listing: BlockListing
  readonly leafAuthor: (leaf: Node) => ActorId | undefined
}

export class TextView implements WholeView {
  readonly revision: number
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly writers: Writers
  readonly text: DocumentText
  readonly #source: ViewSource
  #title: string | undefined
  #hash: string | undefined
  #blocks: readonly ContentBlock[] | undefined
  #blocksJson: readonly Uint8Array[] | undefined
  #runs: readonly AuthorRun[] | undefined
  #frontMatter: FrontMatter | undefined
  #threads: readonly PlacedThread[] | undefined
  readonly #moment: RevisionMoment

  constructor(text: DocumentText, moment: RevisionMoment, source: ViewSource) {
    const { revision, facts, changedAt, writers } = moment
    this.#moment = moment
    this.#source = source
    this.text = text
    this.revision = revision
    this.facts = facts
    this.changedAt = changedAt
    this.writers = writers
  }

  /** The same revision as it would read with another text (a dry run). */
  withText(text: DocumentText): TextView {
    return new TextView(text, this.#moment, this.#source)
  }

  /** Whether it says of its text what is so at that moment. */
  isOf({ revision, threads }: RevisionMoment): boolean {
    return revision === this.revision && threads === this.#moment.threads
  }

  telling(wish: ReadWish): ViewData {
    return viewData(this, wish)
  }

  get title(): string {
    this.#title ??= titleOf(this.text)
    return this.#title
  }

  get markdown(): string {
    return this.text.toString()
  }

  slice(from: number, to: number): string {
    return this.text.slice(from, to)
  }

  rangeOfBlock(id: BlockId): TextRange | undefined {
    const block = this.text.findBlock(id)
    return block && { from: block.from, to: block.to }
  }

  markdownJson(): readonly Uint8Array[] {
    return this.#source.escaped.escape(this.text)
  }

  contentHash(): string {
    this.#hash ??= contentHashOfChunks(this.text)
    return this.#hash
  }

  contentBlocks(): readonly ContentBlock[] {
    this.#blocks ??= this.#source.listing.list(this.text)
    return this.#blocks
  }

  contentBlocksJson(): readonly Uint8Array[] {
    this.#blocksJson ??= this.#source.listing.listJson(this.text)
    return this.#blocksJson
  }

  authorship(): readonly AuthorRun[] {
    this.#runs ??= documentRuns(this.text, this.#source.leafAuthor) as readonly AuthorRun[]
    return this.#runs
  }

  authorshipJson(): readonly Uint8Array[] {
    return [Buffer.from(JSON.stringify(this.authorship()))]
  }

  authors(): readonly ActorId[] {
    return [...new Set(this.authorship().map(({ author }) => author))]
  }

  get hues(): ReadonlyMap<ActorId, number> {
    return this.writers.all
  }

  frontMatter(): FrontMatter {
    this.#frontMatter ??= readFrontMatter(this.markdown)
    return this.#frontMatter
  }

  standingThreads(): readonly PlacedThread[] {
    return this.#placed().filter(({ thread }) => isStanding(thread))
  }

  allThreads(): readonly Thread[] {
    return this.#moment.threads
  }

  /** Those of which nothing stands, too. */
  #placed(): readonly PlacedThread[] {
    this.#threads ??= placedThreads(this.text, this.#moment.threads)
    return this.#threads
  }

  /** All that plain reads are told of it. */
  describe(): ViewToStore {
    return {
      revision: this.revision,
      title: this.title,
      contentHash: this.contentHash(),
      authors: this.authors(),
      writers: this.writers,
      markdownJson: this.markdownJson(),
      blocksJson: this.contentBlocksJson(),
      authorshipJson: this.authorshipJson(),
      threads: encodeThreads(this.#placed()),
    }
  }
}
