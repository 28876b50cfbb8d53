/**
 * Plain reads of documents that are not in memory, answered from the views that they left behind,
 * one after the other in fair order: many of large documents leave others their time. Keeps the
 * last ones, within a bound; what is being read is bounded together with what is open.
 */
import { LRUCache } from 'lru-cache'
import { docFarThreads, docHead, docView } from '../../../persistence/keys.ts'
import { type Store, StoreDamage } from '../../../persistence/store.ts'
import type { Source } from '../../../schema/fair-line.ts'
import type { ActorId, BlockId, Slug } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { type FrontMatter, readFrontMatter } from '../../../schema/okf.ts'
import { undamaged } from '../../commit/damage.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { decodeHead, factsOf, type Head } from '../../commit/head.ts'
import { chainHash } from '../../commit/log-record.ts'
import type { FairWork } from '../live/fair-work.ts'
import type { PlacedThread } from '../threads/placed.ts'
import type { Thread } from '../threads/thread.ts'
import { chosenBy } from '../threads/thread-wish.ts'
import type { ContentBlock, ReadWish, ViewData } from '../views/document-view.ts'
import { type StoredThread, storedThreads } from '../views/stored-threads.ts'
import { decodeView, type StoredContent, viewFormat } from '../views/stored-view.ts'
import { viewData, type WholeView } from '../views/view-data.ts'
import { assertInService } from './load.ts'
import type { Memory } from './memory.ts'

/** What is kept of documents that were read and are not open. */
const storedViewsMaxBytes = 16 * 1024 * 1024

/** What threads cost as objects, in lengths of their JSON, about. */
const parsedThreadsCost = 3

/** What a text costs once it is decoded, in lengths of its JSON, at most. */
const decodedTextCost = 2

/** While it is read it is there twice. */
const whileRead = 2

/** What is known of one view. */
interface CachedView {
  readonly content: StoredContent
  readonly threads: readonly StoredThread[]
  /** Once somebody asked for threads that lie there. */
  far: Uint8Array | undefined
  /** Once somebody asked for text: to decode it takes a millisecond and more for each megabyte. */
  markdown: string | undefined
}

export class StoredViews {
  readonly #store: Store
  readonly #memory: Memory
  readonly #fair: FairWork
  readonly #kept = new LRUCache<string, CachedView>({ maxSize: storedViewsMaxBytes })
  readonly #underWay = new Map<string, Promise<CachedView | undefined>>()

  constructor(store: Store, memory: Memory, fair: FairWork) {
    this.#store = store
    this.#memory = memory
    this.#fair = fair
  }

  /**
   * What is wished of the document as it is stored at the moment; undefined: it has to be opened.
   * Refuses DOC_DAMAGED where it is out of service, and UNAVAILABLE when there is no memory for it.
   */
  async read(slug: Slug, wish: ReadWish, source: Source): Promise<ViewData | undefined> {
    const view = await this.#view(slug, source, (kept) => needsFar(kept, wish))
    return view && this.#fair.run({ slug, ...source }, () => viewData(view, wish))
  }

  /** Undefined: only the document can tell, which also knows of blocks that are gone. */
  async block(slug: Slug, id: BlockId, source: Source): Promise<StoredBlock | undefined> {
    const view = await this.#view(slug, source, () => false)
    return view && this.#fair.run({ slug, ...source }, () => blockOf(view, id))
  }

  /** `isFarNeeded`: whether it takes the threads that lie in a record of their own. */
  async #view(
    slug: Slug,
    source: Source,
    isFarNeeded: (kept: CachedView) => boolean,
  ): Promise<StoredView | undefined> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    const head = stored && decodeHead(slug, stored.value)
    if (head?.view?.format !== viewFormat) return undefined
    const key = `${slug}/${head.view.hash}`
    const kept =
      this.#kept.get(key) ?? (await this.#once(key, () => this.#load(slug, head, source)))
    if (kept === undefined) return undefined
    const isWhole =
      !isFarNeeded(kept) ||
      (await this.#once(`${key}/far`, () => this.#loadFar(slug, kept, source))) !== undefined
    if (!isWhole) return undefined
    this.#kept.set(key, kept, { size: sizeOf(kept, head.view.bytes) })
    return new StoredView(kept, { facts: factsOf(slug, head), at: head.changedAt })
  }

  forget(slug: Slug): void {
    for (const key of this.#kept.keys()) if (key.startsWith(`${slug}/`)) this.#kept.delete(key)
  }

  async #load(slug: Slug, { view }: Head, source: Source): Promise<CachedView | undefined> {
    if (view === undefined) return undefined
    const value = await this.#valueOf(slug, docView(slug), { ...view, source })
    const content = value && decodeView(value)
    if (content === undefined) return undefined
    const kept: CachedView = {
      content,
      threads: storedThreads(content.threads, () => kept.far),
      far: undefined,
      markdown: undefined,
    }
    return kept
  }

  async #loadFar(slug: Slug, kept: CachedView, source: Source): Promise<CachedView | undefined> {
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

  #once(key: string, load: () => Promise<CachedView | undefined>): Promise<CachedView | undefined> {
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const loading = load().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, loading)
    return loading
  }
}

function needsFar({ threads, far }: CachedView, wish: ReadWish): boolean {
  const isAnyFar = (some: readonly StoredThread[]) => some.some(({ isFar }) => isFar)
  if (far !== undefined || !isAnyFar(threads)) return false
  if (wish.deletedComments !== undefined) return true
  const standing = threads.filter(({ isStanding }) => isStanding)
  if (wish.speakers !== undefined) return isAnyFar(standing)
  return wish.threads !== undefined && isAnyFar(chosenBy(wish.threads, standing))
}

function sizeOf({ content, far }: CachedView, bytes: number): number {
  const { rows, near } = content.threads
  const threads = rows.length + near.length + (far?.length ?? 0)
  const text = content.markdownJson.length * decodedTextCost
  return bytes + text + (far?.length ?? 0) + threads * parsedThreadsCost
}

/** A block that stands, with its markdown. */
export interface StoredBlock {
  readonly kind: 'block'
  readonly id: BlockId
  readonly revision: number
  readonly range: TextRange
  readonly quote: string
}

function blockOf(view: StoredView, id: BlockId): StoredBlock | undefined {
  const range = view.rangeOfBlock(id)
  if (range === undefined) return undefined
  const quote = view.slice(range.from, range.to)
  return { kind: 'block', id, revision: view.revision, range, quote }
}

class StoredView implements WholeView {
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly #kept: CachedView

  constructor(
    kept: CachedView,
    { facts, at }: { readonly facts: DocumentFacts; readonly at: number },
  ) {
    this.facts = facts
    this.changedAt = at
    this.#kept = kept
  }

  get #content(): StoredContent {
    return this.#kept.content
  }

  get revision(): number {
    return this.#content.revision
  }

  get title(): string {
    return this.#content.title
  }

  get markdown(): string {
    this.#kept.markdown ??= fromJson(this.#content.markdownJson) as string
    return this.#kept.markdown
  }

  slice(from: number, to: number): string {
    return this.markdown.slice(from, to)
  }

  /** Without parsing the other blocks. */
  rangeOfBlock(id: BlockId): TextRange | undefined {
    const { blocksJson } = this.#content
    const json = bufferOf(blocksJson)
    const at = json.indexOf(`{"id":"${id}",`)
    if (at < 0) return undefined
    const block: ContentBlock = fromJson(json.subarray(at, json.indexOf('}}', at) + 2))
    return block.range
  }

  markdownJson(): readonly Uint8Array[] {
    return [this.#content.markdownJson]
  }

  contentHash(): string {
    return this.#content.contentHash
  }

  contentBlocks(): readonly ContentBlock[] {
    return fromJson(this.#content.blocksJson)
  }

  contentBlocksJson(): readonly Uint8Array[] {
    return [this.#content.blocksJson]
  }

  authorshipJson(): readonly Uint8Array[] {
    return [this.#content.authorshipJson]
  }

  authors(): readonly ActorId[] {
    return this.#content.authors
  }

  get hues(): ReadonlyMap<ActorId, number> {
    return this.#content.writers.all
  }

  frontMatter(): FrontMatter {
    return readFrontMatter(this.markdown)
  }

  standingThreads(): readonly PlacedThread[] {
    return this.#kept.threads.filter(({ isStanding }) => isStanding)
  }

  *allThreads(): Iterable<Thread> {
    for (const { thread } of this.#kept.threads) yield thread
  }
}

const fromJson = (bytes: Uint8Array) => JSON.parse(bufferOf(bytes).toString())

/** Of the same memory. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)
