/**
 * The deliveries of one agent that are due, as far as they are in memory: a few lanes, and of each
 * the first few. The rest waits in the store and is read when these are sent.
 */
import { LRUCache } from 'lru-cache'
import {
  deliveryInLane,
  deliveryKey,
  indexRange,
  lanesDueBy,
  parseKey,
} from '../../persistence/keys.ts'
import type { Check, Store, Version } from '../../persistence/store.ts'
import type { Limits } from '../../schema/limits.ts'
import { readRecords, type Versioned } from '../records/records.ts'
import { type WebhookState, webhookRecords } from '../records/webhook-records.ts'
import type { SlotTaker } from './slots.ts'
import type { WaitingDelivery } from './waiting-delivery.ts'

export interface Lane {
  readonly name: string
  /** The first is sent next. */
  readonly queue: Versioned<WaitingDelivery>[]
  /** The entries that say that it is due. They go when it is empty, or waits for a retry. */
  due: Check[]
  isUnderWay: boolean
  /** The store may have more than the queue. */
  hasMore: boolean
}

/** What is new in a lane. */
interface News {
  /** The entries that say that it is due. */
  readonly due: readonly Check[]
  /** What was queued of late. Empty: it is to be read. */
  readonly queued: readonly Versioned<WaitingDelivery>[]
}

const emptyLanesKept = 20_000

/**
 * Lanes that had nothing in the store when they were last sent. What is queued in one of these is
 * all there is in it, so it is not read.
 */
export class EmptyLanes {
  readonly #known = new LRUCache<string, true>({ max: emptyLanesKept })

  add(agentId: string, lane: string): void {
    this.#known.set(`${agentId}/${lane}`, true)
  }

  has(agentId: string, lane: string): boolean {
    return this.#known.has(`${agentId}/${lane}`)
  }

  /** Whether it was one. It is none from now on. */
  take(agentId: string, lane: string): boolean {
    return this.#known.delete(`${agentId}/${lane}`)
  }
}

export class Target implements SlotTaker {
  readonly agentId: string
  readonly isQuick: boolean
  host = ''
  state: WebhookState | undefined
  readonly lanes = new Map<string, Lane>()
  /** The entries that say that something of this target is due. */
  readonly seen = new Map<string, Version>()
  /** Something may have been added since it was loaded. */
  isPoked = false
  isLoading = false
  /** More lanes are due than are in memory. */
  hasMore = false
  /** Lanes that are due are known, but for those in `#hints`. */
  isScanned = true
  #hints = new Map<string, News>()

  constructor(agentId: string, isQuick: boolean) {
    this.agentId = agentId
    this.isQuick = isQuick
  }

  get isFailing(): boolean {
    return this.state?.failingSince !== undefined
  }

  get isReady(): boolean {
    return this.nextLane() !== undefined
  }

  get isIdle(): boolean {
    return this.lanes.size === 0
  }

  /** Nothing of it is due, and nothing says that something is. */
  get isAtRest(): boolean {
    return this.isIdle && this.seen.size === 0 && !this.#mayHaveMore
  }

  /** The entries that go when this lane is the last, and over. */
  seenWith(lane: Lane): readonly Check[] {
    const isLast = this.lanes.size === 1 && this.lanes.has(lane.name)
    if (!isLast || this.#mayHaveMore) return []
    return [...this.seen].map(([key, version]) => ({ key, version }))
  }

  get #mayHaveMore(): boolean {
    return this.hasMore || this.isPoked || this.isLoading
  }

  /** This was queued. */
  hint(delivery: Versioned<WaitingDelivery>, entry: Check): void {
    const { lane } = delivery.record
    const { due = [], queued = [] } = this.#hints.get(lane) ?? {}
    const others = due.filter(({ key }) => key !== entry.key)
    this.#hints.set(lane, { due: [...others, entry], queued: [...queued, delivery] })
  }

  takeHints(): ReadonlyMap<string, News> {
    const hints = this.#hints
    this.#hints = new Map()
    return hints
  }

  nextLane(): Lane | undefined {
    for (const lane of this.lanes.values()) {
      if (!lane.isUnderWay && lane.queue.length > 0) return lane
    }
    return undefined
  }

  /** Other lanes come first now. */
  toTheEnd(lane: Lane): void {
    this.lanes.delete(lane.name)
    this.lanes.set(lane.name, lane)
  }
}

export interface LoadContext {
  readonly store: Store
  readonly limits: Limits
  readonly emptyLanes: EmptyLanes
  /** Since the epoch. */
  readonly second: number
}

/** Entries of one target that are read together: each lane may have one for each second. */
const entriesAtOnce = 256

/** Takes in lanes that are due, as many as there is room for. */
export async function loadLanes(target: Target, context: LoadContext): Promise<void> {
  const { store, limits, emptyLanes } = context
  const { agentId, lanes, isScanned } = target
  const hints = target.takeHints()
  const found = isScanned ? hints : await dueLanes(target, context)
  const stale: Check[] = []
  for (const [name, { due, queued }] of found) {
    const known = lanes.get(name)
    const wasEmpty = emptyLanes.take(agentId, name) && isScanned
    if (known !== undefined) notice(known, { due, queued }, limits)
    else if (lanes.size >= limits.webhookLanesMax) target.hasMore = true
    else if (wasEmpty) {
      const lane = { name, queue: [], due: [], isUnderWay: false, hasMore: false }
      notice(lane, { due, queued }, limits)
      lanes.set(name, lane)
    } else if (!(await addLane(target, { name, due: [...due] }, context))) stale.push(...due)
  }
  if (stale.length === 0) return
  const result = await store.commit({ checks: stale, deletes: stale.map(({ key }) => key) })
  // One was written again: there is something new in its lane.
  if (!result.ok) {
    target.isPoked = true
    target.isScanned = false
  }
}

/** All that are due, or as many as are read together. */
async function dueLanes(
  target: Target,
  { store, second }: LoadContext,
): Promise<ReadonlyMap<string, News>> {
  target.isScanned = true
  const found = new Map<string, News>()
  let entries = 0
  const range = { ...lanesDueBy(target.agentId, second), limit: entriesAtOnce }
  for await (const { key, version } of store.scan(range)) {
    const name = parseKey(key)?.path.at(-1) ?? ''
    const { due = [] } = found.get(name) ?? {}
    found.set(name, { due: [...due, { key, version }], queued: [] })
    entries += 1
  }
  target.hasMore = entries === entriesAtOnce
  return found
}

/** More came into a lane that is in memory, or into one that was empty. */
function notice(lane: Lane, { due, queued }: News, limits: Limits): void {
  let isNew = false
  for (const check of due) {
    const at = lane.due.findIndex(({ key }) => key === check.key)
    if (lane.due[at]?.version === check.version) continue
    isNew = true
    if (at < 0) lane.due.push(check)
    else lane.due[at] = check
  }
  if (!isNew) return
  if (queued.length === 0) lane.hasMore = true
  for (const delivery of queued.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1))) {
    const last = lane.queue.at(-1)?.record.id ?? ''
    const isNext = last < delivery.record.id && lane.queue.length < limits.webhookLaneMax
    // What cannot be put behind the others is read when these are sent.
    if (isNext && !lane.hasMore) lane.queue.push(delivery)
    else lane.hasMore = true
  }
}

/** False: there is nothing to send now. */
async function addLane(
  target: Target,
  { name, due }: Pick<Lane, 'name' | 'due'>,
  { store, limits, second }: LoadContext,
): Promise<boolean> {
  const { agentId } = target
  const ids: string[] = []
  const range = indexRange('delivery-lane', agentId, name)
  for await (const { key } of store.scan({ ...range, limit: limits.webhookLaneMax })) {
    ids.push(parseKey(key)?.path.at(-1) ?? '')
  }
  const keys = ids.map((id) => deliveryKey(agentId, id))
  const read = await readRecords(store, keys, webhookRecords.delivery)
  const queue: Versioned<WaitingDelivery>[] = []
  const lost: string[] = []
  for (const [index, id] of ids.entries()) {
    const found = read[index]
    const delivery = found?.record
    if (found === undefined || delivery === undefined || !isWaiting(delivery)) {
      lost.push(deliveryInLane(agentId, name, id))
    } else queue.push({ record: delivery, version: found.version })
  }
  if (lost.length > 0) await store.commit({ deletes: lost })
  const isFull = ids.length === limits.webhookLaneMax
  const [first] = queue
  if (first === undefined && !isFull) return false
  if (first !== undefined && Math.floor(first.record.dueAt / 1000) > second) return false
  if (first === undefined) target.hasMore = true
  else target.lanes.set(name, { name, queue, due, isUnderWay: false, hasMore: isFull })
  return true
}

const isWaiting = (delivery: { lane?: string; dueAt?: number }): delivery is WaitingDelivery =>
  delivery.lane !== undefined && delivery.dueAt !== undefined
