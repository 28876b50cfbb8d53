/**
 * Estimates what Yjs will spend to merge an update beyond reading it, in looks at a struct, each of
 * up to a microsecond, and stops at what would hold up the service: 50 KB of insertions at the two
 * far ends of a long list took 24 s. Yjs walks over all items between the neighbours that an
 * insertion names, and moves a client's array of structs when it splits one. Invariant: never far
 * below what Yjs spends; about one look a struct for what editors send; takes about as many looks
 * itself, and memory that does not grow with the walks.
 */

import { pointsMin } from '../../../schema/yjs/split-ahead.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import type { Cluster, FreshStruct, Holder, Latest, Slot } from './fresh-structs.ts'
import { type KnownStructs, nowhere, type StructSpan } from './known-structs.ts'
import { Costly } from './unfit.ts'
import type { DeletedRange } from './update-reader.ts'

/** Yjs moves this many references in one step. */
const movesPerStep = 3_000
/** Structs that are passed in one step where many are divided. */
const passedPerStep = 50
/** Of a longer walk it is only known in which list it was. */
const rememberedWalk = 64

interface Insertion {
  readonly slot: Slot
  readonly origin: StructId | undefined
  readonly rightOrigin: StructId | undefined
}

export interface Inserted {
  readonly cluster: Cluster
  /** It stands right beside its origin. */
  readonly tight: boolean
  /** No other fresh struct can stand between it and its origin. */
  readonly clear: boolean
}

const countUp = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1)

/**
 * What was judged since updates were last applied. Structs of updates that were not admitted stay
 * counted while others wait: an estimate may be too high then.
 */
export class EffortEstimate {
  /** Fresh structs of each holder. */
  readonly crowds = new Map<Holder, number>()
  #passers: Map<object, Cluster[]> | undefined
  #wanderers: Map<Holder, number> | undefined
  /** By item of the Y.Doc: fresh structs behind one of its clocks. */
  readonly within = new Map<object, number>()
  readonly #behind = new Map<number, Map<number, Cluster>>()
  // Made when they are needed, as those above: a key needs none.
  #first: Map<Holder, Map<string, Cluster>> | undefined

  /** Clusters that may stand behind an item of the Y.Doc, having passed it. */
  passersOf(item: object): readonly Cluster[] {
    return this.#passers?.get(item) ?? []
  }

  pass(item: object, cluster: Cluster): void {
    this.#passers ??= new Map()
    const others = this.#passers.get(item)
    if (others === undefined) this.#passers.set(item, [cluster])
    else others.push(cluster)
  }

  /** Fresh structs that have passed more items than are remembered one by one. */
  wanderersIn(holder: Holder): number {
    return this.#wanderers?.get(holder) ?? 0
  }

  wander(holder: Holder): void {
    this.#wanderers ??= new Map()
    countUp(this.#wanderers, holder)
  }

  /** The cluster behind an applied id, or at the beginning of a slot. */
  cluster(origin: StructId | undefined, { holder, sub }: Slot, item: object | undefined): Cluster {
    if (origin !== undefined) {
      return clusterIn(this.#behind, origin.client, { inner: origin.clock, item })
    }
    this.#first ??= new Map()
    return clusterIn(this.#first, holder, { inner: sub ?? '', item: undefined })
  }
}

function clusterIn<K, L>(
  map: Map<K, Map<L, Cluster>>,
  key: K,
  { inner, item }: { readonly inner: L; readonly item: object | undefined },
): Cluster {
  const clusters = map.get(key) ?? new Map<L, Cluster>()
  const cluster = clusters.get(inner) ?? { size: 0, item, walked: 'nothing' }
  map.set(key, clusters.set(inner, cluster))
  return cluster
}

/** How many looks there may be. */
export interface EffortBound {
  readonly effortMax: number
  /** So many more, one for each struct that comes or goes: those are looked at in a row. */
  readonly ownMax: number
}

const nowhereCluster: Cluster = { size: 0, item: undefined, walked: 'nothing' }

export class Effort {
  #looks = 0
  /** Where items are split already, by client: twice at one place is once. */
  #splits: Map<number, Set<number>> | undefined
  readonly #known: KnownStructs
  readonly #judged: EffortEstimate
  readonly #bound: EffortBound
  /** Of the looks those at what it brings and takes itself. */
  #own = 0

  /** Throws `Costly` once there would be more looks than that. */
  constructor(known: KnownStructs, judged: EffortEstimate, bound: EffortBound) {
    this.#known = known
    this.#judged = judged
    this.#bound = bound
  }

  get #most(): number {
    return this.#bound.effortMax + Math.min(this.#own, this.#bound.ownMax)
  }

  get looks(): number {
    return Math.ceil(this.#looks)
  }

  /** Counts an insertion; answers the cluster it is in, and what is between it and its origin. */
  insert(insertion: Insertion): Inserted {
    const { slot, origin, rightOrigin } = insertion
    const { holder } = slot
    if (holder === nowhere.holder) return { cluster: nowhereCluster, tight: true, clear: true }
    const left = origin && this.#known.fresh(origin)
    const [cluster, walk] = left ? this.#walkFrom(left, insertion) : this.#walk(insertion)
    const isFirst = cluster.size === 0 || this.#inFront(insertion) !== undefined
    const clear = left === undefined && isFirst && this.#others(cluster, holder) === 0
    this.#own++
    this.#spend(1 + walk)
    if (origin !== undefined) this.#split(origin, origin.clock + 1)
    if (rightOrigin !== undefined) this.#split(rightOrigin, rightOrigin.clock)
    cluster.size++
    if (cluster.walked === 'far') this.#judged.wander(holder)
    countUp(this.#judged.crowds, holder)
    if (cluster.item !== undefined) countUp(this.#judged.within, cluster.item)
    return { cluster, tight: walk === 0, clear }
  }

  /** Counts a deletion; answers whether anything in the range is not deleted yet. */
  delete(range: DeletedRange): boolean {
    let live = false
    for (const span of this.#known.within(range)) if (this.#erase(range, span)) live = true
    return live
  }

  #erase(range: DeletedRange, { deleted, clock, end }: StructSpan): boolean {
    if (deleted) return false
    this.#own++
    this.#spend(1)
    if (clock < range.clock) this.#splitAt(range.client, range.clock)
    if (range.end < end) this.#splitAt(range.client, range.end)
    return true
  }

  /** The items that Yjs passes behind a neighbour that is applied, or from the beginning. */
  #walk(insertion: Insertion): [Cluster, number] {
    const { slot, origin, rightOrigin } = insertion
    const right = this.#known.docRight(rightOrigin)
    const { within } = this.#judged
    const near: object[] = []
    let crowd = 0
    const { left, count } = this.#known.between(slot, { origin, right }, (item, index) => {
      if (within.size > 0) crowd += within.get(item) ?? 0
      if (index < rememberedWalk) near.push(item)
      return this.#looks + index + crowd <= this.#most
    })
    const isWhole = this.#looks + count + crowd <= this.#most
    const next = count > 0 && isWhole ? this.#inFront(insertion) : undefined
    if (next !== undefined) return [next, count + this.#others(next, slot.holder)]
    const cluster = this.#judged.cluster(origin, slot, left)
    if (count > 0) {
      const looks = count + crowd + this.#near(cluster, slot.holder)
      return [this.#passing(cluster, near, count), looks]
    }
    const latest = this.#known.latest(origin, slot)
    const beside = latest === undefined || isAdjacent(latest, rightOrigin)
    return [cluster, beside ? 0 : this.#near(cluster, slot.holder)]
  }

  #passing({ item }: Cluster, near: readonly object[], count: number): Cluster {
    if (count > near.length) return { size: 0, item, walked: 'far' }
    const passing: Cluster = { size: 0, item, walked: 'near' }
    for (const passed of near) this.#judged.pass(passed, passing)
    return passing
  }

  /** The same behind a fresh neighbour; there only fresh structs can be passed. */
  #walkFrom(left: FreshStruct, { slot, origin, rightOrigin }: Insertion): [Cluster, number] {
    const { cluster } = left
    const latest = this.#known.latest(origin, slot)
    if (latest !== undefined) {
      return [cluster, isAdjacent(latest, rightOrigin) ? 0 : this.#near(cluster, slot.holder)]
    }
    const inside = origin !== undefined && origin.clock + 1 < left.end
    const rest =
      rightOrigin?.client === origin?.client && rightOrigin?.clock === (origin?.clock ?? 0) + 1
    return [cluster, inside && !rest ? this.#near(cluster, slot.holder) : 0]
  }

  /** Fresh structs that may stand next to those of a cluster, itself included. */
  #near({ size, item, walked }: Cluster, holder: Holder): number {
    const judged = this.#judged
    if (walked !== 'nothing' || item === undefined) return 1 + (judged.crowds.get(holder) ?? 0)
    const around = 1 + size + judged.wanderersIn(holder)
    return judged.passersOf(item).reduce((sum, passer) => sum + passer.size, around)
  }

  /**
   * The cluster of the struct that was put beside the same origin last, if this one goes between
   * the two and nothing fresh was there: what came before that one is behind it.
   */
  #inFront({ slot, origin, rightOrigin }: Insertion): Cluster | undefined {
    const latest = this.#known.latest(origin, slot)
    if (latest?.clear !== true || !isRight(latest, rightOrigin)) return undefined
    return this.#known.fresh(latest.id)?.cluster
  }

  /** Fresh structs of the same place that are not of this cluster. */
  #others({ size }: Cluster, holder: Holder): number {
    return (this.#judged.crowds.get(holder) ?? 0) - size
  }

  #split(id: StructId, at: number): void {
    if (this.#known.isInside(id, at)) this.#splitAt(id.client, at)
  }

  /** The first ones are divided one by one, many in one pass (`dividing.ts`). */
  #splitAt(client: number, clock: number): void {
    this.#splits ??= new Map()
    const known = this.#splits.get(client) ?? new Set()
    if (known.has(clock)) return
    this.#splits.set(client, known.add(clock))
    const count = this.#known.count(client)
    const isPass = known.size === pointsMin
    this.#spend(
      1 + (isPass ? count / passedPerStep : known.size < pointsMin ? count / movesPerStep : 0),
    )
  }

  #spend(looks: number): void {
    this.#looks += looks
    if (this.#looks > this.#most) throw new Costly()
  }
}

const isRight = ({ id }: Latest, right: StructId | undefined): boolean =>
  right !== undefined && right.client === id.client && right.clock === id.clock

const isAdjacent = (latest: Latest, right: StructId | undefined): boolean =>
  latest.tight && isRight(latest, right)
