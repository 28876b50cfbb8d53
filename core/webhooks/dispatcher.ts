/**
 * Sends what waits (extensions §6). The queue is in the store; in memory is what is due now, of
 * each target a part. Deliveries of one lane are sent one after the other: the next one when what
 * became of the one before is on disk. A crash between an answer and that commit sends the delivery
 * again, under the same id.
 */
import { laneDueKey, parseKey, targetDueKey, targetsDueBy } from '../../persistence/keys.ts'
import type { KeyedValue, Version } from '../../persistence/store.ts'
import type { Timer } from '../../schema/runtime.ts'
import { ConcurrencyLimit } from '../turns/concurrency-limit.ts'
import type { Attempts } from './attempts.ts'
import { type DeliveryContext, keepBounds } from './bounds.ts'
import { Settling } from './settling.ts'
import { type Slot, Slots } from './slots.ts'
import { EmptyLanes, type Lane, loadLanes, Target } from './target.ts'
import { type Hook, hookOf } from './target-state.ts'
import type { Queued } from './waiting-delivery.ts'

export interface DispatcherParts extends DeliveryContext {
  readonly attempts: Attempts
  /** Milliseconds from each failed attempt to the next one. */
  readonly retriesMs: readonly number[]
  readonly onTrouble: (error: unknown) => void
}

/** Deliveries that begin in one turn of the event loop: a part of those that may, within bounds. */
const sentInATurn = { least: 4, part: 1 / 16, most: 16 }
/** Targets that are read from the store. */
const loadedAtOnce = 64
/** Entries that are read together. */
const dueAtOnce = 500
const lookEveryMs = 30_000
const lookAtLeastMs = 50
const boundedEveryMs = 60_000
const againAfterMs = 1_000
/** A target for which there is no room waits so long. */
const deferredSeconds = 60
/** So much time has what is under way when the service stops. */
const stopWithinMs = 1_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #slots: Slots<Target>
  readonly #settling: Settling
  readonly #targets = new Map<string, Target>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #emptyLanes = new EmptyLanes()
  readonly #boundedAt = new Map<string, number>()
  readonly #loading: ConcurrencyLimit
  #isPumping = false
  #slow = 0
  #timer: Timer | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #isClosed = false

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#loading = new ConcurrencyLimit(parts.runtime, loadedAtOnce)
    this.#slots = new Slots(parts.runtime, parts.limits)
    this.#settling = new Settling({ ...parts, emptyLanes: this.#emptyLanes })
    this.#look()
  }

  /** `abort`: ends what is under way and did not end by itself. */
  async close(abort: () => void): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    const { runtime } = this.#parts
    const late = runtime.after(stopWithinMs, abort)
    // What waits for something else than the receiver is not waited for.
    await Promise.race([
      Promise.all(this.#underWay),
      new Promise<void>((resolve) => runtime.after(2 * stopWithinMs, resolve)),
    ])
    late.cancel()
  }

  get #second(): number {
    return Math.floor(this.#parts.runtime.now() / 1000)
  }

  #msUntil(second: number): number {
    return second * 1000 - this.#parts.runtime.now()
  }

  #do(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.#parts.onTrouble(error)
      this.#lookIn(againAfterMs)
    })
    this.#underWay.add(done)
    void done.then(() => this.#underWay.delete(done))
  }

  /**
   * What is queued is sent at once. Nothing relies on being told: what is due is looked for now and
   * then as well.
   */
  wake(queued: readonly Queued[], version: Version): void {
    for (const { agentId, delivery } of queued) {
      const second = Math.floor(delivery.dueAt / 1000)
      const entry = { key: targetDueKey(second, agentId), version }
      const isActive = this.#activate(agentId, entry, (target) => {
        const due = { key: laneDueKey(agentId, second, delivery.lane), version }
        target.hint({ record: delivery, version }, due)
      })
      if (!isActive) this.#emptyLanes.take(agentId, delivery.lane)
    }
  }

  #lookIn(ms: number): void {
    const { runtime } = this.#parts
    const waitMs = Math.max(ms, lookAtLeastMs)
    const at = runtime.elapsed() + waitMs
    if (this.#isClosed || at >= this.#timerAt) return
    this.#timer?.cancel()
    this.#timerAt = at
    this.#timer = runtime.after(waitMs, () => this.#look())
  }

  #look(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    this.#slots.look()
    this.#pump()
    this.#lookIn(lookEveryMs)
    this.#do(this.#findDue())
  }

  /** Targets that have something due, and when the next one has. */
  async #findDue(): Promise<void> {
    const { store, runtime } = this.#parts
    const second = this.#second
    for (let after: string | undefined, count = dueAtOnce; count === dueAtOnce; ) {
      count = 0
      const range = { ...targetsDueBy(second), ...(after !== undefined && { gt: after }) }
      for await (const found of store.scan({ ...range, limit: dueAtOnce })) {
        this.#found(found)
        after = found.key
        count += 1
      }
      if (count === dueAtOnce) await new Promise<void>((resolve) => runtime.inTurn(resolve))
      if (this.#isClosed) return
    }
    const later = { gte: targetDueKey(second + 1, '!'), lt: 'index/target-due0', limit: 1 }
    for await (const { key } of store.scan(later)) {
      this.#lookIn(this.#msUntil(Number(parseKey(key)?.path[1])))
    }
  }

  #found(entry: KeyedValue): void {
    const agentId = parseKey(entry.key)?.path.at(-1) ?? ''
    const isKnown = this.#targets.get(agentId)?.seen.get(entry.key) === entry.version
    if (isKnown) return
    this.#activate(agentId, entry, (target) => {
      target.isScanned = false
    })
  }

  /** False: it waits in the store. */
  #activate(
    agentId: string,
    entry: { readonly key: string; readonly version: Version },
    note: (target: Target) => void,
  ): boolean {
    if (this.#isClosed) return false
    const target = this.#targets.get(agentId) ?? this.#added(agentId)
    if (target === undefined) {
      const key = targetDueKey(this.#second + deferredSeconds, agentId)
      const puts = [{ key, value: new Uint8Array() }]
      this.#do(this.#parts.store.commit({ puts, deletes: [entry.key] }).then(() => undefined))
      return false
    }
    target.seen.set(entry.key, entry.version)
    note(target)
    this.#poke(target)
    return true
  }

  /** `undefined`: there is no room for a target that is not known to answer quickly. */
  #added(agentId: string): Target | undefined {
    const target = new Target(agentId, this.#slots.isQuick(agentId))
    if (!target.isQuick && this.#slow >= this.#parts.limits.webhookTargetsMax) return undefined
    if (!target.isQuick) this.#slow += 1
    this.#targets.set(agentId, target)
    return target
  }

  #poke(target: Target): void {
    target.isPoked = true
    if (target.isLoading || this.#isClosed) return
    target.isLoading = true
    this.#do(this.#loading.run(() => this.#load(target)))
  }

  async #load(target: Target): Promise<void> {
    const { store, limits } = this.#parts
    const emptyLanes = this.#emptyLanes
    try {
      while (target.isPoked && !this.#isClosed) {
        target.isPoked = false
        await this.#refresh(target)
        await this.#settling.tellOwner(target)
        await this.#keepBounds(target)
        await loadLanes(target, { store, limits, emptyLanes, second: this.#second })
        this.#slots.offer(target)
        this.#pump()
        if (target.isIdle) await this.#rest(target)
      }
    } catch (error) {
      // It is found again by its entries, and read from the store.
      target.seen.clear()
      target.isScanned = false
      target.hasMore = true
      throw error
    } finally {
      target.isLoading = false
    }
  }

  /** What is in memory of its state is newer than what is stored, unless the address changed. */
  async #refresh(target: Target): Promise<Hook | undefined> {
    const hook = await hookOf(this.#parts.store, target.agentId)
    target.host = hook === undefined ? '' : new URL(hook.url).host
    if (hook?.state.secretId !== target.state?.secretId) target.state = hook?.state
    return hook && { ...hook, state: target.state ?? hook.state }
  }

  /** Nothing of it is due: what says that something is goes. */
  async #rest(target: Target): Promise<void> {
    if (target.hasMore || target.isPoked) {
      target.isPoked = true
      target.isScanned = false
      return
    }
    const checks = [...target.seen].map(([key, version]) => ({ key, version }))
    target.seen.clear()
    const deletes = checks.map(({ key }) => key)
    const result = await this.#parts.store.commit({ checks, deletes })
    // One was written again meanwhile.
    if (!result.ok) target.isPoked = true
    if (!result.ok) target.isScanned = false
    if (!target.isPoked) this.#forget(target)
  }

  #forget(target: Target): void {
    this.#targets.delete(target.agentId)
    if (!target.isQuick) this.#slow -= 1
  }

  /** Now and then; more often where deliveries pile up. */
  async #keepBounds({ agentId, isFailing }: Target): Promise<void> {
    const { runtime } = this.#parts
    const now = runtime.elapsed()
    const everyMs = isFailing ? boundedEveryMs / 10 : boundedEveryMs
    if (now - (this.#boundedAt.get(agentId) ?? Number.NEGATIVE_INFINITY) < everyMs) return
    if (this.#boundedAt.size > this.#parts.limits.webhookTargetsMax) this.#boundedAt.clear()
    this.#boundedAt.set(agentId, now)
    await keepBounds(agentId, this.#parts)
  }

  /** Sends what may be sent, a few deliveries in a turn: others work live meanwhile. */
  #pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    this.#parts.runtime.inTurn(() => {
      this.#isPumping = false
      const part = Math.ceil(this.#slots.readyCount * sentInATurn.part)
      const most = Math.min(Math.max(sentInATurn.least, part), sentInATurn.most)
      for (let sent = 0; !this.#isClosed; sent++) {
        const next = sent < most ? this.#slots.take() : undefined
        if (next !== undefined) this.#do(this.#send(next.taker, next.slot))
        else if (sent === most) return this.#pump()
        else return
      }
    })
  }

  async #send(target: Target, slot: Slot): Promise<void> {
    const lane = target.nextLane()
    let isAnswered = false
    if (lane !== undefined) lane.isUnderWay = true
    this.#slots.offer(target)
    try {
      if (lane !== undefined) isAnswered = await this.#sendFirst(target, lane)
    } finally {
      if (lane !== undefined) lane.isUnderWay = false
      this.#slots.release(target, slot, isAnswered)
      this.#slots.offer(target)
      this.#pump()
      if (target.isAtRest) this.#forget(target)
      else if (lane === undefined || !target.lanes.has(lane.name)) {
        const isEmpty = lane !== undefined && this.#emptyLanes.has(target.agentId, lane.name)
        if (!isEmpty) target.isScanned = false
        if (!isEmpty || target.isIdle) this.#poke(target)
      }
    }
  }

  /** Whether it was delivered. */
  async #sendFirst(target: Target, lane: Lane): Promise<boolean> {
    const [first] = lane.queue
    if (first === undefined) throw new TypeError('a lane of nothing was to be sent')
    const { attempts, onTrouble } = this.#parts
    try {
      const hook = await this.#refresh(target)
      const outcome = await attempts
        .make(target.agentId, first.record, hook)
        .catch((error: unknown) => {
          onTrouble(error)
          return { kind: 'postponed' } as const
        })
      if (this.#isClosed && outcome.kind === 'postponed') return false
      const dueAt = await this.#settling.settle(target, lane, outcome)
      if (dueAt !== undefined) this.#lookIn(dueAt - this.#parts.runtime.now())
      return outcome.kind === 'delivered'
    } catch (error) {
      // It is read anew.
      target.lanes.delete(lane.name)
      throw error
    }
  }
}
