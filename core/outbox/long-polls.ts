/**
 * Those who wait for an entry of their inbox: woken when one may be there, or when their time is
 * over. One timer for all of them, and only while there are any. A network has a share of the room
 * for them, since of identities anybody can make many.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { addTo, removeFrom } from '../../schema/keyed-sets.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'

/** Of the room for those who wait, what one address may have. */
const inboxRoomOfAnAddress = 1 / 4

/** Documents whose news is waited for, over all who wait. */
export const inboxListenedMax = 500_000

const inboxWaitersPerActor = 4

export const inboxWaitersMax = 10_000

interface Wait {
  readonly slugs: readonly Slug[]
  readonly ms: number
  readonly address: string
}

interface Waiter {
  readonly actor: string
  readonly slugs: readonly Slug[]
  readonly address: string
  readonly ends: number
  readonly wake: (isTold: boolean) => void
}

const lookEveryMs = 1_000

/** What waits take: how many they are, and documents, each as often as one waits for its news. */
class Room {
  #waiters = 0
  #listened = 0

  get isEmpty(): boolean {
    return this.#waiters === 0
  }

  hasFor(documents: number, share: number): boolean {
    return (
      this.#waiters + 1 <= inboxWaitersMax * share &&
      this.#listened + documents <= inboxListenedMax * share
    )
  }

  take(documents: number): void {
    this.#waiters += 1
    this.#listened += documents
  }

  give(documents: number): void {
    this.#waiters -= 1
    this.#listened -= documents
  }
}

export class LongPolls {
  readonly #runtime: Runtime
  readonly #all = new Set<Waiter>()
  readonly #byActor = new Map<string, Set<Waiter>>()
  readonly #bySlug = new Map<Slug, Set<Waiter>>()
  readonly #room = new Room()
  readonly #roomOf = new Map<string, Room>()
  #timer: Timer | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /**
   * From now on whoever waits is told; `woken` resolves with whether something may be there: else
   * the time is over, or others of the same actor wait instead. To be ended by who needs it no
   * more. `address` is the caller's network. Refuses BUSY.
   */
  begin(
    actor: string,
    { slugs, ms, address }: Wait,
  ): { readonly woken: Promise<boolean>; end(): void } {
    const itsOwn = this.#roomOf.get(address) ?? new Room()
    const isRoom =
      this.#room.hasFor(slugs.length, 1) && itsOwn.hasFor(slugs.length, inboxRoomOfAnAddress)
    if (!isRoom) throw new Refusal('BUSY')
    const own = this.#byActor.get(actor) ?? new Set()
    const [oldest] = own
    if (own.size >= inboxWaitersPerActor) oldest?.wake(false)
    let resolveWoken = (_isTold: boolean): void => undefined
    const woken = new Promise<boolean>((resolve) => {
      resolveWoken = resolve
    })
    const wake = (isTold: boolean) => {
      this.#remove(waiter)
      resolveWoken(isTold)
    }
    const waiter: Waiter = { actor, slugs, address, ends: this.#runtime.elapsed() + ms, wake }
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
    addTo(this.#byActor, waiter.actor, waiter)
    for (const slug of waiter.slugs) addTo(this.#bySlug, slug, waiter)
    const itsOwn = this.#roomOf.get(waiter.address) ?? new Room()
    this.#roomOf.set(waiter.address, itsOwn)
    for (const room of [this.#room, itsOwn]) room.take(waiter.slugs.length)
    this.#timer ??= this.#runtime.after(lookEveryMs, () => this.#look())
  }

  #remove(waiter: Waiter): void {
    if (!this.#all.delete(waiter)) return
    const itsOwn = this.#roomOf.get(waiter.address)
    for (const room of [this.#room, itsOwn]) room?.give(waiter.slugs.length)
    if (itsOwn?.isEmpty === true) this.#roomOf.delete(waiter.address)
    removeFrom(this.#byActor, waiter.actor, waiter)
    for (const slug of waiter.slugs) removeFrom(this.#bySlug, slug, waiter)
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
