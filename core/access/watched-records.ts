/**
 * Notices that what a credential is worth on a document may have changed: a record that its
 * standing rests on was written, or one of them has ended by time. It says that something may have
 * changed, not what.
 */
import { grantKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Check } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { readRecord, records } from '../records/records.ts'
import { credentialAgain } from './browsers.ts'
import { type AccessContext, type Credential, partOf } from './credentials.ts'
import { recordedGrant } from './grants.ts'
import { placeGrant } from './place-grants.ts'
import { checksOf, type Standing } from './roles.ts'

interface WatchContext extends AccessContext {
  readonly onTrouble: (error: unknown) => void
}

interface Watched {
  readonly credential: Credential
  readonly slug: Slug
}

/**
 * Calls `listener` after each change; returns how to stop. Records that the credential itself does
 * not name, such as the links that an account keeps, are read first and watched a moment later.
 * `onTrouble` is called when they cannot be read.
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
  /** By key, how to stop. */
  readonly #watching = new Map<string, () => void>()
  #isOver = false

  constructor(context: WatchContext, watched: Watched, listener: () => void) {
    const { credential, slug } = watched
    const { actor, checks } = credential
    this.#context = context
    this.#watched = watched
    this.#listener = listener
    this.#end = new EndTimer(context.runtime, () => this.#onChange())
    this.#watch(checks.map(({ key }) => key))
    if (actor !== undefined) this.#watch([grantKey(slug, actor)])
    this.#end.at(endsOf(credential))
    this.#look(checks)
  }

  stop(): void {
    this.#isOver = true
    this.#end.stop()
    for (const stop of this.#watching.values()) stop()
  }

  readonly #onChange = (): void => {
    this.#look([])
    this.#listener()
  }

  #watch(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.#watching.has(key)) continue
      this.#watching.set(key, this.#context.store.watch(key, this.#onChange))
    }
  }

  #look(known: readonly Check[]): void {
    void this.#lookAgain(known).catch(this.#context.onTrouble)
  }

  /** `known`: what the caller acts on, which may have changed before it was watched. */
  async #lookAgain(known: readonly Check[]): Promise<void> {
    const { slug } = this.#watched
    const credential = await credentialAgain(this.#context, this.#watched.credential)
    // What it rested on is watched, in case it is good again.
    if (credential === undefined) return
    const [standing, secretEnd] = await Promise.all([
      standingOf(this.#context, credential, slug),
      secretEndOf(this.#context, credential),
    ])
    if (this.#isOver) return
    this.#end.at([...endsOf(credential), ...(standing.recorded?.ends ?? []), ...secretEnd])
    const checks = checksOf(standing)
    // A link that is worth nothing now may be worth something again.
    const keys = new Set([...checks, ...this.#watched.credential.checks].map(({ key }) => key))
    this.#watch([...keys])
    for (const [key, stop] of this.#watching) {
      if (keys.has(key)) continue
      stop()
      this.#watching.delete(key)
    }
    const versions = new Map(checks.map(({ key, version }) => [key, version]))
    const isOther = ({ key, version }: Check) => versions.get(key) !== version
    if (known.some(isOther)) this.#listener()
  }
}

function endsOf(credential: Credential): readonly number[] {
  const token = credential.kind === 'browser' ? credential.link : credential
  if (token?.kind === 'token') return token.ends
  return token?.kind === 'agent' && token.endsAt !== undefined ? [token.endsAt] : []
}

/** When an agent's secret ends because another took its place, which may be while it is in use. */
async function secretEndOf(
  { store }: WatchContext,
  credential: Credential,
): Promise<readonly number[]> {
  if (credential.kind !== 'agent') return []
  const found = await readRecord(store, tokenBySha256(credential.sha256), records.secret)
  const until = found?.record.type === 'agent' ? found.record.until : undefined
  return until === undefined ? [] : [until]
}

/** Calls back at the first of several times; those that are over count no more. */
class EndTimer {
  readonly #runtime: Runtime
  readonly #listener: () => void
  readonly #times = new Set<number>()
  #timer: Timer | undefined
  #isOver = false

  constructor(runtime: Runtime, listener: () => void) {
    this.#runtime = runtime
    this.#listener = listener
  }

  at(times: readonly number[]): void {
    for (const time of times) this.#times.add(time)
    this.#arm()
  }

  stop(): void {
    this.#timer?.cancel()
    this.#times.clear()
    this.#isOver = true
  }

  #arm(): void {
    this.#timer?.cancel()
    if (this.#isOver || this.#times.size === 0) return
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

/**
 * All that the store says of a caller and one document, read at one time. `accessOn` says what that
 * is worth under the facts of the document.
 */
export async function standingOf(
  context: AccessContext,
  credential: Credential | undefined,
  slug: Slug,
): Promise<Standing> {
  const actor = credential?.actor
  if (actor === undefined) return { credential, recorded: undefined }
  const [recorded, placed] = await Promise.all([
    recordedGrant(context, slug, actor),
    placeGrant(context.store, slug, partOf(credential)),
  ])
  return { credential, recorded, placed }
}
