/**
 * Plain reads of documents that are not in memory, answered from the views that they left behind.
 * Keeps the last ones, within a bound; what is being read is bounded together with what is open.
 */
import { LRUCache } from 'lru-cache'
import { docFarThreads, docHead, docView } from '../../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../../persistence/store.ts'
import type { Source } from '../../../schema/fair-line.ts'
import type { ActorId, BlockId, Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { undamaged } from '../../commit/damage.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { decodeHead, factsOf, type Head } from '../../commit/head.ts'
import { chainHash } from '../../commit/log-record.ts'
import type { PlacedThread, ThreadChoice } from '../threads/placed.ts'
import { type DeletedComment, deletedIn } from '../threads/thread.ts'
import type { AuthorRun, ContentBlock, DocumentView } from '../views/document-view.ts'
import { type StoredThread, storedThreads } from '../views/stored-threads.ts'
import { decodeView, type StoredContent, viewFormat } from '../views/stored-view.ts'
import { liveEtagOf } from '../views/text-view.ts'
import { assertInService } from './load.ts'
import type { Memory } from './memory.ts'

/** What threads cost as objects, in lengths of their JSON, about. */
const parsedThreadsCost = 3

/** While it is read it is there twice. */
const whileRead = 2

/** What is known of one view. */
interface Kept {
  readonly content: StoredContent
  readonly threads: readonly StoredThread[]
  /** Once somebody asked for threads that lie there. */
  far: Uint8Array | undefined
}

export class StoredViews {
  readonly #store: Store
  readonly #memory: Memory
  readonly #kept = new LRUCache<string, Kept>({ maxSize: limits.storedViewsMaxBytes })
  readonly #underWay = new Map<string, Promise<Kept | undefined>>()

  constructor(store: Store, memory: Memory) {
    this.#store = store
    this.#memory = memory
  }

  /**
   * The document as it is stored at the moment, with the threads that are wanted (default: all);
   * undefined: it has to be opened. Refuses DOC_DAMAGED where it is out of service, and UNAVAILABLE
   * when there is no memory for it.
   */
  async read(
    slug: Slug,
    source: Source,
    choice: ThreadChoice = (all) => all,
  ): Promise<DocumentView | undefined> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    const head = stored && decodeHead(slug, stored.value)
    if (head?.view?.format !== viewFormat) return undefined
    const key = `${slug}/${head.view.hash}`
    const kept =
      this.#kept.get(key) ?? (await this.#once(key, () => this.#load(slug, head, source)))
    if (kept === undefined) return undefined
    const isWhole =
      !needsFar(kept, choice) ||
      (await this.#once(`${key}/far`, () => this.#loadFar(slug, kept, source))) !== undefined
    if (!isWhole) return undefined
    this.#kept.set(key, kept, { size: sizeOf(kept, head.view.bytes) })
    return new StoredView(kept, { facts: factsOf(slug, head), at: head.changedAt })
  }

  forget(slug: Slug): void {
    for (const key of this.#kept.keys()) if (key.startsWith(`${slug}/`)) this.#kept.delete(key)
  }

  async #load(slug: Slug, { view }: Head, source: Source): Promise<Kept | undefined> {
    if (view === undefined) return undefined
    const value = await this.#valueOf(slug, docView(slug), { ...view, source })
    const content = value && decodeView(value)
    if (content === undefined) return undefined
    const kept: Kept = {
      content,
      threads: storedThreads(content.threads, () => kept.far),
      far: undefined,
    }
    return kept
  }

  async #loadFar(slug: Slug, kept: Kept, source: Source): Promise<Kept | undefined> {
    const { far } = kept.content
    if (far === undefined) return undefined
    kept.far = await this.#valueOf(slug, docFarThreads(slug), { ...far, source })
    return kept.far && kept
  }

  /** Undefined: another one by now, or damaged; the document itself tells. */
  async #valueOf(
    slug: Slug,
    key: string,
    { hash, bytes, source }: { readonly hash: string; readonly bytes: number; source: Source },
  ): Promise<Uint8Array | undefined> {
    const asked = { bytes: bytes * whileRead, source, refusal: 'UNAVAILABLE' } as const
    const share = await this.#memory.reserve(asked)
    try {
      await undamaged(slug, () => assertInService(this.#store, slug))
      const value = (await this.#store.get(key))?.value
      return value !== undefined && chainHash(value) === hash ? value : undefined
    } catch (error) {
      if (error instanceof StoreDamage) return undefined
      throw error
    } finally {
      share.release()
    }
  }

  #once(key: string, load: () => Promise<Kept | undefined>): Promise<Kept | undefined> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const loading = load().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, loading)
    return loading
  }
}

function needsFar({ threads, far }: Kept, choice: ThreadChoice): boolean {
  if (far !== undefined || threads.every(({ isFar }) => !isFar)) return false
  const wanted = new Set(choice(threads.map(({ summary }) => summary)))
  return threads.some(({ isFar, summary }) => isFar && wanted.has(summary))
}

function sizeOf({ content, far }: Kept, bytes: number): number {
  const { rows, near } = content.threads
  const threads = rows.length + near.length + (far?.length ?? 0)
  return bytes + (far?.length ?? 0) + threads * parsedThreadsCost
}

class StoredView implements DocumentView {
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly #content: StoredContent
  readonly #threads: readonly StoredThread[]
  #markdown: string | undefined

  constructor(
    { content, threads }: Kept,
    { facts, at }: { readonly facts: DocumentFacts; readonly at: number },
  ) {
    this.facts = facts
    this.changedAt = at
    this.#content = content
    this.#threads = threads
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
    return this.#threads.filter(({ isStanding }) => isStanding)
  }

  deletedComments(): readonly DeletedComment[] {
    return deletedIn(this.#threads.map(({ thread }) => thread))
  }

  hueOf(actor: ActorId): number | undefined {
    return this.#content.writers.hueOf(actor)
  }
}

const fromJson = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
