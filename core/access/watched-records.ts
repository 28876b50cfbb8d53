/**
 * Which records decide what a credential is worth on a document, so that a change of one is
 * noticed: the secret's own, the token it was minted through, account or agent, grant, the links
 * that the grant refers to, and the document's place in a library; and when what they say ends by
 * time.
 */
import { accountKey, agentKey, grantKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { readRecord, records } from '../records/records.ts'
import type { AccessContext, Credential, TokenCredential } from './credentials.ts'
import { recordedGrant } from './grants.ts'
import { placeGrantKeys } from './place-grants.ts'

function tokenKeys({ sha256, parent }: TokenCredential): string[] {
  return [sha256, ...(parent === undefined ? [] : [parent])].map(tokenBySha256)
}

function ownKeys(credential: Credential): string[] {
  if (credential.kind === 'token') return tokenKeys(credential)
  if (credential.kind === 'agent') {
    const { ownerId } = credential.agent
    const owner = ownerId === undefined ? [] : [accountKey(ownerId)]
    return [tokenBySha256(credential.sha256), agentKey(credential.agentId), ...owner]
  }
  if (credential.kind === 'owner-key') return [tokenBySha256(credential.sha256)]
  const { link, session } = credential
  const account = session && [tokenBySha256(session.sha256), accountKey(session.account.accountId)]
  return [...(link ? tokenKeys(link) : []), ...(account ?? [])]
}

interface WatchContext extends AccessContext {
  readonly onTrouble: (error: unknown) => void
}

interface Watched {
  readonly credential: Credential
  readonly slug: Slug
}

/**
 * Calls back when one of them changes, and when its time is over; returns how to stop. Those that
 * other records name come a moment later, when these are read; `onTrouble` is told when they cannot
 * be.
 */
export function watchCredential(
  context: WatchContext,
  watched: Watched,
  listener: () => void,
): () => void {
  const watch = new CredentialWatch(context, watched, listener)
  return () => watch.stop()
}

class CredentialWatch {
  readonly #context: WatchContext
  readonly #watched: Watched
  readonly #listener: () => void
  readonly #end: EndTimer
  readonly #own: readonly (() => void)[]
  /** By key, those that others name: also that they come to name later. */
  readonly #named = new Map<string, () => void>()
  #isOver = false

  constructor(context: WatchContext, watched: Watched, listener: () => void) {
    const { credential, slug } = watched
    const { actor } = credential
    this.#context = context
    this.#watched = watched
    this.#listener = listener
    this.#end = new EndTimer(context.runtime, listener)
    const keys = [...ownKeys(credential), ...(actor === undefined ? [] : [grantKey(slug, actor)])]
    this.#own = keys.map((key) => context.store.watch(key, this.#onChange))
    const token = credential.kind === 'browser' ? credential.link : credential
    if (token?.kind === 'token' || token?.kind === 'agent') this.#end.at(token.endsAt)
    this.#look()
  }

  stop(): void {
    this.#isOver = true
    this.#end.stop()
    for (const stop of [...this.#own, ...this.#named.values()]) stop()
  }

  readonly #onChange = (): void => {
    this.#look()
    this.#listener()
  }

  #look(): void {
    void this.#lookAgain().catch(this.#context.onTrouble)
  }

  async #lookAgain(): Promise<void> {
    const { credential, slug } = this.#watched
    const { store } = this.#context
    if (credential.actor === undefined) return
    const [{ links, endsAt }, ofPlace, secretEnd] = await Promise.all([
      recordedGrant(this.#context, slug, credential.actor),
      placeGrantKeys(store, slug, credential),
      secretEndOf(this.#context, credential),
    ])
    if (this.#isOver) return
    this.#end.at(endsAt)
    this.#end.at(secretEnd)
    const keys = new Set([...links.flatMap(tokenKeys), ...ofPlace])
    for (const key of keys) {
      if (!this.#named.has(key)) this.#named.set(key, store.watch(key, this.#onChange))
    }
    for (const [key, stop] of this.#named) {
      if (keys.has(key)) continue
      stop()
      this.#named.delete(key)
    }
  }
}

/** When an agent's secret ends because another took its place, which may be while it is in use. */
async function secretEndOf(
  { store }: WatchContext,
  credential: Credential,
): Promise<number | undefined> {
  if (credential.kind !== 'agent') return undefined
  const found = await readRecord(store, tokenBySha256(credential.sha256), records.secret)
  return found?.record.type === 'agent' ? found.record.until : undefined
}

/** Calls back at the first of several times; those that are over count no more. */
class EndTimer {
  readonly #runtime: Runtime
  readonly #listener: () => void
  readonly #times = new Set<number>()
  #timer: Timer | undefined

  constructor(runtime: Runtime, listener: () => void) {
    this.#runtime = runtime
    this.#listener = listener
  }

  at(time: number | undefined): void {
    if (time === undefined || this.#times.has(time)) return
    this.#times.add(time)
    this.#arm()
  }

  stop(): void {
    this.#timer?.cancel()
    this.#times.clear()
  }

  #arm(): void {
    this.#timer?.cancel()
    if (this.#times.size === 0) return
    const wait = Math.min(...this.#times) - this.#runtime.now()
    const ms = Math.max(1, Math.min(wait, limits.timerMaxMs))
    this.#timer = this.#runtime.after(ms, () => this.#due())
  }

  #due(): void {
    const now = this.#runtime.now()
    const over = [...this.#times].filter((time) => time <= now)
    for (const time of over) this.#times.delete(time)
    this.#arm()
    if (over.length > 0) this.#listener()
  }
}
