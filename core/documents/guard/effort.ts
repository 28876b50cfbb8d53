/**
 * Estimates what Yjs will spend to merge an update beyond reading it, in steps of about a
 * microsecond, and refuses what would hold up the service: 50 KB of insertions at the two far ends
 * of a long list took 24 s. Yjs walks over all items between the neighbours that an insertion
 * names, moves a client's array of structs when it splits one, and cleans up formats around each
 * deleted piece of a text. Invariant: never far below what Yjs spends; about one step a struct for
 * what editors send.
 */
import type { ActorId } from '../../../schema/ids.ts'
import type { Cluster, FreshStruct, Holder, Latest, Place } from './fresh-structs.ts'
import { type Known, nowhere } from './known.ts'
import { Unfit } from './unfit.ts'
import type { DeletedRange, Id } from './update-reader.ts'

/** What the updates of one actor that are applied together may cost: about half a second. */
const effortMax = 500_000
/** Yjs moves this many references in one step. */
const movesPerStep = 100_000
/** Format clean-up looks at this many items in one step. */
const looksPerStep = 400

interface Insertion {
  readonly place: Place
  readonly origin: Id | undefined
  readonly rightOrigin: Id | undefined
}

const countUp = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1)

/**
 * What was judged since updates were last applied. Structs of refused updates stay counted: an
 * estimate may be too high.
 */
export class Judged {
  readonly byActor = new Map<ActorId, number>()
  /** Pieces of each text that are deleted; cleaning up around them takes time by the square. */
  readonly pieces = new Map<Holder, number>()
  /** Fresh structs of each holder. */
  readonly crowds = new Map<Holder, number>()
  /** By item of the Y.Doc: clusters that may stand behind it, having passed it. */
  readonly passers = new Map<object, Cluster[]>()
  /** By item of the Y.Doc: fresh structs behind one of its clocks. */
  readonly within = new Map<object, number>()
  readonly #behind = new Map<number, Map<number, Cluster>>()
  readonly #first = new Map<Holder, Map<string, Cluster>>()

  /** The cluster behind an applied id, or at the beginning of a place. */
  cluster(origin: Id | undefined, { holder, sub }: Place, item: object | undefined): Cluster {
    if (origin === undefined) return clusterIn(this.#first, holder, [sub ?? '', undefined])
    return clusterIn(this.#behind, origin.client, [origin.clock, item])
  }
}

function clusterIn<K, L>(
  map: Map<K, Map<L, Cluster>>,
  key: K,
  [inner, item]: readonly [L, object | undefined],
): Cluster {
  const clusters = map.get(key) ?? new Map<L, Cluster>()
  const cluster = clusters.get(inner) ?? { size: 0, item, passing: false }
  map.set(key, clusters.set(inner, cluster))
  return cluster
}

const nowhereCluster: Cluster = { size: 0, item: undefined, passing: false }

export class Effort {
  #steps = 0
  readonly #known: Known
  readonly #judged: Judged
  readonly #actor: ActorId

  constructor(known: Known, judged: Judged, actor: ActorId) {
    this.#known = known
    this.#judged = judged
    this.#actor = actor
  }

  get steps(): number {
    return Math.ceil(this.#steps)
  }

  /** The update will be applied with the others. */
  admit(): void {
    const { byActor } = this.#judged
    byActor.set(this.#actor, (byActor.get(this.#actor) ?? 0) + this.#steps)
  }

  /**
   * Counts an insertion; answers the cluster it is in, and whether it stands right beside its
   * origin.
   */
  insert(insertion: Insertion): { readonly cluster: Cluster; readonly tight: boolean } {
    const { place, origin, rightOrigin } = insertion
    if (place.holder === nowhere.holder) return { cluster: nowhereCluster, tight: true }
    const left = origin && this.#known.fresh(origin)
    const [cluster, walk] = left ? this.#walkFrom(left, insertion) : this.#walk(insertion)
    this.#spend(1 + walk)
    if (origin !== undefined) this.#split(origin, origin.clock + 1)
    if (rightOrigin !== undefined) this.#split(rightOrigin, rightOrigin.clock)
    cluster.size++
    countUp(this.#judged.crowds, place.holder)
    if (cluster.item !== undefined) countUp(this.#judged.within, cluster.item)
    return { cluster, tight: walk === 0 }
  }

  /** Counts a deletion; answers whether anything in the range is not deleted yet. */
  delete(range: DeletedRange): boolean {
    let live = false
    for (const { place, deleted, own, clock, end } of this.#known.within(range)) {
      if (deleted) continue
      live = true
      if (clock < range.clock) this.#splitOf(range.client)
      if (range.end < end) this.#splitOf(range.client)
      if (own !== undefined || place.holder.kind !== 'text') continue
      countUp(this.#judged.pieces, place.holder)
      this.#spend((2 * (this.#judged.pieces.get(place.holder) ?? 0)) / looksPerStep)
    }
    return live
  }

  /** The items that Yjs passes behind a neighbour that is applied, or from the beginning. */
  #walk({ place, origin, rightOrigin }: Insertion): [Cluster, number] {
    const right = this.#known.docRight(rightOrigin)
    const { left, items } = this.#known.between(place, { origin, right }, effortMax)
    const cluster = this.#judged.cluster(origin, place, left)
    const latest = this.#known.latest(origin, place)
    if (items.length > 0) return this.#pass(cluster, place.holder, items)
    const beside = latest === undefined || isBeside(latest, rightOrigin)
    return [cluster, beside ? 0 : this.#near(cluster, place.holder)]
  }

  #pass(cluster: Cluster, holder: Holder, items: readonly object[]): [Cluster, number] {
    const { passers, within } = this.#judged
    const passing: Cluster = { size: 0, item: cluster.item, passing: true }
    let walk = items.length + this.#near(cluster, holder)
    for (const item of items) {
      walk += within.get(item) ?? 0
      const others = passers.get(item)
      if (others === undefined) passers.set(item, [passing])
      else others.push(passing)
    }
    return [passing, walk]
  }

  /** The same behind a fresh neighbour; there only fresh structs can be passed. */
  #walkFrom(left: FreshStruct, { place, origin, rightOrigin }: Insertion): [Cluster, number] {
    const { cluster } = left
    const latest = this.#known.latest(origin, place)
    if (latest !== undefined) {
      return [cluster, isBeside(latest, rightOrigin) ? 0 : this.#near(cluster, place.holder)]
    }
    const inside = origin !== undefined && origin.clock + 1 < left.end
    const rest =
      rightOrigin?.client === origin?.client && rightOrigin?.clock === (origin?.clock ?? 0) + 1
    return [cluster, inside && !rest ? this.#near(cluster, place.holder) : 0]
  }

  /** Fresh structs that may stand next to those of a cluster, itself included. */
  #near({ size, item, passing }: Cluster, holder: Holder): number {
    if (passing || item === undefined) return 1 + (this.#judged.crowds.get(holder) ?? 0)
    const passers = this.#judged.passers.get(item) ?? []
    return passers.reduce((sum, passer) => sum + passer.size, 1 + size)
  }

  #split(id: Id, at: number): void {
    if (this.#known.isInside(id, at)) this.#splitOf(id.client)
  }

  #splitOf(client: number): void {
    this.#spend(1 + this.#known.count(client) / movesPerStep)
  }

  #spend(steps: number): void {
    this.#steps += steps
    if ((this.#judged.byActor.get(this.#actor) ?? 0) + this.#steps > effortMax) {
      throw new Unfit(4413, 'the update would take too long to merge')
    }
  }
}

const isBeside = ({ id, tight }: Latest, right: Id | undefined): boolean =>
  tight && right !== undefined && right.client === id.client && right.clock === id.clock
