/**
 * Plain reads of documents that are not in memory, answered from the views that they left behind.
 * Keeps the last ones, within a bound; what is being read is bounded together with what is open.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { docHead, docView } from '../../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../../persistence/store.ts'
import type { Source } from '../../../schema/fair-line.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { undamaged } from '../../commit/damage.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { decodeHead, factsOf, type Head } from '../../commit/head.ts'
import { chainHash } from '../../commit/log-record.ts'
import type { AuthorRun, ContentBlock, DocumentView } from '../views/document-view.ts'
import { decodeView, type ViewContent } from '../views/stored-view.ts'
import { liveEtagOf } from '../views/text-view.ts'
import { assertInService } from './load.ts'
import type { Memory } from './memory.ts'

/** Of the stored bytes: what is read, the content, and both as JSON. */
const costPerByte = 4
/** A block or a run as an object. */
const costPerObject = 120

export class StoredViews {
  readonly #store: Store
  readonly #memory: Memory
  readonly #kept = new LRUCache<string, StoredContent>({
    maxSize: limits.storedViewsMaxBytes,
    sizeCalculation: ({ cost }) => cost,
  })
  readonly #underWay = new Map<string, Promise<StoredContent | undefined>>()

  constructor(store: Store, memory: Memory) {
    this.#store = store
    this.#memory = memory
  }

  /**
   * The document as it is stored at the moment; undefined: it has to be opened. Refuses DOC_DAMAGED
   * where it is out of service, and UNAVAILABLE when there is no memory for it.
   */
  async read(slug: Slug, source: Source): Promise<DocumentView | undefined> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    const head = stored && decodeHead(slug, stored.value)
    if (head?.view === undefined) return undefined
    const key = `${slug}/${head.view.hash}`
    const content =
      this.#kept.get(key) ?? (await this.#once(key, () => this.#load(slug, head, source)))
    if (content === undefined) return undefined
    this.#kept.set(key, content)
    return new StoredView(factsOf(slug, head), head.changedAt, content)
  }

  async #load(slug: Slug, { view }: Head, source: Source): Promise<StoredContent | undefined> {
    if (view === undefined) return undefined
    const bytes = view.bytes * costPerByte
    const share = await this.#memory.reserve({ bytes, source, refusal: 'UNAVAILABLE' })
    try {
      await undamaged(slug, () => assertInService(this.#store, slug))
      const value = await this.#valueOf(slug)
      // Another one by now, or damaged: the document itself tells.
      if (value === undefined || chainHash(value) !== view.hash) return undefined
      const content = decodeView(value)
      return content && new StoredContent(content, value.length)
    } finally {
      share.release()
    }
  }

  async #valueOf(slug: Slug): Promise<Uint8Array | undefined> {
    try {
      return (await this.#store.get(docView(slug)))?.value
    } catch (error) {
      if (error instanceof StoreDamage) return undefined
      throw error
    }
  }

  #once(
    key: string,
    load: () => Promise<StoredContent | undefined>,
  ): Promise<StoredContent | undefined> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const loading = load().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, loading)
    return loading
  }
}

/** What one view says, and that as JSON once it was asked. */
class StoredContent {
  readonly said: ViewContent
  /** In memory, about, in bytes. */
  readonly cost: number
  #hash: string | undefined
  #markdownJson: readonly Uint8Array[] | undefined
  #blocksJson: readonly Uint8Array[] | undefined

  constructor(said: ViewContent, storedBytes: number) {
    this.said = said
    this.cost =
      storedBytes * costPerByte + (said.blocks.length + said.authorship.length) * costPerObject
  }

  get hash(): string {
    this.#hash ??= createHash('sha256').update(this.said.markdown).digest('hex')
    return this.#hash
  }

  markdownJson(): readonly Uint8Array[] {
    this.#markdownJson ??= [Buffer.from(JSON.stringify(this.said.markdown))]
    return this.#markdownJson
  }

  blocksJson(): readonly Uint8Array[] {
    this.#blocksJson ??= [Buffer.from(JSON.stringify(this.said.blocks))]
    return this.#blocksJson
  }
}

class StoredView implements DocumentView {
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly #content: StoredContent

  constructor(facts: DocumentFacts, changedAt: number, content: StoredContent) {
    this.facts = facts
    this.changedAt = changedAt
    this.#content = content
  }

  get slug(): Slug {
    return this.facts.slug
  }

  get revision(): number {
    return this.#content.said.revision
  }

  get title(): string {
    return this.#content.said.title
  }

  get markdown(): string {
    return this.#content.said.markdown
  }

  markdownJson(): readonly Uint8Array[] {
    return this.#content.markdownJson()
  }

  contentHash(): string {
    return this.#content.hash
  }

  liveEtag(): string {
    return liveEtagOf(this.#content.hash)
  }

  contentBlocks(): readonly ContentBlock[] {
    return this.#content.said.blocks
  }

  contentBlocksJson(): readonly Uint8Array[] {
    return this.#content.blocksJson()
  }

  authorship(): readonly AuthorRun[] {
    return this.#content.said.authorship
  }
}
