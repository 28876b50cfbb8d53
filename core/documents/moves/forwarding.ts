/**
 * Yjs cannot move a block: what is moved, wrapped or split off is written again elsewhere, and a
 * keystroke that was on its way to the old text would be lost there, as would a new block on its
 * way into the old list. This brings such keystrokes, blocks and erasures to where the text stands
 * now, under the clientID that writes for their sender. It does not know who that is.
 */
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { after, type Child, childrenOf } from '../../yjs/children.ts'
import type { StructId } from '../../yjs/struct-id.ts'
import {
  deletionOf,
  holderOf,
  isLost,
  itemAt,
  itemsFrom,
  leftOf,
  positionOf,
  typeAt,
} from '../../yjs/structs.ts'
import type { Participant } from '../participant.ts'
import { adopt, setAttribute } from './adopting.ts'
import { anchorGone } from './anchoring.ts'
import { type DeleteSet, type Found, isCovered, type Move, MoveTable } from './move-table.ts'

/** `length` structs from `copy` on stand for those from `original` on. */
export interface Clone {
  readonly original: StructId
  readonly copy: StructId
  readonly length: number
}

/** What an update does to text that stands elsewhere now. */
export interface Strays {
  readonly typed: readonly Y.Item[]
  /** All that its sender has deleted, also of what it brings. */
  readonly deleted: DeleteSet
  readonly erased: Uint8Array | undefined
}

interface Typed {
  readonly words: string
  /** Undefined: those of the words before. */
  readonly marks: object | undefined
}

export class Forwarding {
  readonly #table = new MoveTable()

  get isEmpty(): boolean {
    return this.#table.isEmpty
  }

  /** What is stored of it. */
  get participants(): readonly Participant[] {
    return [this.#table]
  }

  /** Called in the transaction that wrote the clones and deleted the originals. */
  learn(store: Y.Doc['store'], clones: readonly Clone[]): void {
    if (clones.length === 0) return
    const move = this.#table.begin()
    const texts = new Set<Y.XmlText>()
    for (const { original, copy, length } of clones) {
      this.#table.add(original, { length, move, copy, after: undefined, isLate: false })
      const type = holderOf(itemAt(store, original), itemAt(store, copy))
      // A text that only lost a part still stands, and nobody will know it deleted.
      if (!type?.original._item?.deleted || texts.has(type.original)) continue
      texts.add(type.original)
      const [from, to] = [type.original._item.id, type.copy._item?.id]
      if (to) this.#table.add(from, { length: 1, move, copy: to, after: undefined, isLate: false })
    }
    const originals = clones.map(({ original }) => itemAt(store, original))
    anchorGone(this.#table, originals, move)
  }

  /** Whether an update erases what stands elsewhere now, though it may change nothing else. */
  erases(update: Uint8Array): boolean {
    return !this.isEmpty && this.#erasures(Y.decodeUpdate(update).ds) !== undefined
  }

  /**
   * What to bring elsewhere once the update is applied; to be asked before. `asSent`: the same with
   * the deletions of what is deleted already.
   */
  read(store: Y.Doc['store'], update: Uint8Array, asSent: Uint8Array): Strays {
    const { structs } = Y.decodeUpdate(update)
    const { ds } = Y.decodeUpdate(asSent)
    const typed = structs.filter((struct): struct is Y.Item => {
      const { client, clock } = struct.id
      return struct instanceof Y.Item && clock >= Y.getState(store, client)
    })
    return { typed, deleted: ds, erased: this.#erasures(ds) }
  }

  /** Called after the update was applied, with the clientID that is to write for its sender. */
  bring(ydoc: Y.Doc, { typed, deleted, erased }: Strays): void {
    const formats = new Formats()
    for (const item of typed) {
      if (!isLost(ydoc.store, item)) continue
      const { content } = item
      if (item.parentSub !== null) setAttribute(this.#table, ydoc.store, item)
      else if (content instanceof Y.ContentType) adopt(this.#table, ydoc.store, item)
      else {
        if (content instanceof Y.ContentFormat) formats.add(item, content)
        const isSeen = content instanceof Y.ContentString && !Y.isDeleted(deleted, item.id)
        this.#retype(
          ydoc,
          item,
          isSeen ? { words: content.str, marks: formats.behind(item) } : undefined,
        )
      }
    }
    if (erased !== undefined) Y.applyUpdate(ydoc, erased)
  }

  /** Words are typed anew; of what cannot be seen only its place is known from now on. */
  #retype(ydoc: Y.Doc, item: Y.Item, typed: Typed | undefined): void {
    const place = this.#placeOf(ydoc.store, item)
    if (place === undefined) return
    const { id, length, lastId, rightOrigin } = item
    const { text, index, move } = place
    const isRightOf = rightOrigin !== null && this.#isAt(ydoc.store, rightOrigin, index)
    const clock = Y.getState(ydoc.store, ydoc.clientID)
    if (typed !== undefined) text.insert(index, typed.words, typed.marks)
    const made = itemsFrom(ydoc.store, ydoc.clientID, clock).find(({ countable }) => countable)
    const after = made === undefined ? leftOf(text, index) : undefined
    this.#table.add(id, { length, move, copy: made?.id, after, isLate: true })
    if (isRightOf) this.#table.anchor(rightOrigin, lastId)
  }

  /** Whether nothing stands for it, and so far it is held to have stood here or further left. */
  #isAt(store: Y.Doc['store'], id: Y.ID, index: number): boolean {
    const found = this.#table.resolve(id)
    if (found?.isLeftOf !== true) return false
    const place = typeAt(store, found.id) ? { index: 0 } : positionOf(store, found.id, 1)
    return place !== undefined && place.index <= index
  }

  /**
   * Right of what stands left of it now, else left of its right, else at the start of its text. A
   * neighbour that is gone says less than one that stands: others may have been typed beside it.
   */
  #placeOf(
    store: Y.Doc['store'],
    { origin, rightOrigin, parent }: Y.Item,
  ): { text: Y.XmlText; index: number; move: Move } | undefined {
    const left = origin ? this.#table.resolve(origin) : undefined
    const right = rightOrigin ? this.#table.resolve(rightOrigin) : undefined
    const holder = parent instanceof Y.ID ? this.#table.resolve(parent) : undefined
    const isRightSurer = !stands(store, left) && stands(store, right)
    for (const found of isRightSurer ? [right, left, holder] : [left, right, holder]) {
      if (!found) continue
      const type = typeAt(store, found.id)
      const place =
        type instanceof Y.XmlText || type instanceof Y.XmlElement
          ? { text: textIn(type), index: 0 }
          : positionOf(store, found.id, found === left || found.isLeftOf ? 1 : 0)
      if (place && !place.text._item?.deleted) return { ...place, move: found.move }
    }
    return undefined
  }

  /** The erasures as an update of the clones, for moves that the sender had not seen. */
  #erasures(ds: DeleteSet): Uint8Array | undefined {
    const targets: StructId[] = []
    const seen = new Map<Move, boolean>()
    for (const [client, deletes] of ds.clients) {
      for (const { clock, len } of deletes) {
        for (const entry of this.#table.clonedIn(client, clock, len)) {
          const isSeen = seen.get(entry.move) ?? isCovered(ds, entry.move)
          seen.set(entry.move, isSeen)
          if (isSeen) continue
          const end = Math.min(clock + len, entry.clock + entry.length)
          for (let at = Math.max(clock, entry.clock); at < end; at++) {
            const target = this.#table.resolve({ client, clock: at })
            if (target?.isLeftOf === false) targets.push(target.id)
          }
        }
      }
    }
    return targets.length === 0 ? undefined : deletionOf(targets)
  }
}

const stands = (store: Y.Doc['store'], found: Found | undefined): boolean =>
  found?.isLeftOf === false && itemAt(store, found.id)?.deleted === false

/** The text of a block, or behind a break; where none was copied it is made. */
function textIn(type: Child): Y.XmlText {
  if (type instanceof Y.XmlText) return type
  const isBreak = documentSchema.nodes[type.nodeName]?.isInline === true
  const found = isBreak ? after(type) : childrenOf(type).find(isTextType)
  if (found instanceof Y.XmlText) return found
  const text = new Y.XmlText()
  if (!isBreak) type.insert(0, [text])
  else if (type.parent instanceof Y.XmlElement) type.parent.insertAfter(type, [text])
  return text
}

const isTextType = (type: Child): type is Y.XmlText => type instanceof Y.XmlText

/** Formats that came with what is brought elsewhere: the marks of the words right behind them. */
class Formats {
  readonly #known = new Map<string, { readonly item: Y.Item; readonly content: Y.ContentFormat }>()

  add(item: Y.Item, content: Y.ContentFormat): void {
    this.#known.set(`${item.id.client}/${item.id.clock}`, { item, content })
  }

  /** Undefined: those of the words before. */
  behind({ origin }: Y.Item): object | undefined {
    const marks: Record<string, unknown> = {}
    let isAny = false
    for (let id = origin; id !== null; ) {
      const known = this.#known.get(`${id.client}/${id.clock}`)
      if (known === undefined) break
      const { key, value } = known.content
      if (!(key in marks)) marks[key] = value
      isAny = true
      id = known.item.origin
    }
    return isAny ? marks : undefined
  }
}
