/**
 * The documents of one store: create, read, edit, connect. The composition of registry, open
 * documents and idempotency; every method either did all it says, durably, or refused and did
 * nothing.
 */

import { docHead } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { isBlockId, type Slug } from '../../schema/ids.ts'
import { type Limits, limits as ours } from '../../schema/limits.ts'
import { costOfMarkdown } from '../../schema/memory-cost.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { Beside } from '../commit/beside.ts'
import { DocumentDamage, undamaged } from '../commit/damage.ts'
import { decodeHead, factsOf } from '../commit/head.ts'
import { changeBetween, rebuildText } from '../commit/history-text.ts'
import { Withdrawn } from '../commit/withdrawn.ts'
import { steadyRuntime } from '../runtime/steady-runtime.ts'
import { Rounds } from '../turns/rounds.ts'
import { SharedTurns } from '../turns/shared-turns.ts'
import { Turns } from '../turns/turns.ts'
import { Acts } from './acts.ts'
import type {
  ActedBy,
  BlockFinding,
  ByWhom,
  ChangedLife,
  Configured,
  CreateOutcome,
  CreateRequest,
  Discussion,
  DocumentFacts,
  Documents,
  DocumentView,
  FlagChanges,
  Follower,
  Following,
  IdempotencyClaim,
  LifeChange,
  LivePeer,
  LiveSession,
  Past,
  PatchOutcome,
  PatchRequest,
  Permission,
  PlannedRecords,
  ReadWish,
  Retirement,
  RevertRequest,
  Sources,
  ViewData,
} from './contract.ts'
import { type CreateMakers, createDocument, replayCreate, unnamed, whileBuilt } from './creating.ts'
import { discussionOf } from './discussion.ts'
import { findBlock } from './find-block.ts'
import { pastOf } from './history/past.ts'
import { documentOf, Idempotency } from './idempotency.ts'
import { Budgets } from './live/budgets.ts'
import { PeerSession } from './live/live-session.ts'
import { loadDocument, weighStored } from './open/load.ts'
import type { Share } from './open/memory.ts'
import { OpenDocument, type OpenDocumentParts } from './open/open-document.ts'
import { OpeningAhead } from './open/opening-ahead.ts'
import { Registry } from './open/registry.ts'
import { StoredViews } from './open/stored-views.ts'
import { patchDocument, replayPatch } from './patch.ts'
import { retireDocument } from './retire.ts'
import { ReadView } from './views/read-view.ts'

export interface DocumentsParts {
  readonly store: Store
  readonly runtime: Runtime
  /** What open documents may cost in memory together; limits.memoryMaxBytes when left out. */
  readonly memoryMaxBytes?: number
  /** What of it is to be used where documents can leave for it; all when left out. */
  readonly memoryAimBytes?: number
  /** What a document's canonical markdown may have; limits.markdownMaxBytes when left out. */
  readonly markdownMaxBytes?: number
  /** Those of schema/limits.ts when left out. */
  readonly limits?: Limits | undefined
  /** Told of every document that had to be dropped, or of a sweep that failed (for the log). */
  readonly onTrouble: (trouble: { readonly slug?: Slug; readonly error: unknown }) => void
}

const sweepEveryMs = 3_600_000

/** How often a request begins anew because of others' in the same commits. */
const attemptsMax = 8

/** Who comes while it is being archived is sent away with the others. Refuses DOC_ARCHIVED. */
function assertActive({ facts }: OpenDocument): void {
  if (facts.life.state !== 'active') throw new Refusal('DOC_ARCHIVED')
}

export function openDocuments(parts: DocumentsParts): Documents {
  return new StoredDocuments(parts)
}

class StoredDocuments implements Documents {
  readonly #parts: DocumentsParts
  readonly #store: Store
  readonly #registry: Registry
  /** What all open documents are given alike. */
  readonly #shared: Pick<OpenDocumentParts, 'runtime' | 'rounds' | 'markdownMaxBytes' | 'limits'>
  readonly #idempotency: Idempotency
  readonly #storedViews: StoredViews
  readonly #budgets: Budgets
  readonly #sessionTurns: SharedTurns
  readonly #acts: Acts
  readonly #makers: CreateMakers
  readonly #ahead: OpeningAhead
  readonly past: Past
  readonly discussion: Discussion
  #sweep: Timer

  constructor(parts: DocumentsParts) {
    const { store, runtime, limits = ours, markdownMaxBytes = limits.markdownMaxBytes } = parts
    const { memoryMaxBytes = limits.memoryMaxBytes } = parts
    this.#parts = parts
    this.#shared = { runtime, markdownMaxBytes, limits, rounds: new Rounds(runtime) }
    this.#store = store
    this.#budgets = new Budgets(runtime)
    this.#sessionTurns = new SharedTurns(runtime)
    const steady = steadyRuntime(runtime)
    this.#idempotency = new Idempotency(store, steady)
    this.#acts = new Acts((slug, by, work) => this.#using(slug, by, work), steady)
    this.#registry = new Registry({
      runtime,
      limits,
      memoryMaxBytes,
      memoryAimBytes: parts.memoryAimBytes,
      weigh: (slug) => weighStored(store, slug),
      load: async (slug, hooks, { memory, peers, unstored }) => {
        const loaded = await loadDocument(store, slug, { runtime, limits })
        if (memory !== undefined) {
          loaded.state.recall(memory, (holder) => peers?.has(holder) === true)
        }
        return new OpenDocument({ ...loaded, ...this.#shared, peers, unstored, ...hooks })
      },
      onDead: (slug, error) => parts.onTrouble({ slug, error }),
    })
    this.#makers = {
      store,
      runtime,
      markdownMaxBytes,
      memory: this.#registry.memory,
      idempotency: this.#idempotency,
      onTrouble: parts.onTrouble,
    }
    this.#ahead = new OpeningAhead({
      runtime,
      hasRoomFor: (bytes) => this.#registry.memory.hasRoomFor(bytes),
      open: (slug) => this.#registry.use(slug, unnamed, () => undefined),
    })
    this.past = pastOf({
      store,
      runtime,
      settled: (slug, sources) => this.#settled(slug, sources),
      read: (slug, wish, sources) => this.read(slug, wish, sources),
      name: (slug, revision, given) => this.#acts.name(slug, revision, given),
    })
    this.discussion = discussionOf({
      runtime,
      markdownMaxBytes,
      idempotency: this.#idempotency,
      using: (slug, by, work) => this.#using(slug, by, work),
      changedSince: (slug, revision, sources) =>
        this.past.changedSince(slug, revision, { sources: sources ?? unnamed }),
    })
    this.#storedViews = new StoredViews(store, this.#registry.memory)
    this.#sweep = this.#scheduleSweep()
  }

  get openCount(): number {
    return this.#registry.count
  }

  get memoryBytes(): number {
    return this.#registry.memory.usedBytes
  }

  aimAt(memoryBytes: number): void {
    this.#registry.memory.aimAt(memoryBytes)
  }

  create(request: CreateRequest): Promise<CreateOutcome> {
    return this.#idempotency.once(request.idempotency, 'DOC_SLUG_CONFLICT_UNVERIFIED', {
      effect: (checks) =>
        this.#ahead.creating(request, () => createDocument(request, checks, this.#makers)),
      replay: (kept) => replayCreate(kept, (at) => this.#keptText(documentOf(kept), at)),
    })
  }

  keep<Note>(
    claim: IdempotencyClaim | undefined,
    slug: Slug | undefined,
    effect: (beside: Beside<Note>) => Promise<Note>,
  ): Promise<Note> {
    return this.#idempotency.keep(claim, slug, effect)
  }

  async facts(slug: Slug): Promise<DocumentFacts> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    if (stored === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    return factsOf(slug, decodeHead(slug, stored.value))
  }

  async read(slug: Slug, wish: ReadWish, sources: Sources = unnamed): Promise<DocumentView> {
    const isAway = await this.#registry.isAway(slug)
    const stored = isAway ? await this.#storedViews.read(slug, wish, sources) : undefined
    return new ReadView(stored ?? (await this.#openData(slug, wish, sources)))
  }

  #openData(slug: Slug, wish: ReadWish, sources: Sources): Promise<ViewData> {
    return this.#using(slug, { sources }, async (document) => {
      const view = await document.exclusive.whenFree(() => document.settle())
      await document.durable()
      return view.telling(wish)
    })
  }

  async block(slug: Slug, id: string, sources: Sources = unnamed): Promise<BlockFinding> {
    const isAway = isBlockId(id) && (await this.#registry.isAway(slug))
    const stored = isAway ? await this.#storedViews.block(slug, id, sources) : undefined
    return stored ?? this.#using(slug, { sources }, (document) => findBlock(document, id))
  }

  patch(slug: Slug, request: PatchRequest): Promise<PatchOutcome> {
    const claim = request.dryRun ? undefined : request.idempotency
    return this.#idempotency.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: (checks) => this.#patch(slug, request, checks),
      replay: (kept) => replayPatch(kept, (at) => this.#keptText(documentOf(kept), at)),
    })
  }

  configure(slug: Slug, changes: FlagChanges, by: ByWhom): Promise<Configured> {
    return this.#acts.configure(slug, changes, by)
  }

  changeLife(slug: Slug, change: LifeChange, by: ByWhom): Promise<ChangedLife> {
    return this.#acts.changeLife(slug, change, by)
  }

  async retire(slug: Slug, why: Retirement = {}): Promise<void> {
    await retireDocument(this.#store, slug, { ...why, now: this.#parts.runtime.now() })
    await this.#registry.discard(slug)
    this.#storedViews.forget(slug)
  }

  record<T>(slug: Slug, by: ActedBy, plan: () => Promise<PlannedRecords<T>>): Promise<T> {
    return this.#acts.record(slug, by, plan)
  }

  revert(slug: Slug, revision: number, request: RevertRequest): Promise<PatchOutcome> {
    const claim = request.dryRun ? undefined : request.idempotency
    return this.#idempotency.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: async (checks) => {
        const wish = { authors: true, sources: request.sources ?? unnamed }
        const { markdown, authorship = [], former } = await this.past.at(slug, revision, wish)
        const edits = [{ replace_document: markdown }]
        return this.#patch(slug, { ...request, edits, back: { authorship, former } }, checks)
      },
      replay: (kept) => replayPatch(kept, (at) => this.#keptText(documentOf(kept), at)),
    })
  }

  revisionText(slug: Slug, revision: number): Promise<string | undefined> {
    const turns = new Turns(this.#parts.runtime)
    return undamaged(slug, () => rebuildText(this.#store, slug, { revision, turns }))
  }

  async #settled(slug: Slug, sources: Sources): Promise<number> {
    if (await this.#registry.isAway(slug)) {
      const head = await undamaged(slug, () => this.#store.get(docHead(slug)))
      if (head !== undefined) return decodeHead(slug, head.value).revision
    }
    return this.#using(slug, { sources }, async (document) => {
      const { revision } = await document.exclusive.whenFree(() => document.settle())
      await document.durable()
      return revision
    })
  }

  connect(slug: Slug, peer: LivePeer): Promise<LiveSession> {
    const { runtime } = this.#parts
    const [budgets, turns] = [this.#budgets, this.#sessionTurns]
    const { sources } = peer.access()
    const lender = {
      opened: () => this.#registry.opened(slug),
      open: () => this.#registry.use(slug, sources, (document) => document),
    }
    return this.#registry.use(slug, sources, (document) => {
      if (document.isDead) throw new Refusal('UNAVAILABLE')
      assertActive(document)
      return new PeerSession({ document, lender, peer, runtime, budgets, turns })
    })
  }

  follow(slug: Slug, follower: Follower, sources: Sources = unnamed): Promise<Following> {
    return this.#using(slug, { sources }, async (document) => {
      const { revision, stop } = await document.exclusive.whenFree(() => {
        const { revision } = document.settle()
        assertActive(document)
        return { revision, stop: document.peers.follow(follower) }
      })
      await document.durable()
      // They stay when the document goes dormant.
      const { peers } = document
      return {
        revision,
        current: () => peers.current.revision,
        stop: () => {
          stop()
          peers.left()
        },
      }
    })
  }

  async close(): Promise<void> {
    this.#sweep.cancel()
    this.#ahead.stop()
    this.#budgets.close()
    await this.#registry.close()
  }

  /**
   * Works with the open document; from the start again where something else in the same commit
   * could not be stored because its writer may not write any more.
   */
  async #using<T>(
    slug: Slug,
    by: { readonly sources?: Sources | undefined; readonly permission?: Permission | undefined },
    work: (document: OpenDocument, permission: Permission | undefined) => T | Promise<T>,
  ): Promise<T> {
    const { sources = unnamed } = by
    for (let { permission } = by, attempts = 1; ; attempts++) {
      try {
        return await this.#registry.use(slug, sources, (document) => work(document, permission))
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error
        error.assertNotOf(permission)
        if (attempts === attemptsMax) throw new Refusal('UNAVAILABLE')
        permission = await permission?.renewed()
      }
    }
  }

  async #patch(slug: Slug, request: PatchRequest, checks: readonly Check[]): Promise<PatchOutcome> {
    const host = {
      runtime: this.#parts.runtime,
      limits: this.#shared.limits,
      checks,
      idempotency: this.#idempotency,
      changeBetween: (base: number, until: number) =>
        changeBetween(this.#store, slug, { base, until }),
    }
    const { sources = unnamed } = request
    const share = await this.#forNewText(request, sources)
    try {
      const { permission } = request
      return await this.#using(slug, { sources, permission }, (document, renewed) =>
        patchDocument(
          document,
          renewed === permission ? request : { ...request, permission: renewed },
          host,
        ),
      )
    } finally {
      share?.release()
    }
  }

  /** Memory for what is parsed and planned; a little comes out of what a process always needs. */
  #forNewText({ edits }: PatchRequest, source: Sources): Promise<Share> | undefined {
    const texts = edits.flatMap((edit) => [edit['new_string'], edit['replace_document']])
    const isText = (text: unknown): text is string => typeof text === 'string'
    const bytes = costOfMarkdown(...texts.filter(isText))
    if (bytes < this.#shared.limits.patchReservedFromBytes) return undefined
    return this.#registry.memory.reserve({ bytes: bytes * whileBuilt, source, refusal: 'BUSY' })
  }

  async #keptText(slug: Slug, revision: number): Promise<string> {
    const text = await this.revisionText(slug, revision)
    if (text === undefined) throw new DocumentDamage(slug, `revision ${revision} is missing`)
    return text
  }

  #scheduleSweep(): Timer {
    return this.#parts.runtime.after(sweepEveryMs, () => {
      this.#idempotency.sweep().catch((error: unknown) => this.#parts.onTrouble({ error }))
      this.#sweep = this.#scheduleSweep()
    })
  }
}
