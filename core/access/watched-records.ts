/**
 * Which records decide what a credential is worth on a document, so that a change of one is
 * noticed: the secret's own, the token it was minted through, account, grant, and the links that
 * the grant refers to; and when what they say ends by time.
 */
import { accountKey, grantKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { AccessContext, Credential, TokenCredential } from './credentials.ts'
import { recordedGrant } from './grants.ts'

function tokenKeys({ sha256, parent }: TokenCredential): string[] {
  return [sha256, ...(parent === undefined ? [] : [parent])].map(tokenBySha256)
}

function ownKeys(credential: Credential): string[] {
  if (credential.kind === 'token') return tokenKeys(credential)
  if (credential.kind === 'agent') return [tokenBySha256(credential.sha256)]
  const { link, session } = credential
  const account = session && [tokenBySha256(session.sha256), accountKey(session.account.accountId)]
  return [...(link ? tokenKeys(link) : []), ...(account ?? [])]
}

interface WatchContext extends AccessContext {
  readonly onTrouble: (error: unknown) => void
}

/**
 * Calls back when one of them changes, and when its time is over; returns how to stop. Those that a
 * grant names come a moment later, when it is read; `onTrouble` is told when it cannot be.
 */
export function watchCredential(
  context: WatchContext,
  { credential, slug }: { readonly credential: Credential; readonly slug: Slug },
  listener: () => void,
): () => void {
  const { store, runtime } = context
  const token = credential.kind === 'browser' ? credential.link : credential
  const end = new EndTimer(runtime, listener)
  const stops = ownKeys(credential).map((key) => store.watch(key, listener))
  if (token?.kind === 'token') end.at(token.endsAt)
  const grant = credential.actor && new WatchedGrant(context, { slug, end, listener })
  if (credential.actor !== undefined) grant?.watch(credential.actor)
  return () => {
    end.stop()
    grant?.stop()
    for (const stop of stops) stop()
  }
}

interface GrantWatch {
  readonly slug: Slug
  readonly end: EndTimer
  readonly listener: () => void
}

/** A grant, and the links it names: also those that it comes to name later. */
class WatchedGrant {
  readonly #context: WatchContext
  readonly #of: GrantWatch
  #stops: (() => void)[] = []
  #links = new Map<string, () => void>()
  #isOver = false

  constructor(context: WatchContext, of: GrantWatch) {
    this.#context = context
    this.#of = of
  }

  watch(actor: ActorId): void {
    const look = () => void this.#look(actor).catch(this.#context.onTrouble)
    const onChange = () => {
      look()
      this.#of.listener()
    }
    this.#stops.push(this.#context.store.watch(grantKey(this.#of.slug, actor), onChange))
    look()
  }

  stop(): void {
    this.#isOver = true
    for (const stop of [...this.#stops, ...this.#links.values()]) stop()
  }

  async #look(actor: ActorId): Promise<void> {
    const { slug, end, listener } = this.#of
    const { store } = this.#context
    const { links, endsAt } = await recordedGrant(this.#context, slug, actor)
    if (this.#isOver) return
    end.at(endsAt)
    const keys = new Set(links.flatMap(tokenKeys))
    for (const key of keys) {
      if (!this.#links.has(key)) this.#links.set(key, store.watch(key, listener))
    }
    for (const [key, stop] of this.#links) {
      if (keys.has(key)) continue
      stop()
      this.#links.delete(key)
    }
  }
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
