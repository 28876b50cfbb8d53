/**
 * What a reference in an update may mean: the structs of the Y.Doc, those of updates that were
 * admitted but are not applied yet (the overlay), and those of the update being judged (the draft).
 * Invariant: a look-up is a binary search; nothing here walks the document or changes it.
 */
import * as Y from 'yjs'
import type { DeletedRange, Id } from './update-reader.ts'

/** A shared type as a place for items; one object a type, so that places compare by identity. */
export interface Holder {
  /** `nowhere`: garbage-collected, Yjs drops what is put there; `foreign`: no type of ours. */
  readonly kind: 'root' | 'element' | 'text' | 'nowhere' | 'foreign'
  /** The node name of an element. */
  readonly name: string
  /** Elements from the root down, this one included. */
  readonly depth: number
  /** The type in the Y.Doc; undefined while it is only in the overlay or the draft. */
  readonly type: Y.AbstractType<unknown> | undefined
}

/** Where an item stands: in the list of a holder, or (with `sub`) as the value of an attribute. */
export interface Place {
  readonly holder: Holder
  readonly sub: string | undefined
}

/** A struct under any of its clocks. */
export interface Found {
  readonly place: Place
  /** The holder that lives in this struct, if it is one. */
  readonly own: Holder | undefined
  readonly deleted: boolean
}

/** A struct that is not in the Y.Doc yet. */
export interface FreshStruct extends Found {
  readonly clock: number
  readonly end: number
}

const noHolder: Holder = { kind: 'nowhere', name: '', depth: 0, type: undefined }
export const nowhere: Place = { holder: noHolder, sub: undefined }
const root: Holder = { kind: 'root', name: '', depth: 0, type: undefined }
export const rootPlace = (sub: string | undefined): Place => ({ holder: root, sub })
const collected: Found = { place: nowhere, own: noHolder, deleted: true }

/** Structs by client and clock, each client's without holes. */
export class FreshStructs {
  readonly #clients = new Map<number, FreshStruct[]>()

  next(client: number): number {
    return this.#clients.get(client)?.at(-1)?.end ?? 0
  }

  add(client: number, struct: FreshStruct): void {
    const structs = this.#clients.get(client)
    if (structs === undefined) this.#clients.set(client, [struct])
    else structs.push(struct)
  }

  addAll(other: FreshStructs): void {
    for (const [client, structs] of other.#clients) {
      const mine = this.#clients.get(client)
      if (mine === undefined) this.#clients.set(client, structs)
      else for (const struct of structs) mine.push(struct)
    }
  }

  clear(): void {
    this.#clients.clear()
  }

  find(client: number, clock: number): FreshStruct | undefined {
    const structs = this.#clients.get(client) ?? []
    const struct = structs[this.#indexOf(structs, clock)]
    return struct !== undefined && struct.clock <= clock && clock < struct.end ? struct : undefined
  }

  /** Whether a struct that is not deleted lies in the range. */
  hasLive({ client, clock, end }: DeletedRange): boolean {
    const structs = this.#clients.get(client) ?? []
    for (let index = this.#indexOf(structs, clock); index < structs.length; index++) {
      const struct = structs[index]
      if (struct === undefined || struct.clock >= end) return false
      if (!struct.deleted && struct.end > clock) return true
    }
    return false
  }

  /** The last struct that begins at or before `clock`, else the first. */
  #indexOf(structs: readonly FreshStruct[], clock: number): number {
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
}

export class Known {
  readonly overlay = new FreshStructs()
  readonly draft = new FreshStructs()
  readonly #ydoc: Y.Doc
  readonly #holders = new WeakMap<Y.AbstractType<unknown>, Holder>()

  constructor(ydoc: Y.Doc) {
    this.#ydoc = ydoc
  }

  /** The first clock of this client that is not known. */
  next(client: number): number {
    const applied = Y.getState(this.#ydoc.store, client)
    return Math.max(applied, this.overlay.next(client), this.draft.next(client))
  }

  has(id: Id): boolean {
    return id.clock < this.next(id.client)
  }

  /** The struct that covers a known id. */
  find(id: Id): Found {
    const { client, clock } = id
    if (clock < Y.getState(this.#ydoc.store, client)) return this.#applied(id)
    const fresh = this.overlay.find(client, clock) ?? this.draft.find(client, clock)
    if (fresh === undefined) throw new TypeError(`no struct ${client}:${clock}`)
    return fresh
  }

  /** Whether deleting this known range would delete anything that is not deleted yet. */
  hasLive(range: DeletedRange): boolean {
    const structs = this.#ydoc.store.clients.get(range.client) ?? []
    if (range.clock < Y.getState(this.#ydoc.store, range.client)) {
      for (let at = Y.findIndexSS(structs, range.clock); at < structs.length; at++) {
        const struct = structs[at]
        if (struct === undefined || struct.id.clock >= range.end) break
        if (!struct.deleted) return true
      }
    }
    return this.overlay.hasLive(range) || this.draft.hasLive(range)
  }

  #applied({ client, clock }: Id): Found {
    const structs = this.#ydoc.store.clients.get(client) ?? []
    const item = structs[Y.findIndexSS(structs, clock)]
    if (!(item instanceof Y.Item) || !(item.parent instanceof Y.AbstractType)) return collected
    const place = { holder: this.#holderOf(item.parent), sub: item.parentSub ?? undefined }
    const { content, deleted } = item
    if (content instanceof Y.ContentType)
      return { place, own: this.#holderOf(content.type), deleted }
    return { place, own: content instanceof Y.ContentDeleted ? noHolder : undefined, deleted }
  }

  /** Depths are counted from the nearest ancestor that is known already. */
  #holderOf(type: Y.AbstractType<unknown>): Holder {
    const path: Y.AbstractType<unknown>[] = []
    let above: Y.AbstractType<unknown> | undefined = type
    let holder: Holder | undefined
    while (above !== undefined && holder === undefined) {
      const item: Y.Item | null = above._item
      holder = item === null ? root : this.#holders.get(above)
      if (holder === undefined) path.push(above)
      above = item?.parent instanceof Y.AbstractType ? item.parent : undefined
    }
    let at = holder ?? noHolder
    for (const below of path.reverse()) {
      at = inside(at, below)
      this.#holders.set(below, at)
    }
    return at
  }
}

function inside({ depth }: Holder, type: Y.AbstractType<unknown>): Holder {
  const base = { name: '', depth, type }
  if (type instanceof Y.XmlText) return { ...base, kind: 'text' }
  if (!(type instanceof Y.XmlElement)) return { ...base, kind: 'foreign' }
  return { ...base, kind: 'element', name: type.nodeName, depth: depth + 1 }
}
