/**
 * The documents of one store: create, read, edit, connect. The composition of registry, open
 * documents and idempotency; every method either did all it says, durably, or refused and did
 * nothing.
 */
import { docHead } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { titleOf } from '../../schema/markdown/title.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type {
  BlockFinding,
  CreateOutcome,
  CreateRequest,
  DocumentFacts,
  Documents,
  DocumentView,
  FlagChanges,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  PatchOutcome,
  PatchRequest,
  Writer,
} from './contract.ts'
import { Idempotency, type KeptOutcome } from './idempotency.ts'
import { buildDocument } from './open/create.ts'
import { findBlock } from './open/find-block.ts'
import { PeerSession } from './open/live-session.ts'
import { loadDocument } from './open/load.ts'
import { OpenDocument, type OpenDocumentParts } from './open/open-document.ts'
import { Registry } from './open/registry.ts'
import { Rounds } from './open/rounds.ts'
import { patchDocument, replayPatch } from './patch.ts'
import { DocumentDamage, undamaged } from './records/damage.ts'
import { decodeHead, factsOf } from './records/head.ts'
import { changeBetween, rebuildText } from './records/history-text.ts'

export interface DocumentsParts {
  readonly store: Store
  readonly runtime: Runtime
  /** What a document's canonical markdown may have; limits.markdownMaxBytes when left out. */
  readonly markdownMaxBytes?: number
  /** Told of every document that had to be dropped, or of a sweep that failed (for the log). */
  readonly onTrouble: (trouble: { readonly slug?: Slug; readonly error: unknown }) => void
}

const sweepEveryMs = 3_600_000

export function openDocuments(parts: DocumentsParts): Documents {
  return new StoredDocuments(parts)
}

class StoredDocuments implements Documents {
  readonly #parts: DocumentsParts
  readonly #store: Store
  readonly #registry: Registry
  /** What all open documents are given alike. */
  readonly #shared: Pick<OpenDocumentParts, 'runtime' | 'rounds' | 'markdownMaxBytes'>
  readonly #idempotency: Idempotency
  #sweep: Timer

  constructor(parts: DocumentsParts) {
    const { store, runtime, markdownMaxBytes = limits.markdownMaxBytes } = parts
    this.#parts = parts
    this.#shared = { runtime, markdownMaxBytes, rounds: new Rounds(runtime) }
    this.#store = store
    this.#idempotency = new Idempotency(store, runtime)
    this.#registry = new Registry({
      runtime,
      load: async (slug, hooks, dormant) => {
        const loaded = await loadDocument(store, slug, runtime)
        if (dormant !== undefined) loaded.state.recall(dormant.memory)
        const peers = dormant?.peers
        return new OpenDocument({ ...loaded, ...this.#shared, peers, ...hooks })
      },
      onDead: (slug, error) => parts.onTrouble({ slug, error }),
    })
    this.#sweep = this.#scheduleSweep()
  }

  get openCount(): number {
    return this.#registry.count
  }

  create(request: CreateRequest): Promise<CreateOutcome> {
    return this.#idempotency.once(request.idempotency, 'DOC_SLUG_CONFLICT_UNVERIFIED', {
      effect: (checks) => this.#create(request, checks),
      replay: (kept) => this.#replayCreate(kept),
    })
  }

  async facts(slug: Slug): Promise<DocumentFacts> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    if (stored === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    return factsOf(slug, decodeHead(slug, stored.value))
  }

  async read(slug: Slug): Promise<DocumentView> {
    const document = await this.#open(slug)
    const view = await document.exclusive.whenFree(() => document.settle())
    await document.durable()
    return view
  }

  async block(slug: Slug, id: string): Promise<BlockFinding> {
    return findBlock(await this.#open(slug), id)
  }

  patch(slug: Slug, request: PatchRequest): Promise<PatchOutcome> {
    const claim = request.dryRun ? undefined : request.idempotency
    return this.#idempotency.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: async (checks) => {
        const document = await this.#open(slug)
        return patchDocument(document, request, {
          checks,
          idempotency: this.#idempotency,
          changeBetween: (base, until) => changeBetween(this.#store, slug, { base, until }),
        })
      },
      replay: (kept) => replayPatch(kept, (at) => this.#keptText(kept.slug, at)),
    })
  }

  async configure(slug: Slug, changes: FlagChanges, writer: Writer): Promise<DocumentFacts> {
    const document = await this.#open(slug)
    const { facts } = await document.exclusive.whenFree(() => {
      document.settle()
      return document.configure(changes, writer)
    })
    await document.durable()
    return facts
  }

  revisionText(slug: Slug, revision: number): Promise<string | undefined> {
    return undamaged(slug, () => rebuildText(this.#store, slug, revision))
  }

  async connect(slug: Slug, peer: LivePeer): Promise<LiveSession> {
    const document = await this.#open(slug)
    if (document.isDead) throw new Refusal('UNAVAILABLE')
    const { runtime } = this.#parts
    return new PeerSession({ document, peer, runtime, open: () => this.#open(slug) })
  }

  async follow(slug: Slug, follower: Follower): Promise<Following> {
    const document = await this.#open(slug)
    const { revision, stop } = await document.exclusive.whenFree(() => ({
      revision: document.settle().revision,
      stop: document.peers.follow(follower),
    }))
    await document.durable()
    return {
      revision,
      current: () => document.durableView.revision,
      stop: () => {
        stop()
        document.peers.left()
      },
    }
  }

  async close(): Promise<void> {
    this.#sweep.cancel()
    await this.#registry.close()
  }

  #open(slug: Slug): Promise<OpenDocument> {
    return this.#registry.open(slug)
  }

  async #create(request: CreateRequest, checks: readonly Check[]): Promise<CreateOutcome> {
    const { runtime, markdownMaxBytes } = this.#shared
    const { slug, writer, idempotency } = request
    const own = { store: this.#store, runtime, markdownMaxBytes }
    const built = await buildDocument({ ...request, ...own })
    const puts = [...request.puts]
    if (idempotency !== undefined) {
      const answer = { replay: request.replay, title: titleOf(built.state.text) }
      puts.push(this.#idempotency.record(idempotency, { slug, revision: 1, answer }))
    }
    const document = await this.#registry.adopt(slug, async (hooks) => {
      const created = new OpenDocument({ ...built, ...this.#shared, ...hooks })
      created.begin(built, writer, { puts, checks })
      await created.durable()
      return created
    })
    return { kind: 'created', view: document.settle() }
  }

  async #replayCreate(kept: KeptOutcome): Promise<CreateOutcome> {
    const { slug } = kept
    const { replay, title } = kept.answer as { replay: unknown; title: string }
    const markdown = await this.#keptText(slug, 1)
    return { kind: 'replayed', slug, replay, title, markdown, revision: 1 }
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
