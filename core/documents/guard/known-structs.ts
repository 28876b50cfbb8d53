/**
 * What a reference in an update may mean: the structs of the Y.Doc, those of updates that were
 * admitted but are not applied yet (the overlay), and those of the update being judged (the draft).
 * Invariant: a look-up is a binary search; the document is neither walked beyond a given number of
 * steps nor changed.
 */
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import {
  attributeOf,
  firstItem,
  firstValue,
  type Item,
  isErased,
  isItem,
  itemOf,
  parentOf,
  type SharedType,
  type Struct,
  typeIn,
} from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { clockOf, indexOfClock, rootOf, structsOf } from '../../../schema/yjs/structs.ts'
import {
  type FreshStruct,
  FreshStructs,
  type Holder,
  type Latest,
  type LocatedStruct,
  type Slot,
} from './fresh-structs.ts'
import type { DeletedRange } from './update-reader.ts'

const noHolder: Holder = { kind: 'nowhere', name: '', depth: 0, type: undefined }
export const nowhere: Slot = { holder: noHolder, sub: undefined }
const root: Holder = { kind: 'root', name: '', depth: 0, type: undefined }
export const rootSlot = (sub: string | undefined): Slot => ({ holder: root, sub })

/** One struct of a range, with the clocks it spans. */
export interface StructSpan extends LocatedStruct {
  readonly clock: number
  readonly end: number
}

export class KnownStructs {
  #overlay: FreshStructs | undefined
  #draft: FreshStructs | undefined
  readonly #ydoc: Y.Doc
  readonly #holders = new WeakMap<SharedType, Holder>()

  constructor(ydoc: Y.Doc) {
    this.#ydoc = ydoc
  }

  /** A struct of the update that is being judged. */
  add(client: number, struct: FreshStruct): void {
    this.#draft ??= new FreshStructs()
    this.#draft.add(client, struct)
  }

  /** Whether nothing is admitted that is not applied yet. */
  get isApplied(): boolean {
    return this.#overlay === undefined
  }

  /** The update that was judged is admitted: the draft is part of the overlay. */
  admitDraft(): void {
    if (this.#draft === undefined) return
    if (this.#overlay === undefined) this.#overlay = this.#draft
    else this.#overlay.addAll(this.#draft)
    this.#draft = undefined
  }

  dropDraft(): void {
    this.#draft = undefined
  }

  /** What was admitted is applied. */
  settled(): void {
    this.#overlay = undefined
  }

  /** The first clock of this client that is not known. */
  next(client: number): number {
    const overlay = this.#overlay?.next(client) ?? 0
    const draft = this.#draft?.next(client) ?? 0
    return Math.max(this.#applied(client), overlay, draft)
  }

  has(id: StructId): boolean {
    return id.clock < this.next(id.client)
  }

  /** The structs of this client; Yjs moves about as many when it splits one. */
  count(client: number): number {
    const applied = structsOf(this.#ydoc, client).length
    return applied + (this.#overlay?.count(client) ?? 0) + (this.#draft?.count(client) ?? 0)
  }

  latest(origin: StructId | undefined, slot: Slot): Latest | undefined {
    return this.#draft?.latest(origin, slot) ?? this.#overlay?.latest(origin, slot)
  }

  /** The struct that covers a known id. */
  find(id: StructId): StructSpan {
    if (id.clock < this.#applied(id.client)) return this.#span(this.#struct(id))
    const fresh = this.#overlay?.find(id) ?? this.#draft?.find(id)
    if (fresh === undefined) throw new TypeError(`no struct ${id.client}:${id.clock}`)
    return fresh
  }

  /** The struct of an id that is known but not applied. */
  fresh(id: StructId): FreshStruct | undefined {
    if (id.clock < this.#applied(id.client)) return undefined
    return this.#overlay?.find(id) ?? this.#draft?.find(id)
  }

  /** Whether clock `at` lies inside the struct of a known id, so that Yjs would split it there. */
  isInside(id: StructId, at: number): boolean {
    const fresh = this.fresh(id)
    if (fresh !== undefined) return fresh.clock < at && at < fresh.end
    const struct = this.#struct(id)
    return struct.id.clock < at && at < struct.id.clock + struct.length
  }

  /**
   * For an id that is not applied yet: its right neighbour in the Y.Doc. For others: the id itself.
   */
  docRight(id: StructId | undefined): StructId | undefined {
    return id && (this.fresh(id) ?? { docRight: id }).docRight
  }

  /** The structs of a known range. */
  *within(range: DeletedRange): Iterable<StructSpan> {
    if (range.clock < this.#applied(range.client)) {
      const structs = structsOf(this.#ydoc, range.client)
      for (let at = indexOfClock(structs, range.clock); at < structs.length; at++) {
        const struct = structs[at]
        if (struct === undefined || struct.id.clock >= range.end) break
        yield this.#span(struct)
      }
    }
    if (this.#overlay !== undefined) yield* this.#overlay.within(range)
    if (this.#draft !== undefined) yield* this.#draft.within(range)
  }

  /**
   * Visits the items of the Y.Doc between two applied ids of a place (undefined: its ends), in
   * order, beginning with the rest of `left`, the item of `origin`, if `right` is not in it; until
   * `visit` answers false. Counts them.
   */
  between(
    slot: Slot,
    {
      origin,
      right,
    }: { readonly origin: StructId | undefined; readonly right: StructId | undefined },
    visit: (item: Item, index: number) => boolean,
  ): { readonly left: Item | undefined; readonly count: number } {
    const last = right && this.#struct(right)
    const left = origin && this.#struct(origin)
    let count = 0
    if (left !== undefined && !isItem(left)) return { left: undefined, count }
    if (left !== undefined && origin !== undefined && !endsAt(left, origin)) {
      if (left !== last || !follows(origin, right)) visit(left, count++)
      if (left === last) return { left, count }
    }
    let item = left === undefined ? this.#start(slot) : left.right
    while (item !== null && item !== last && visit(item, count++)) item = item.right
    return { left, count }
  }

  #start({ holder, sub }: Slot): Item | null {
    const type = holder === root ? rootOf(this.#ydoc, fragmentName) : holder.type
    if (type === undefined) return null
    return sub === undefined ? firstItem(type) : firstValue(type, sub)
  }

  #applied(client: number): number {
    return clockOf(this.#ydoc, client)
  }

  #struct({ client, clock }: StructId): Struct {
    const structs = structsOf(this.#ydoc, client)
    const struct = structs[indexOfClock(structs, clock)]
    if (struct === undefined) throw new TypeError(`no struct ${client}:${clock}`)
    return struct
  }

  #span(struct: Struct): StructSpan {
    const { clock } = struct.id
    const end = clock + struct.length
    const parent = isItem(struct) ? parentOf(struct) : undefined
    if (!isItem(struct) || parent === undefined) {
      return { clock, end, slot: nowhere, own: noHolder, deleted: true }
    }
    const slot = { holder: this.#holderOf(parent), sub: attributeOf(struct) ?? undefined }
    const { deleted } = struct
    const type = typeIn(struct)
    let own: Holder | undefined
    if (type !== undefined) own = this.#holderOf(type)
    else if (isErased(struct)) own = noHolder
    return { clock, end, slot, own, deleted }
  }

  /** Depths are counted from the nearest ancestor that is known already. */
  #holderOf(type: SharedType): Holder {
    const known = this.#holders.get(type)
    if (known !== undefined) return known
    const path: SharedType[] = []
    let above: SharedType | undefined = type
    let holder: Holder | undefined
    while (above !== undefined && holder === undefined) {
      const item: Item | null = itemOf(above)
      holder = item === null ? root : this.#holders.get(above)
      if (holder === undefined) path.push(above)
      above = item === null ? undefined : parentOf(item)
    }
    let at = holder ?? noHolder
    for (const below of path.reverse()) {
      at = inside(at, below)
      this.#holders.set(below, at)
    }
    return at
  }
}

const endsAt = ({ id, length }: Item, { clock }: StructId): boolean =>
  id.clock + length === clock + 1

const follows = (left: StructId, right: StructId | undefined): boolean =>
  right !== undefined && right.client === left.client && right.clock === left.clock + 1

function inside({ depth }: Holder, type: SharedType): Holder {
  if (type instanceof Y.XmlText) return { kind: 'text', name: '', depth, type }
  if (!(type instanceof Y.XmlElement)) return { kind: 'foreign', name: '', depth, type }
  return { kind: 'element', name: type.nodeName, depth: depth + 1, type }
}
