/**
 * Cuts a large update into parts that can be judged, applied and stored one after the other, each
 * as an update of its own. Invariants: applied in order the parts are the update; after each of
 * them the document has whole top-level blocks (a new block comes with all that the update puts
 * into it; characters typed in what is there may come bit by bit, where nothing else comes there);
 * what was there before is deleted by the last part. Only finds the places to cut: whether the
 * parts may come in is judged as for any update.
 */
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import type { Steps } from '../../../schema/steps.ts'
import { inCausalOrder } from '../../yjs/causal-order.ts'
import type { StructId } from '../../yjs/struct-id.ts'
import type { Known } from './known.ts'
import { causally, type OrderedStruct, writeParts } from './part-writer.ts'
import type { DeletedRange, ParsedUpdate, Section, Struct } from './update-reader.ts'

/** What an update that is to be cut does to what is there, beside what it brings. */
export interface Removal {
  readonly deleted: readonly DeletedRange[]
  /** Ids of blocks that it brings. */
  readonly ids: ReadonlySet<BlockId>
}

/**
 * The parts; undefined where the update has to go whole, for whatever reason. Found in steps,
 * between which nobody may write to the document.
 */
export function* partingOf(
  update: Uint8Array,
  { sections, deleted }: ParsedUpdate,
  facts: {
    readonly known: Known
    readonly limits: Limits
    mayComeLast(removal: Removal): boolean
  },
): Steps<readonly Uint8Array[] | undefined> {
  const { known, limits } = facts
  const order = yield* ordering(sections, known)
  if (order === undefined) return undefined
  const tops = yield* findingTops(order, known)
  const partBytes = Math.max(limits.updatePartBytes, update.length / limits.updatePartsMax)
  const cuts = yield* cutting(order, tops, partBytes)
  if (cuts.length === 0 || changesTables(order, tops)) return undefined
  const fresh = new FreshRanges(sections, known)
  const old = deleted.filter((range) => !fresh.holds(range))
  if (old.some(({ client, end }) => end > known.next(client))) return undefined
  if (old.length > 0) {
    if (order.some(({ struct }) => nameOf(struct) === 'front_matter')) return undefined
    if (!facts.mayComeLast({ deleted: old, ids: idsIn(sections) })) return undefined
  }
  yield
  const parts = [0, ...cuts].map((from, index) => order.slice(from, cuts[index]))
  const own = deleted.filter((range) => fresh.holds(range))
  yield
  return writeParts(update, parts, { own, old })
}

/** All structs that are not known, each after what it refers to; undefined where there are gaps. */
function* ordering(sections: readonly Section[], known: Known): Steps<OrderedStruct[] | undefined> {
  const rows: Section[] = []
  for (const { client, structs } of sections) {
    const next = known.next(client)
    const unknown = structs.filter(({ clock, length }) => clock + length > next)
    if (unknown.some(({ content }) => content.kind === 'skip')) return undefined
    const [first] = unknown
    if (first === undefined) continue
    if (first.clock !== next) return undefined
    rows.push({ client, structs: unknown })
  }
  const walk = inCausalOrder(
    rows,
    causally((id) => known.has(id)),
  )
  const order: OrderedStruct[] = []
  for (let next = walk.next(); ; next = walk.next()) {
    if (next.done === true) return next.value ? order : undefined
    if (order.push(next.value) % structsAtOnce === 0) yield
  }
}

/** Structs looked at between two places at which the work may be interrupted. */
const structsAtOnce = 1_024

/** Stands for a struct that goes into what is there already. */
const nowhere = Number.POSITIVE_INFINITY

/** For each struct the place in the order of the top-level block that it is, or is in. */
function* findingTops(order: readonly OrderedStruct[], known: Known): Steps<readonly number[]> {
  const placeOf = yield* findingPlaces(order)
  const tops: number[] = []
  for (const [at, { struct }] of order.entries()) {
    if (at % structsAtOnce === 0) yield
    const { origin, rightOrigin, parent } = struct
    const beside = origin ?? rightOrigin
    if (parent === 'root') tops.push(at)
    else if (parent !== undefined) tops.push(tops[placeOf(parent)] ?? nowhere)
    else if (beside === undefined) tops.push(nowhere)
    else {
      const sibling = placeOf(beside)
      const isTop = sibling < 0 ? isTopLevel(known, beside) : tops[sibling] === sibling
      tops.push(isTop ? at : (tops[sibling] ?? nowhere))
    }
  }
  return tops
}

const isTopLevel = (known: Known, id: StructId): boolean => {
  const { holder, sub } = known.find(id).slot
  return holder.kind === 'root' && sub === undefined
}

/** Finds the place in the order of the struct that has an id; -1: it is known already. */
function* findingPlaces(order: readonly OrderedStruct[]): Steps<(id: StructId) => number> {
  const places = new Map<number, { readonly ends: number[]; readonly at: number[] }>()
  for (const [at, { row, struct }] of order.entries()) {
    if (at % structsAtOnce === 0) yield
    const own = places.get(row.client) ?? { ends: [], at: [] }
    places.set(row.client, own)
    own.ends.push(struct.clock + struct.length)
    own.at.push(at)
  }
  return ({ client, clock }) => {
    const own = places.get(client)
    const first = order[own?.at[0] ?? -1]?.struct
    if (own === undefined || first === undefined || clock < first.clock) return -1
    let [low, high] = [0, own.ends.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((own.ends[middle] ?? 0) <= clock) low = middle + 1
      else high = middle
    }
    return own.at[low] ?? -1
  }
}

/** Whether tables that are there get rows or cells: between two of those they would be ragged. */
const changesTables = (order: readonly OrderedStruct[], tops: readonly number[]): boolean =>
  order.some(({ struct }, at) => tops[at] === nowhere && nameOf(struct).startsWith('table_'))

const nameOf = ({ content }: Struct): string => (content.kind === 'element' ? content.name : '')

/** Where a part may begin and is long enough: no block before it gets anything from then on. */
function* cutting(
  order: readonly OrderedStruct[],
  tops: readonly number[],
  partBytes: number,
): Steps<readonly number[]> {
  const typesOnly = order.every(({ struct }, at) => tops[at] !== nowhere || isTyped(struct))
  yield
  const isAlone: boolean[] = []
  let earliest = nowhere
  for (let at = order.length - 1; at > 0; at--) {
    if (at % structsAtOnce === 0) yield
    const top = tops[at] ?? nowhere
    earliest = Math.min(earliest, top)
    const isTop = top === at || (top === nowhere && typesOnly && isLike(order[at - 1], order[at]))
    isAlone[at] = isTop && earliest >= at
  }
  const cuts: number[] = []
  const halfDone = new Set<OrderedStruct['row']>()
  let bytes = 0
  for (const [at, { row, index, struct }] of order.entries()) {
    if (at % structsAtOnce === 0) yield
    // What another client wrote in one go may only be half there.
    const others = halfDone.size - (halfDone.has(row) ? 1 : 0)
    if (isAlone[at] && others === 0 && bytes >= partBytes) {
      cuts.push(at)
      bytes = 0
    }
    bytes += struct.to - struct.from
    if (index === row.structs.length - 1) halfDone.delete(row)
    else halfDone.add(row)
  }
  return cuts
}

/** Characters, what is left of such, or a mark of whose they are. */
function isTyped({ content }: Struct): boolean {
  if (content.kind === 'format') return content.printedBytes === 0
  return content.kind === 'string' || content.kind === 'deleted' || content.kind === 'gc'
}

/** Between a mark and characters nothing is cut: the mark ends behind them. */
const isLike = (one: OrderedStruct | undefined, next: OrderedStruct | undefined): boolean =>
  one?.struct.content.kind === next?.struct.content.kind

/** The clocks that an update brings. */
class FreshRanges {
  readonly #known: Known
  readonly #ends = new Map<number, number>()

  constructor(sections: readonly Section[], known: Known) {
    this.#known = known
    for (const { client, structs } of sections) {
      const last = structs.at(-1)
      if (last !== undefined) this.#ends.set(client, last.clock + last.length)
    }
  }

  /** Whether all of the range is among them. */
  holds({ client, clock, end }: DeletedRange): boolean {
    return clock >= this.#known.next(client) && end <= (this.#ends.get(client) ?? 0)
  }
}

function idsIn(sections: readonly Section[]): ReadonlySet<BlockId> {
  const ids = new Set<BlockId>()
  for (const { structs } of sections) {
    for (const { content } of structs) {
      if (content.kind !== 'values') continue
      for (const value of content.values) if (isBlockId(value)) ids.add(value)
    }
  }
  return ids
}
