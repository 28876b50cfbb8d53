/**
 * A document host: the documents that are open in one place, and all work on them. It is asked by
 * calls of the protocol and knows nothing of who asks, or from where. Every call either did all it
 * says, durably, or refused and did nothing.
 */
import { assertNever, Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import { costOfMarkdown } from '../../../schema/memory-cost.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { undamaged } from '../../commit/damage.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { changeBetween, rebuildText } from '../../commit/history-text.ts'
import { type HeldPermission, StalePermission, Withdrawn } from '../../commit/permission.ts'
import type { ShowingStore } from '../../commit/showing-store.ts'
import { steadyRuntime } from '../../runtime/steady-runtime.ts'
import type {
  BlockFinding,
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
} from '../contract.ts'
import { type HostedPast, pastOf } from '../history/past.ts'
import { FairWork } from '../live/fair-work.ts'
import type { Sources } from '../live/live-peer.ts'
import { PeerSession } from '../live/live-session.ts'
import { Rounds } from '../live/rounds.ts'
import { blockAddress } from '../model/block-address.ts'
import { loadDocument, textPrintedBefore, weighStored } from '../open/load.ts'
import type { Share } from '../open/memory.ts'
import { OpenDocument, type OpenDocumentParts } from '../open/open-document.ts'
import { Registry } from '../open/registry.ts'
import { ReadView } from '../views/read-view.ts'
import { Acts } from './acts.ts'
import { createDocument, unnamed, whileBuilt } from './creating.ts'
import { HostedDiscussion } from './discussion.ts'
import type { HostPort } from './host-port.ts'
import { type PatchHost, patchDocument } from './patch.ts'
import type { Answer, Ask, HostCall, OfDocument, PatchAsk, Patched } from './protocol.ts'
import type { DocumentRules } from './rules.ts'

export interface HostParts {
  readonly store: ShowingStore
  readonly runtime: Runtime
  readonly rules: DocumentRules
  readonly limits: Limits
  /** What a document's canonical markdown may have. */
  readonly markdownMaxBytes: number
  /** What open documents may cost in memory together. */
  readonly memoryMaxBytes: number
  /** Beyond it documents that are not in use leave; all of it when left out. */
  readonly memoryAimBytes?: number | undefined
  /** Told of every document that had to be dropped (for the log). */
  readonly onTrouble: (trouble: { readonly slug: Slug; readonly error: unknown }) => void
  /** Told when nothing of a document is here any more, nor anybody who is in it. */
  readonly onGone?: ((slug: Slug) => void) | undefined
  /** Told when an open document has more characters than one in a host for small ones may have. */
  readonly onGrown?: ((slug: Slug) => void) | undefined
  /** Told of the document that is worked on from now on, before anything that may take long. */
  readonly working?: ((slug: Slug) => void) | undefined
}

/** Told of the time that a call takes, as it passes, where that is counted. */
export type OnWork = (ms: number) => void

type Calls = {
  readonly [K in HostCall]: (ask: Ask<K>, onWork: OnWork) => Promise<Answer<K>>
}

/** How often a request begins anew because of others' in the same commits. */
const attemptsMax = 8

/** Who comes while it is being archived is sent away with the others. Refuses DOC_ARCHIVED. */
function assertActive({ facts }: OpenDocument): void {
  if (facts.life.state !== 'active') throw new Refusal('DOC_ARCHIVED')
}

/** Whose work it is, and what lets them. */
interface By {
  readonly slug: Slug
  readonly sources?: Sources | undefined
  readonly permission?: HeldPermission | undefined
}

export class DocumentHost implements HostPort {
  readonly #parts: HostParts
  readonly #registry: Registry
  readonly #fair: FairWork
  readonly #past: HostedPast
  readonly #calls: Calls

  constructor(parts: HostParts) {
    const { store, runtime, limits, markdownMaxBytes, memoryMaxBytes } = parts
    this.#parts = parts
    this.#fair = new FairWork(runtime, parts.working)
    /** What all open documents are given alike. */
    const shared: Pick<OpenDocumentParts, 'runtime' | 'rounds' | 'markdownMaxBytes' | 'limits'> = {
      runtime,
      markdownMaxBytes,
      limits,
      rounds: new Rounds(runtime, this.#fair),
    }
    this.#registry = new Registry({
      runtime,
      fair: this.#fair,
      limits,
      memoryMaxBytes,
      memoryAimBytes: parts.memoryAimBytes,
      weigh: (slug) => weighStored(store, slug),
      load: async (slug, hooks, { memory, peers, unstored }) => {
        const working = () => parts.working?.(slug)
        const loaded = await loadDocument(store, slug, { runtime, working })
        if (memory !== undefined) {
          loaded.state.recall(memory, (holder) => peers?.has(holder) === true)
        }
        const before = await textPrintedBefore(store, loaded)
        const document = new OpenDocument({ ...loaded, ...shared, peers, unstored, ...hooks })
        if (before !== undefined) document.writes.printAnew(before)
        return document
      },
      onDead: (slug, error) => parts.onTrouble({ slug, error }),
      onGone: (slug) => parts.onGone?.(slug),
      onGrown: (slug) => parts.onGrown?.(slug),
    })
    const steady = steadyRuntime(runtime)
    const assertPermitted = (permission: HeldPermission | undefined, facts: DocumentFacts) =>
      this.#assertPermitted(permission, facts)
    const acts = new Acts({
      steady,
      using: (by, work) => this.#using(by, work),
      assertPermitted,
    })
    const read = ({ slug, sources }: OfDocument) =>
      this.#using({ slug, sources }, (document) => document.stored(() => document.settle()))
    const past = pastOf({
      store,
      runtime,
      settled: async (slug, sources) => (await read({ slug, sources })).revision,
      read: async (slug, wish, sources) =>
        new ReadView((await read({ slug, sources })).telling(wish)),
    })
    this.#past = past
    const discussion = new HostedDiscussion({
      runtime,
      rules: parts.rules,
      markdownMaxBytes,
      using: (by, work) => this.#using(by, work),
      assertPermitted,
      changedSince: (slug, revision, sources) => past.changedSince({ slug, revision, sources }),
    })
    const makers = {
      store,
      markdownMaxBytes,
      memory: this.#registry.memory,
      onTrouble: parts.onTrouble,
    }
    this.#calls = {
      create: (ask) => createDocument(ask, { ...makers, runtime, fair: this.#fair }),
      read: async ({ wish, ...of }) => (await read(of)).telling(wish),
      settled: async (ask) => (await read(ask)).revision,
      block: ({ id, ...of }) => this.#using(of, (document) => findBlock(document, id)),
      patch: (ask, onWork) => this.#patch(ask, onWork),
      revert: (ask, onWork) => this.#revert(ask, onWork),
      configure: (ask) => acts.configure(ask),
      changeLife: (ask) => acts.changeLife(ask),
      note: async (ask) => void (await acts.note(ask)),
      name: async (ask) => void (await acts.name(ask)),
      say: (ask, onWork) => discussion.say(ask, onWork),
      page: (ask) => past.page(ask),
      at: (ask) => past.at(ask),
      diff: (ask, onWork) => past.diff(ask, onWork),
      since: (ask, onWork) => past.since(ask, onWork),
      text: (ask) => this.#text(ask),
      release: async ({ slug }) => void (await this.#registry.release(slug)),
      discard: async ({ slug, because }) => void (await this.#registry.discard(slug, because)),
    }
  }

  /** Documents in memory. */
  get openCount(): number {
    return this.#registry.count
  }

  /** What open documents, and those under construction, cost in memory. */
  get memoryBytes(): number {
    return this.#registry.memory.usedBytes
  }

  /** Rejects with what the call refuses; `StalePermission` where that has to be looked up again. */
  call<K extends HostCall>(call: K, ask: Ask<K>, onWork: OnWork = () => {}): Promise<Answer<K>> {
    this.#parts.working?.(ask.slug)
    return this.#calls[call](ask, onWork)
  }

  /** What comes together is taken in before any of it is worked on, so that it is chosen from. */
  takingIn(take: () => void): void {
    this.#fair.gather(take)
  }

  /** Calls `onGone` where nothing of the document is here, nor anybody who is in it. */
  look(slug: Slug): void {
    this.#registry.look(slug)
  }

  /** Resolves once it is all in the store and not in memory; false: it is in memory. */
  isAway(slug: Slug): Promise<boolean> {
    return this.#registry.isAway(slug)
  }

  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession> {
    const { runtime } = this.#parts
    const fair = this.#fair
    const { sources } = request.access
    const lender = {
      opened: () => this.#registry.opened(slug),
      open: () => this.#registry.use(slug, sources, (document) => document),
    }
    return this.#registry.use(slug, sources, (document) => {
      this.#parts.working?.(slug)
      if (document.isDead) throw new Refusal('UNAVAILABLE')
      assertActive(document)
      return new PeerSession({ document, lender, request, peer, runtime, fair })
    })
  }

  follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following> {
    return this.#using({ slug, sources }, async (document) => {
      const { revision, stop } = await document.stored(() => {
        const { revision } = document.settle()
        assertActive(document)
        return { revision, stop: document.peers.follow(follower) }
      })
      // They stay when the document goes dormant.
      const { peers } = document
      return {
        revision,
        stop: () => {
          stop()
          peers.left()
        },
      }
    })
  }

  /** Flushes and closes every open document. */
  async close(): Promise<void> {
    await this.#registry.close()
  }

  #assertPermitted(permission: HeldPermission | undefined, facts: DocumentFacts): void {
    if (permission?.grounds === undefined) return
    this.#parts.rules.assertPermitted(permission.grounds, facts)
  }

  /** Works with the open document in the caller's turn; otherwise as `#opened`. */
  #using<T>(by: By, work: (document: OpenDocument) => T | Promise<T>): Promise<T> {
    const { slug, sources } = by
    return this.#opened(by, (document) =>
      this.#fair.run({ slug, ...sources }, () => work(document)),
    )
  }

  /**
   * Works with the open document; from the start again where something else in the same commit
   * could not be stored because of its writer's permission. `StalePermission` where it was this
   * one.
   */
  async #opened<T>(
    { slug, sources = unnamed, permission }: By,
    work: (document: OpenDocument) => T | Promise<T>,
  ): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#registry.use(slug, sources, work)
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error
        if (error.isOf(permission)) throw new StalePermission()
        if (attempts === attemptsMax) throw new Refusal('UNAVAILABLE')
      }
    }
  }

  async #patch(ask: PatchAsk, onWork: OnWork): Promise<Patched> {
    const { store, limits } = this.#parts
    const { slug, sources } = ask
    const host: PatchHost = {
      runtime: this.#parts.runtime,
      limits,
      onWork,
      inTurn: (work) => this.#fair.run({ slug, ...sources }, work),
      assertPermitted: (permission: HeldPermission | undefined, facts: DocumentFacts) =>
        this.#assertPermitted(permission, facts),
      changeBetween: (base: number, until: number) => changeBetween(store, slug, { base, until }),
    }
    const share = await this.#forNewText(ask)
    try {
      return await this.#opened(ask, (document) => patchDocument(document, ask, host))
    } finally {
      share?.release()
    }
  }

  async #revert(ask: Ask<'revert'>, onWork: OnWork): Promise<Patched> {
    const { slug, revision, sources } = ask
    const newest = await this.call('settled', { slug, sources })
    const earlier = await this.#past.at({ slug, revision, newest, authors: true })
    const { markdown, authorship = [], former } = earlier
    const back = { authorship, former }
    return this.#patch({ ...ask, edits: [{ replace_document: markdown }], back }, onWork)
  }

  /** Memory for what is parsed and planned; a little comes out of what a process always needs. */
  #forNewText({ edits, sources }: PatchAsk): Promise<Share> | undefined {
    const texts = edits.flatMap((edit) => [edit['new_string'], edit['replace_document']])
    const isText = (text: unknown): text is string => typeof text === 'string'
    const bytes = costOfMarkdown(...texts.filter(isText))
    if (bytes < this.#parts.limits.patchReservedFromBytes) return undefined
    const need = { bytes: bytes * whileBuilt, source: sources, refusal: 'BUSY' } as const
    return this.#registry.memory.reserve(need)
  }

  #text({ slug, revision }: Ask<'text'>): Promise<string | undefined> {
    const { store } = this.#parts
    return undamaged(slug, () => rebuildText(store, slug, revision))
  }
}

/**
 * Where a durable block id leads (interface §4.11). Resolves when what it says is on disk. Refuses
 * as `Documents.block` does.
 */
export async function findBlock(document: OpenDocument, id: string): Promise<BlockFinding> {
  const { revision, text, found } = await document.stored(() => {
    const { text, revision } = document.settle()
    return { text, revision, found: blockAddress(id, text, document.state.tombstones) }
  })
  switch (found.kind) {
    case 'block': {
      const { from, to } = found.block
      const quote = text.slice(from, to)
      return { kind: 'block', id: found.id, revision, range: { from, to }, quote }
    }
    case 'deleted':
      return { kind: 'deleted', id: found.id, revision, place: found.place }
    case 'wrapper':
      throw new Refusal('BLOCK_ID_NOT_ADDRESSABLE', { revision })
    case 'unknown':
      throw new Refusal('BLOCK_ID_NOT_FOUND', { revision })
    default:
      return assertNever(found)
  }
}
