/**
 * The documents of one store, as the layers above see them: what needs no open document is answered
 * here, from the store; all else is asked of the host in which the document is. Here are also the
 * keys of requests, permissions that went stale, and plans that were overtaken.
 */

import { docHead } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import { isBlockId, type Slug } from '../../../schema/ids.ts'
import type { Json } from '../../../schema/json.ts'
import { type Limits, limits as ours } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { AttachedRecords } from '../../commit/attached-records.ts'
import { DocumentDamage, undamaged } from '../../commit/damage.ts'
import { decodeHead, factsOf } from '../../commit/head.ts'
import { documentOf, type KeptOutcome } from '../../commit/kept-outcomes.ts'
import { Overtaken } from '../../commit/planned-records.ts'
import { showing } from '../../commit/showing-store.ts'
import { steadyRuntime } from '../../runtime/steady-runtime.ts'
import { KeyedQueue } from '../../turns/keyed-queue.ts'
import type {
  ActedBy,
  BlockFinding,
  ByWhom,
  ChangedLife,
  Configured,
  ConnectRequest,
  CreateOutcome,
  CreateRequest,
  Discussion,
  DocumentFacts,
  Documents,
  DocumentView,
  FlagChanges,
  Follower,
  Following,
  HostUsage,
  IdempotencyClaim,
  LifeChange,
  LivePeer,
  LiveSession,
  Past,
  PatchOutcome,
  PatchRequest,
  PlannedRecords,
  ReadWish,
  Retirement,
  RevertRequest,
  Sources,
} from '../contract.ts'
import { unnamed } from '../host/creating.ts'
import { DocumentHost } from '../host/document-host.ts'
import type { Answer, Ask, HostCall, PatchAsk, Patched } from '../host/protocol.ts'
import { type DocumentRules, noRules } from '../host/rules.ts'
import { FairWork } from '../live/fair-work.ts'
import { Memory } from '../open/memory.ts'
import { StoredViews } from '../open/stored-views.ts'
import { ReadView } from '../views/read-view.ts'
import { discussionOf } from './discussion.ts'
import { type DocumentsTrouble, type Hosts, oneHost } from './hosts.ts'
import { Idempotency } from './idempotency.ts'
import { pastOf } from './past.ts'
import { permitted } from './permitted.ts'
import { retireDocument } from './retire.ts'

/** Acts that give or take access to one document, waiting for each other. */
const actsWaitingMax = 64

export interface DocumentsParts {
  readonly store: Store
  /** Where others use the store too. */
  readonly leased?: { readonly hostStore: Store; around(hosts: Hosts): Hosts } | undefined
  readonly runtime: Runtime
  /** Without them no permission can be judged, and nobody is told of acts. */
  readonly rules?: DocumentRules
  /** What open documents may cost in memory together; limits.memoryMaxBytes when left out. */
  readonly memoryMaxBytes?: number
  /** Beyond it documents that are not in use leave; all of it when left out. */
  readonly memoryAimBytes?: number
  /** What a document's canonical markdown may have; limits.markdownMaxBytes when left out. */
  readonly markdownMaxBytes?: number
  /** Those of schema/limits.ts when left out. */
  readonly limits?: Limits | undefined
  readonly onTrouble: DocumentsTrouble
}

const sweepEveryMs = 3_600_000

/** So often what a request rests on beside its permission is asked for anew. */
const foundingsMax = 4
const plansMax = 8

export function openDocuments(parts: DocumentsParts): Documents {
  const { store, leased, runtime, rules = noRules, limits = ours, onTrouble } = parts
  const { markdownMaxBytes = limits.markdownMaxBytes, memoryMaxBytes = limits.memoryMaxBytes } =
    parts
  const host = new DocumentHost({
    store: showing(leased?.hostStore ?? store),
    runtime,
    rules,
    limits,
    markdownMaxBytes,
    memoryMaxBytes,
    memoryAimBytes: parts.memoryAimBytes,
    onTrouble,
  })
  const hosts = oneHost(host)
  const around = leased?.around(hosts) ?? hosts
  return hostedDocuments({ store, runtime, hosts: around, limits, onTrouble })
}

export interface HostedParts extends Pick<DocumentsParts, 'store' | 'runtime' | 'onTrouble'> {
  readonly hosts: Hosts
  readonly limits?: Limits | undefined
}

/** The documents of hosts that were started elsewhere. */
export const hostedDocuments = (parts: HostedParts): Documents => new HostedDocuments(parts)

/** Of all texts in edits, of which most are new. */
const charsIn = (edits: PatchRequest['edits']): number =>
  edits.reduce((sum, edit) => {
    for (const text of Object.values(edit)) if (typeof text === 'string') sum += text.length
    return sum
  }, 0)

/** What a PATCH and a revert have in common. */
type TextChangeRequest = Omit<PatchAsk, 'slug' | 'edits' | 'back'>

class HostedDocuments implements Documents {
  readonly #parts: HostedParts
  readonly #store: Store
  readonly #idempotency: Idempotency
  readonly #storedViews: StoredViews
  /** Acts with records go one at a time for a document, so that a plan is seldom overtaken. */
  readonly #acts: KeyedQueue
  readonly past: Past
  readonly discussion: Discussion
  #sweep: Timer

  constructor(parts: HostedParts) {
    const { store, runtime, hosts, limits = ours } = parts
    this.#parts = parts
    this.#store = store
    this.#idempotency = new Idempotency(store, steadyRuntime(runtime))
    this.#acts = new KeyedQueue(actsWaitingMax)
    this.past = pastOf(store, hosts)
    this.discussion = discussionOf(this.#idempotency, hosts)
    // Beside what hosts have, for views that are being read at the same time.
    const maxBytes = limits.memoryMaxBytes / 8
    this.#storedViews = new StoredViews(
      store,
      new Memory({ runtime, maxBytes, makeRoom: () => false }),
      new FairWork(runtime),
    )
    this.#sweep = this.#scheduleSweep()
  }

  get usage(): readonly HostUsage[] {
    return this.#parts.hosts.usage
  }

  get openCount(): number {
    return this.usage.reduce((sum, { openCount }) => sum + openCount, 0)
  }

  get memoryBytes(): number {
    return this.usage.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
  }

  create(request: CreateRequest): Promise<CreateOutcome> {
    return this.#idempotency.once<CreateOutcome>(
      request.idempotency,
      'DOC_SLUG_CONFLICT_UNVERIFIED',
      {
        effect: async (keeping) => {
          const { slug, markdown, costBytes, writer, sources = unnamed } = request
          return this.#unlessOvertaken(request, foundingsMax, async (asked) => {
            const founding = 'founding' in request ? await request.founding() : request
            const { linkAccess, puts, checks = [], replay } = founding
            const made = { slug, markdown, costBytes, writer, sources, linkAccess, puts, replay }
            const document = await permitted(asked, (permission) =>
              this.#parts.hosts.useFor(slug, markdown.length, (host) =>
                host.call('create', { ...made, permission, founding: checks, keeping }),
              ),
            )
            return { kind: 'created', slug, replay, ...document }
          })
        },
        replay: async (kept) => {
          const { replay, title } = kept.answer as { replay: Json; title: string }
          const markdown = await this.#keptText(kept, 1)
          return { kind: 'replayed', slug: documentOf(kept), replay, title, markdown, revision: 1 }
        },
      },
    )
  }

  keep<Note>(
    claim: IdempotencyClaim | undefined,
    slug: Slug | undefined,
    effect: (attached: AttachedRecords<Note>) => Promise<Note>,
  ): Promise<Note> {
    return this.#idempotency.keep(claim, slug, effect)
  }

  async facts(slug: Slug): Promise<DocumentFacts> {
    const stored = await undamaged(slug, () => this.#store.get(docHead(slug)))
    if (stored === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    return factsOf(slug, decodeHead(slug, stored.value))
  }

  async read(slug: Slug, wish: ReadWish, sources: Sources = unnamed): Promise<DocumentView> {
    const isAway = await this.#parts.hosts.isAway(slug)
    const stored = isAway ? await this.#storedViews.read(slug, wish, sources) : undefined
    const data = stored ?? (await this.#call('read', { slug, sources, wish }))
    return new ReadView(data)
  }

  async block(slug: Slug, id: string, sources: Sources = unnamed): Promise<BlockFinding> {
    const isAway = isBlockId(id) && (await this.#parts.hosts.isAway(slug))
    const stored = isAway ? await this.#storedViews.block(slug, id, sources) : undefined
    return stored ?? this.#call('block', { slug, id, sources })
  }

  patch(slug: Slug, request: PatchRequest): Promise<PatchOutcome> {
    const { edits, back } = request
    return this.#edited(request, (asked) =>
      this.#call('patch', { ...asked, slug, edits, back }, request.onWork, charsIn(edits)),
    )
  }

  revert(slug: Slug, revision: number, request: RevertRequest): Promise<PatchOutcome> {
    return this.#edited(request, (asked) =>
      this.#call('revert', { ...asked, slug, revision }, request.onWork),
    )
  }

  async #edited(
    request: RevertRequest | PatchRequest,
    send: (asked: TextChangeRequest) => Promise<Patched>,
  ): Promise<PatchOutcome> {
    const { permission: asked, idempotency, onWritten, sources = unnamed } = request
    const { baseRevision, dryRun, commentOutcomes, maxMarkdownBytes, freeChars, writer } = request
    const given = { baseRevision, dryRun, commentOutcomes, maxMarkdownBytes, freeChars, writer }
    const claim = dryRun ? undefined : idempotency
    return this.#idempotency.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: async (keeping) => {
        const { outcome, writtenBytes } = await permitted(asked, (permission) =>
          send({ ...given, sources, permission, keeping }),
        )
        onWritten?.(writtenBytes)
        return outcome
      },
      replay: async (kept) => {
        const { fields } = kept.answer as Pick<PatchOutcome, 'fields'>
        const { revision } = kept
        const markdown = await this.#keptText(kept, revision)
        return { revision, markdownJson: [Buffer.from(JSON.stringify(markdown))], fields }
      },
    })
  }

  configure(slug: Slug, changes: FlagChanges, by: ByWhom): Promise<Configured> {
    const { writer } = by
    return permitted(by.permission, (permission) =>
      this.#call('configure', { slug, changes, writer, permission }),
    )
  }

  changeLife(slug: Slug, change: LifeChange, by: ByWhom): Promise<ChangedLife> {
    const { writer } = by
    return permitted(by.permission, (permission) =>
      this.#call('changeLife', { slug, change, writer, permission }),
    )
  }

  async retire(slug: Slug, why: Retirement = {}): Promise<void> {
    await retireDocument(this.#store, slug, { ...why, now: this.#parts.runtime.now() })
    await this.#parts.hosts.discard(slug, 'deleted')
    this.#storedViews.forget(slug)
  }

  record<T>(slug: Slug, by: ActedBy, plan: () => Promise<PlannedRecords<T>>): Promise<T> {
    const { event, writer } = by
    return this.#acts.run(slug, () =>
      this.#unlessOvertaken(by, plansMax, async (asked) => {
        const { answer, records } = await plan()
        if (records === undefined) return answer
        const { checks, puts, deletes = [] } = records
        const noted = { slug, event, writer, checks, puts, deletes }
        await permitted(asked, (permission) => this.#call('note', { ...noted, permission }))
        return answer
      }),
    )
  }

  revisionText(slug: Slug, revision: number): Promise<string | undefined> {
    return this.#parts.hosts.useFor(slug, 0, (host) => host.call('text', { slug, revision }))
  }

  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession> {
    return this.#parts.hosts.connect(slug, request, peer)
  }

  follow(slug: Slug, follower: Follower, sources: Sources = unnamed): Promise<Following> {
    return this.#parts.hosts.follow(slug, follower, sources)
  }

  async close(): Promise<void> {
    this.#sweep.cancel()
    await this.#parts.hosts.close()
  }

  /** Asks the host in which the document is. */
  #call<K extends HostCall>(
    call: K,
    ask: Ask<K>,
    onWork?: (ms: number) => void,
    chars?: number,
  ): Promise<Answer<K>> {
    return this.#parts.hosts.use(ask.slug, (host) => host.call(call, ask, onWork), chars)
  }

  /**
   * Does it anew where what it rests on beside the permission was written meanwhile, which may be
   * what the permission rests on too.
   */
  async #unlessOvertaken<T>(
    { permission: asked }: Pick<ByWhom, 'permission'>,
    attemptsMax: number,
    work: (permission: ByWhom['permission']) => Promise<T>,
  ): Promise<T> {
    let permission = asked
    for (let attempts = 1; attempts <= attemptsMax; attempts++) {
      try {
        return await work(permission)
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
        permission = await permission?.renewed()
      }
    }
    throw new Refusal('UNAVAILABLE')
  }

  async #keptText(kept: KeptOutcome, revision: number): Promise<string> {
    const slug = documentOf(kept)
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
