/**
 * Plain reads of documents that are not in memory, answered from the views that they left behind.
 * Keeps the last ones, within a bound; what is being read is bounded together with what is open.
 */
import { LRUCache } from 'lru-cache'
import { docHead, docView } from '../../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../../persistence/store.ts'
import type { Source } from '../../../schema/fair-line.ts'
import type { ActorId, BlockId, Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { undamaged } from '../../commit/damage.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { decodeHead, factsOf, type Head } from '../../commit/head.ts'
import { chainHash } from '../../commit/log-record.ts'
import type { PlacedThread } from '../threads/placed.ts'
import { type DeletedComment, deletedIn, isStanding } from '../threads/thread.ts'
import type { AuthorRun, ContentBlock, DocumentView } from '../views/document-view.ts'
import { decodeView, type StoredContent } from '../views/stored-view.ts'
import { liveEtagOf } from '../views/text-view.ts'
import { assertInService } from './load.ts'
import type { Memory } from './memory.ts'

/** What threads cost as objects, in lengths of their JSON, about. */
const parsedThreadsCost = 3

/** While it is read it is there twice. */
const whileRead = 2

export class StoredViews {
  readonly #store: Store
  readonly #memory: Memory
  readonly #kept = new LRUCache<string, StoredContent>({
    maxSize: limits.storedViewsMaxBytes,
  })
  /** Parsed once for all reads of a view that is kept. */
  readonly #threads = new WeakMap<StoredContent, readonly PlacedThread[]>()
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
    const { length } = content.threadsJson
    this.#kept.set(key, content, { size: head.view.bytes + length * parsedThreadsCost })
    const threads = () => this.#threadsOf(content)
    return new StoredView(content, { facts: factsOf(slug, head), at: head.changedAt, threads })
  }

  #threadsOf(content: StoredContent): readonly PlacedThread[] {
    const { threadsJson } = content
    const threads =
      this.#threads.get(content) ?? (threadsJson.length === 0 ? [] : fromJson(threadsJson))
    this.#threads.set(content, threads)
    return threads
  }

  forget(slug: Slug): void {
    for (const key of this.#kept.keys()) if (key.startsWith(`${slug}/`)) this.#kept.delete(key)
  }

  async #load(slug: Slug, { view }: Head, source: Source): Promise<StoredContent | undefined> {
    if (view === undefined) return undefined
    const bytes = view.bytes * whileRead
    const share = await this.#memory.reserve({ bytes, source, refusal: 'UNAVAILABLE' })
    try {
      await undamaged(slug, () => assertInService(this.#store, slug))
      const value = await this.#valueOf(slug)
      // Another one by now, or damaged: the document itself tells.
      if (value === undefined || chainHash(value) !== view.hash) return undefined
      return decodeView(value)
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

class StoredView implements DocumentView {
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly #content: StoredContent
  readonly #allThreads: () => readonly PlacedThread[]
  #markdown: string | undefined

  constructor(
    content: StoredContent,
    of: {
      readonly facts: DocumentFacts
      readonly at: number
      readonly threads: () => readonly PlacedThread[]
    },
  ) {
    this.facts = of.facts
    this.changedAt = of.at
    this.#content = content
    this.#allThreads = of.threads
  }

  get slug(): Slug {
    return this.facts.slug
  }

  get revision(): number {
    return this.#content.revision
  }

  get title(): string {
    return this.#content.title
  }

  get markdown(): string {
    this.#markdown ??= fromJson(this.#content.markdownJson) as string
    return this.#markdown
  }

  slice(from: number, to: number): string {
    return this.markdown.slice(from, to)
  }

  rangeOfBlock(id: BlockId): ContentBlock['range'] | undefined {
    return this.contentBlocks().find((block) => block.id === id)?.range
  }

  markdownJson(): readonly Uint8Array[] {
    return [this.#content.markdownJson]
  }

  contentHash(): string {
    return this.#content.contentHash
  }

  liveEtag(): string {
    return liveEtagOf(this.#content.contentHash)
  }

  contentBlocks(): readonly ContentBlock[] {
    return fromJson(this.#content.blocksJson)
  }

  contentBlocksJson(): readonly Uint8Array[] {
    return [this.#content.blocksJson]
  }

  authorship(): readonly AuthorRun[] {
    return fromJson(this.#content.authorshipJson)
  }

  authorshipJson(): readonly Uint8Array[] {
    return [this.#content.authorshipJson]
  }

  authors(): readonly ActorId[] {
    return this.#content.authors
  }

  threads(): readonly PlacedThread[] {
    return this.#allThreads().filter(({ thread }) => isStanding(thread))
  }

  deletedComments(): readonly DeletedComment[] {
    return deletedIn(this.#allThreads().map(({ thread }) => thread))
  }

  hueOf(actor: ActorId): number | undefined {
    return this.#content.writers.hueOf(actor)
  }
}

const fromJson = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
