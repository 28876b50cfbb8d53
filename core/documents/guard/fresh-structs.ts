/**
 * Structs that are not in the Y.Doc yet, and what is known of them: where they stand, which of them
 * came last beside a neighbour. Invariant: each client's structs follow each
 * other without holes; a look-up is a binary search.
 */
import type { SharedType } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import type { DeletedRange } from './update-reader.ts'

/** A shared type as a place for items; one object a type, so that places compare by identity. */
export interface Holder {
  /** `nowhere`: garbage-collected, Yjs drops what is put there; `foreign`: no type of ours. */
  readonly kind: 'root' | 'element' | 'text' | 'nowhere' | 'foreign'
  /** The node name of an element. */
  readonly name: string
  /** Elements from the root down, this one included. */
  readonly depth: number
  /** The type in the Y.Doc; undefined for the root and while it is only fresh. */
  readonly type: SharedType | undefined
}

/** Where an item stands: in the list of a holder, or (with `sub`) as the value of an attribute. */
export interface Slot {
  readonly holder: Holder
  readonly sub: string | undefined
}

/** A struct under any of its clocks. */
export interface LocatedStruct {
  readonly slot: Slot
  /** The holder that lives in this struct, if it is one. */
  readonly own: Holder | undefined
  readonly deleted: boolean
}

/**
 * Fresh structs that stand behind one neighbour in the Y.Doc, each behind another of them or it.
 */
export interface Cluster {
  size: number
  /** The item of that neighbour. */
  readonly item: object | undefined
  /**
   * What its first struct may have passed, so that the cluster stands somewhere behind it: items
   * that are remembered one by one (`near`), or any of the list (`far`).
   */
  readonly walked: 'nothing' | 'near' | 'far'
}

export interface FreshStruct extends LocatedStruct {
  readonly clock: number
  readonly end: number
  readonly origin: StructId | undefined
  /** The right neighbour in the Y.Doc, or that of the right neighbour; undefined: the end. */
  readonly docRight: StructId | undefined
  readonly cluster: Cluster
  /** Whether it stands right beside its origin, with nothing to walk over. */
  readonly tight: boolean
  /** Whether no other fresh struct stood between it and its origin when it was put there. */
  readonly clear: boolean
}

/** The struct that was put beside a neighbour last. */
export interface Latest {
  readonly id: StructId
  readonly tight: boolean
  readonly clear: boolean
}

function setIn<K, L, V>(map: Map<K, Map<L, V>>, key: K, [inner, value]: readonly [L, V]): void {
  const found = map.get(key)
  if (found === undefined) map.set(key, new Map([[inner, value]]))
  else found.set(inner, value)
}

export class FreshStructs {
  readonly #clients = new Map<number, FreshStruct[]>()
  /** By origin; by place for those without. */
  readonly #after = new Map<number, Map<number, Latest>>()
  /** Made when one is there: a key has a neighbour. */
  #first: Map<Holder, Map<string, Latest>> | undefined

  next(client: number): number {
    return this.#clients.get(client)?.at(-1)?.end ?? 0
  }

  /** How many structs of this client there are. */
  count(client: number): number {
    return this.#clients.get(client)?.length ?? 0
  }

  /** The struct put last beside `origin`, or else first in the slot. */
  latest(origin: StructId | undefined, { holder, sub }: Slot): Latest | undefined {
    if (origin === undefined) return this.#first?.get(holder)?.get(sub ?? '')
    return this.#after.get(origin.client)?.get(origin.clock)
  }

  add(client: number, struct: FreshStruct): void {
    const structs = this.#clients.get(client)
    if (structs === undefined) this.#clients.set(client, [struct])
    else structs.push(struct)
    const { origin, clock, tight, clear } = struct
    const { holder, sub } = struct.slot
    if (holder.kind === 'nowhere') return
    const latest = { id: { client, clock }, tight, clear }
    if (origin === undefined) {
      this.#first ??= new Map()
      setIn(this.#first, holder, [sub ?? '', latest])
    } else setIn(this.#after, origin.client, [origin.clock, latest])
  }

  addAll(other: FreshStructs): void {
    for (const [client, structs] of other.#clients) {
      for (const struct of structs) this.add(client, struct)
    }
  }

  find({ client, clock }: StructId): FreshStruct | undefined {
    const structs = this.#clients.get(client) ?? []
    const struct = structs[indexOf(structs, clock)]
    return struct !== undefined && struct.clock <= clock && clock < struct.end ? struct : undefined
  }

  /** The structs that lie in the range, wholly or in part. */
  *within({ client, clock, end }: DeletedRange): Iterable<FreshStruct> {
    const structs = this.#clients.get(client) ?? []
    for (let index = indexOf(structs, clock); index < structs.length; index++) {
      const struct = structs[index]
      if (struct === undefined || struct.clock >= end) return
      if (struct.end > clock) yield struct
    }
  }
}

/** The last struct that begins at or before `clock`, else the first. */
function indexOf(structs: readonly FreshStruct[], clock: number): number {
  let low = 0
  let high = structs.length - 1
  if ((structs[high]?.clock ?? 0) <= clock) return Math.max(high, 0)
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((structs[middle]?.clock ?? 0) <= clock) low = middle
    else high = middle - 1
  }
  return low
}
