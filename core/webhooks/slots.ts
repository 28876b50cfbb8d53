/**
 * Who may send next (extensions §6). So many deliveries are under way at once, over all targets and
 * for each agent and host. Targets that fail share a small part of the slots; targets that are not
 * known to answer quickly leave a part to those that are. Among those that are ready, the one that
 * held slots for the least time of late is next, so a slow receiver waits behind a quick one,
 * however many identities stand for it.
 */
import { LRUCache } from 'lru-cache'
import type { Limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'

const classes = ['quick', 'unknown', 'failing'] as const
type Class = (typeof classes)[number]

/** What slots are given to. */
export interface SlotTaker {
  readonly agentId: string
  /** Host and port; it may change. */
  readonly host: string
  readonly isFailing: boolean
  /** Whether it has something to send that may be sent now. */
  readonly isReady: boolean
}

/** A slot, to be given back once. */
export interface Slot {
  readonly host: string
  readonly class: Class
  readonly takenAt: number
}

interface Usage {
  /** Milliseconds in which it held slots; half as many count after each half-life. */
  readonly ms: number
  readonly at: number
  readonly isQuick: boolean
}

/** An answer within this time is quick. */
const quickMs = 1_000
const halfLifeMs = 60_000
/** Of usage: each stands for twice as much as the one before. */
const levels = 16
const usagesKept = 20_000

export class Slots<Taker extends SlotTaker> {
  readonly #runtime: Runtime
  readonly #limits: Limits
  readonly #usages = new LRUCache<string, Usage>({ max: usagesKept })
  /** Those that are ready, by class and usage. */
  readonly #ready = new Map<Class, Set<Taker>[]>(
    classes.map((name) => [name, Array.from({ length: levels }, () => new Set<Taker>())]),
  )
  readonly #placeOf = new Map<Taker, Set<Taker>>()
  /** Those that are ready and whose host has no room. */
  readonly #byHost = new Map<string, Set<Taker>>()
  readonly #taken = { quick: 0, unknown: 0, failing: 0 }
  readonly #ofAgent = new Map<string, number>()
  readonly #ofHost = new Map<string, number>()

  constructor(runtime: Runtime, limits: Limits) {
    this.#runtime = runtime
    this.#limits = limits
  }

  /** Takers that have something to send, also those that have to wait for room. */
  get readyCount(): number {
    return this.#placeOf.size
  }

  /** To be called whenever something of a taker changed. */
  offer(taker: Taker): void {
    this.withdraw(taker)
    if (!taker.isReady || !this.#hasAgentRoom(taker)) return
    const place = this.#ready.get(this.#classOf(taker))?.[this.#levelOf(taker.agentId)]
    if (place === undefined) return
    place.add(taker)
    this.#placeOf.set(taker, place)
  }

  /** Whether its last delivery was answered quickly. */
  isQuick(agentId: string): boolean {
    return this.#usages.get(agentId)?.isQuick === true
  }

  withdraw(taker: Taker): void {
    const place = this.#placeOf.get(taker)
    place?.delete(taker)
    this.#placeOf.delete(taker)
  }

  /** The next that has a slot from now on; `undefined`: none may. */
  take(): { readonly taker: Taker; readonly slot: Slot } | undefined {
    for (let level = 0; level < levels; level++) {
      for (const name of classes) {
        const [taker] = this.#hasClassRoom(name) ? (this.#ready.get(name)?.[level] ?? []) : []
        if (taker === undefined) continue
        if (!this.#hasHostRoom(taker.host)) {
          this.#park(taker)
          return this.take()
        }
        return { taker, slot: this.#give(taker, name) }
      }
    }
    return undefined
  }

  release(taker: Taker, { host, class: name, takenAt }: Slot, isAnswered: boolean): void {
    const ms = this.#runtime.elapsed() - takenAt
    const now = this.#runtime.elapsed()
    const isQuick = isAnswered && ms < quickMs
    this.#usages.set(taker.agentId, { ms: this.#usageOf(taker.agentId) + ms, at: now, isQuick })
    this.#taken[name] -= 1
    count(this.#ofAgent, taker.agentId, -1)
    count(this.#ofHost, host, -1)
    this.#offerParked(host, this.#limits.webhooksPerHostAtOnce)
  }

  /** In case somebody who was offered a host's room has not used it. */
  look(): void {
    for (const host of [...this.#byHost.keys()]) {
      this.#offerParked(host, this.#limits.webhooksPerHostAtOnce)
    }
  }

  /** A few at a time, however many wait for one host. */
  #offerParked(host: string, most: number): void {
    const parked = this.#byHost.get(host)
    if (parked === undefined) return
    for (const taker of first(parked, most)) this.offer(taker)
    if (parked.size === 0) this.#byHost.delete(host)
  }

  #give(taker: Taker, name: Class): Slot {
    this.withdraw(taker)
    this.#taken[name] += 1
    count(this.#ofAgent, taker.agentId, 1)
    count(this.#ofHost, taker.host, 1)
    return { host: taker.host, class: name, takenAt: this.#runtime.elapsed() }
  }

  /** Until a slot of its host is free. */
  #park(taker: Taker): void {
    this.withdraw(taker)
    const parked = this.#byHost.get(taker.host) ?? new Set()
    parked.add(taker)
    this.#byHost.set(taker.host, parked)
    this.#placeOf.set(taker, parked)
  }

  #classOf({ agentId, isFailing }: Taker): Class {
    if (isFailing) return 'failing'
    return this.isQuick(agentId) ? 'quick' : 'unknown'
  }

  #levelOf(agentId: string): number {
    const level = Math.floor(Math.log2(1 + this.#usageOf(agentId) / 16))
    return Math.min(level, levels - 1)
  }

  #usageOf(agentId: string): number {
    const { ms = 0, at = 0 } = this.#usages.get(agentId) ?? {}
    return ms * 0.5 ** ((this.#runtime.elapsed() - at) / halfLifeMs)
  }

  #hasClassRoom(name: Class): boolean {
    const { quick, unknown, failing } = this.#taken
    const { webhooksAtOnce, unknownWebhooksAtOnce, failingWebhooksAtOnce } = this.#limits
    if (quick + unknown + failing >= webhooksAtOnce) return false
    if (name === 'quick') return true
    if (unknown + failing >= unknownWebhooksAtOnce) return false
    return name === 'unknown' || failing < failingWebhooksAtOnce
  }

  #hasAgentRoom({ agentId, isFailing }: Taker): boolean {
    const most = isFailing ? 1 : this.#limits.webhooksPerAgentAtOnce
    return (this.#ofAgent.get(agentId) ?? 0) < most
  }

  #hasHostRoom(host: string): boolean {
    return (this.#ofHost.get(host) ?? 0) < this.#limits.webhooksPerHostAtOnce
  }
}

function first<T>(all: Iterable<T>, most: number): T[] {
  const found: T[] = []
  for (const one of all) {
    if (found.length === most) break
    found.push(one)
  }
  return found
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}
