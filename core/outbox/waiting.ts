/**
 * Those who wait for an entry of their inbox: woken when one may be there, or when their time is
 * over. One timer for all of them, and only while there are any.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'

interface Waiter {
  readonly actor: string
  readonly slugs: readonly Slug[]
  readonly ends: number
  readonly wake: (isTold: boolean) => void
}

const lookEveryMs = 1_000

export class Waiting {
  readonly #runtime: Runtime
  readonly #all = new Set<Waiter>()
  readonly #byActor = new Map<string, Set<Waiter>>()
  readonly #bySlug = new Map<Slug, Set<Waiter>>()
  /** Documents, each as often as somebody waits for its news. */
  #listened = 0
  #timer: Timer | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /**
   * From now on whoever waits is told; `woken` resolves with whether something may be there: else
   * the time is over, or others of the same actor wait instead. To be ended by who needs it no
   * more. Refuses BUSY.
   */
  begin(
    actor: string,
    { slugs, ms }: { readonly slugs: readonly Slug[]; readonly ms: number },
  ): { readonly woken: Promise<boolean>; end(): void } {
    const isFull =
      this.#all.size >= limits.inboxWaitersMax ||
      this.#listened + slugs.length > limits.inboxListenedMax
    if (isFull) throw new Refusal('BUSY')
    const own = this.#byActor.get(actor) ?? new Set()
    const [oldest] = own
    if (own.size >= limits.inboxWaitersPerActor) oldest?.wake(false)
    let resolveWoken = (_isTold: boolean): void => undefined
    const woken = new Promise<boolean>((resolve) => {
      resolveWoken = resolve
    })
    const wake = (isTold: boolean) => {
      this.#remove(waiter)
      resolveWoken(isTold)
    }
    const waiter: Waiter = { actor, slugs, ends: this.#runtime.elapsed() + ms, wake }
    this.#add(waiter)
    return { woken, end: () => wake(false) }
  }

  told(to: { readonly actor: string } | { readonly slug: Slug }): void {
    const waiters = 'actor' in to ? this.#byActor.get(to.actor) : this.#bySlug.get(to.slug)
    for (const waiter of [...(waiters ?? [])]) waiter.wake(true)
  }

  close(): void {
    for (const waiter of [...this.#all]) waiter.wake(false)
  }

  #add(waiter: Waiter): void {
    this.#all.add(waiter)
    enter(this.#byActor, waiter.actor, waiter)
    for (const slug of waiter.slugs) enter(this.#bySlug, slug, waiter)
    this.#listened += waiter.slugs.length
    this.#timer ??= this.#runtime.after(lookEveryMs, () => this.#look())
  }

  #remove(waiter: Waiter): void {
    if (!this.#all.delete(waiter)) return
    this.#listened -= waiter.slugs.length
    leave(this.#byActor, waiter.actor, waiter)
    for (const slug of waiter.slugs) leave(this.#bySlug, slug, waiter)
    if (this.#all.size > 0) return
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    const now = this.#runtime.elapsed()
    for (const waiter of [...this.#all]) if (waiter.ends <= now) waiter.wake(false)
    if (this.#all.size > 0) {
      this.#timer ??= this.#runtime.after(lookEveryMs, () => this.#look())
    }
  }
}

function enter<Key>(map: Map<Key, Set<Waiter>>, key: Key, waiter: Waiter): void {
  const waiters = map.get(key)
  if (waiters === undefined) map.set(key, new Set([waiter]))
  else waiters.add(waiter)
}

function leave<Key>(map: Map<Key, Set<Waiter>>, key: Key, waiter: Waiter): void {
  const waiters = map.get(key)
  waiters?.delete(waiter)
  if (waiters?.size === 0) map.delete(key)
}
