/**
 * Brings what is drafted to the service and keeps it there as it is: a suggestion is made once the
 * draft rests, changed while one goes on in it, withdrawn where nothing of it is left. One request
 * at a time, each worked out anew from the draft as it is then. What is refused stays in the draft,
 * with what was said of it, and is tried again when it has changed or somebody asks.
 */
import type { Place } from '../../schema/wire/threads.ts'
import { ApiError, isPassing } from '../api/http.ts'
import { suggest, suggestInstead, withdraw } from '../api/suggestions.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import type { Proposal } from './proposals.ts'

/** A suggestion that the service has, as it was last sent. */
export interface Sent {
  readonly comment: string
  readonly thread: string
  readonly oldString: string
  readonly newString: string
}

export interface Failure {
  readonly code: string
  readonly message: string
  readonly oldString: string
  readonly newString: string
}

export interface SendingHost {
  readonly slug: string
  /** The suggestions that the draft makes now. */
  proposals(quoted: (ids: readonly number[]) => string | undefined): readonly Proposal[]
  /** Where words of the shared document are, as the service is told of them. */
  placeOf(range: DocRange): Place | undefined
  /** Whether the service can be asked, and has what the page shows. */
  ready(): Promise<boolean>
  /** These changes were sent, or the service knows them, as they are now. */
  telling(changes: readonly number[]): void
  /** The service has decided it or lost it: it is no draft any more, once this resolves. */
  decided(changes: readonly number[]): Promise<void>
  /** After what is sent, or what failed, is another. */
  changed(standing: Standing): void
}

export interface Standing {
  readonly isSending: boolean
  /** Why what is to be sent has to wait. */
  readonly waits: string | undefined
  /** By the change that it begins with. */
  readonly failures: ReadonlyMap<number, Failure>
}

const restMs = 1_500
const againMs = 5_000

export class Sending {
  readonly #host: SendingHost
  readonly #key: string
  /** By each change that it is made of. */
  readonly #sent = new Map<number, Sent>()
  readonly #failures = new Map<number, Failure>()
  /** Decided, maybe before the page was told that it is sent: it is not withdrawn. */
  readonly #letGo = new Set<number>()
  #timer: number | undefined
  #work: Promise<void> | undefined
  #isAsked = false
  #waits: string | undefined
  #isClosed = false

  /** `key`: of the draft, the same as long as it is kept. */
  constructor(host: SendingHost, key: string, sent: ReadonlyMap<number, Sent> = new Map()) {
    this.#host = host
    this.#key = key
    for (const [id, one] of sent) this.#sent.set(id, one)
  }

  get sent(): ReadonlyMap<number, Sent> {
    return this.#sent
  }

  /** The comments that are in the draft. */
  get comments(): ReadonlySet<string> {
    return new Set([...this.#sent.values()].map(({ comment }) => comment))
  }

  /** How many suggestions the service does not have as the draft says them. */
  get unsent(): number {
    const proposals = this.#proposals()
    const isUnsent = ({ ids, oldString, newString }: Proposal) => {
      const sent = this.#sentOf(ids)
      return sent?.oldString !== oldString || sent.newString !== newString
    }
    return proposals.filter(isUnsent).length + this.#leftOver(proposals).length
  }

  /** The draft has changed: once it rests, it is sent. */
  soon(ms = restMs): void {
    window.clearTimeout(this.#timer)
    this.#timer = this.#isClosed ? undefined : window.setTimeout(() => void this.now(), ms)
  }

  /** Resolves when the service has what the draft says, or refused it. */
  async now(): Promise<void> {
    window.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isAsked = true
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined
      this.#tell()
    })
    this.#tell()
    await this.#work
  }

  /** What was refused is tried again. */
  retry(): Promise<void> {
    this.#failures.clear()
    return this.now()
  }

  /** These are no drafts any more. */
  forget(changes: Iterable<number>): void {
    for (const id of changes) {
      this.#letGo.add(id)
      this.#sent.delete(id)
      this.#failures.delete(id)
    }
    this.#tell()
  }

  /** Resolves when no request is under way. */
  async idle(): Promise<void> {
    await this.#work
  }

  close(): void {
    this.#isClosed = true
    window.clearTimeout(this.#timer)
  }

  #tell(): void {
    if (this.#isClosed) return
    this.#host.changed({
      isSending: this.#work !== undefined,
      waits: this.#waits,
      failures: new Map(this.#failures),
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      try {
        if (!(await this.#host.ready())) return this.soon(againMs)
        while (!this.#isClosed && (await this.#sendOne())) this.#tell()
        this.#waits = undefined
      } catch (error) {
        if (!isPassing(error)) throw error
        this.#waits = error.message
        this.soon((error.retryAfterS ?? 0) * 1_000 + againMs)
      }
    }
  }

  /** False: there is nothing to be told. */
  async #sendOne(): Promise<boolean> {
    const proposals = this.#proposals()
    this.#forgetFailures(proposals)
    const [stale] = this.#leftOver(proposals)
    for (const proposal of proposals) {
      if (this.#isRefused(proposal)) continue
      const sent = this.#sentOf(proposal.ids)
      if (sent !== undefined && sent.oldString === proposal.oldString) {
        this.#name(proposal.ids, sent)
        this.#host.telling(proposal.ids)
        if (sent.newString === proposal.newString) continue
        return this.#attempt(proposal, () => this.#change(proposal, sent))
      }
      this.#host.telling(proposal.ids)
      return this.#attempt(proposal, () => this.#make(proposal))
    }
    if (stale === undefined) return false
    return this.#withdraw(stale)
  }

  #proposals(): readonly Proposal[] {
    return this.#host.proposals((ids) => this.#sentOf(ids)?.oldString)
  }

  async #make(proposal: Proposal): Promise<void> {
    const { ids, oldString: quote, newString, place: range } = proposal
    const before = this.#sentOf(ids)
    const place = range && this.#host.placeOf(range)
    const about = place === undefined ? { quote } : { place }
    // A page that goes before it has the answer asks again once it is back.
    const idempotencyKey = `${this.#key}-${ids[0]}-${hashOf(JSON.stringify([about, newString]))}`
    const made = await suggest(this.#host.slug, { about, newString, idempotencyKey })
    const { comment_id: comment, thread_id: thread } = made
    this.#name(proposal.ids, { comment, thread, oldString: quote, newString })
    // Made first: between the two there is rather one too many than none.
    if (before !== undefined) await this.#withdraw(before.comment)
  }

  async #change({ ids, newString }: Proposal, sent: Sent): Promise<void> {
    try {
      await suggestInstead(this.#host.slug, sent.comment, newString)
      this.#name(ids, { ...sent, newString })
    } catch (error) {
      if (!isDecided(error)) throw error
      await this.#host.decided(ids)
      this.forget(ids)
    }
  }

  async #withdraw(comment: string): Promise<boolean> {
    try {
      await withdraw(this.#host.slug, comment)
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) throw error
      if (!isDecided(error)) {
        this.soon(againMs)
        return false
      }
    }
    for (const [id, one] of this.#sent) if (one.comment === comment) this.#sent.delete(id)
    return true
  }

  /** Whether to go on with what is left. */
  async #attempt({ ids, oldString, newString }: Proposal, act: () => Promise<void>) {
    try {
      await act()
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) throw error
      const { code, message } = error
      const [first] = ids
      if (first !== undefined) this.#failures.set(first, { code, message, oldString, newString })
      return true
    }
  }

  #name(ids: readonly number[], sent: Sent): void {
    for (const id of ids) if (!this.#letGo.has(id)) this.#sent.set(id, sent)
  }

  #sentOf(ids: readonly number[]): Sent | undefined {
    for (const id of ids) {
      const sent = this.#sent.get(id)
      if (sent !== undefined) return sent
    }
    return undefined
  }

  /** Suggestions of which nothing is in the draft, or that another one has taken in. */
  #leftOver(proposals: readonly Proposal[]): readonly string[] {
    const kept = new Set(proposals.map(({ ids }) => this.#sentOf(ids)?.comment))
    return [...this.comments].filter((comment) => !kept.has(comment))
  }

  #isRefused({ ids: [first = 0], oldString, newString }: Proposal): boolean {
    const failure = this.#failures.get(first)
    return failure?.oldString === oldString && failure.newString === newString
  }

  #forgetFailures(proposals: readonly Proposal[]): void {
    const first = new Set(proposals.map(({ ids }) => ids[0]))
    for (const id of [...this.#failures.keys()]) if (!first.has(id)) this.#failures.delete(id)
  }
}

/** Tells texts apart that one writes after each other (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

const isDecided = (error: unknown): boolean =>
  error instanceof ApiError && ['NOT_FOUND', 'SUGGESTION_CLOSED'].includes(error.code)
