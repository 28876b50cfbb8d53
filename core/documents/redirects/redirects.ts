/**
 * Yjs cannot move a block: what is moved, wrapped or split off is written again elsewhere, and a
 * keystroke that was on its way to the old text would be lost there, as would a new block on its
 * way into the old list. This brings such keystrokes, blocks and erasures to where the text stands
 * now, under the clientID that writes for their sender. It does not know who that is.
 */
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { after, type Child, childrenOf } from '../../../schema/yjs/children.ts'
import {
  attributeOf,
  charsIn,
  type Format,
  firstItem,
  formatIn,
  type Item,
  idOf,
  isCountable,
  isGone,
  parentNamedBy,
  textAround,
  typeIn,
} from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import {
  clockOf,
  itemAt,
  itemsBetween,
  structAt,
  typeAt,
  unknownItems,
} from '../../../schema/yjs/structs.ts'
import { characterLeftOf, textPositionOf } from '../../../schema/yjs/text-positions.ts'
import type { Participant } from '../../commit/participant.ts'
import { Deletions, deletionOf } from '../../yjs/deletions.ts'
import { adopt, setAttribute } from './adopting.ts'
import { redirectGone } from './gone-neighbours.ts'
import { isCovered, type Move, type RedirectedStruct, RedirectTable } from './redirect-table.ts'

/** `length` structs from `copy` on stand for those from `original` on. */
export interface Clone {
  readonly original: StructId
  readonly copy: StructId
  readonly length: number
}

/** What an update does to text that stands elsewhere now. */
export interface DisplacedEdits {
  readonly typed: readonly Item[]
  /** All that its sender has deleted, also of what it brings. */
  readonly deleted: Deletions
  readonly erased: Uint8Array | undefined
}

interface Typed {
  readonly words: string
  /** Undefined: those of the words before. */
  readonly marks: object | undefined
}

export class Redirects {
  readonly #table = new RedirectTable()

  get isEmpty(): boolean {
    return this.#table.isEmpty
  }

  /** What is stored of it. */
  get participants(): readonly Participant[] {
    return [this.#table]
  }

  /** Called in the transaction that wrote the clones and deleted the originals. */
  learn(doc: Y.Doc, clones: readonly Clone[]): void {
    if (clones.length === 0) return
    const move = this.#table.begin()
    const texts = new Set<Y.XmlText>()
    for (const { original, copy, length } of clones) {
      this.#table.add(original, { length, move, copy, after: undefined, isLate: false })
      const type = holdersOf(itemAt(doc, original), itemAt(doc, copy))
      // A text that only lost a part still stands, and nobody will know it deleted.
      if (!type || !isGone(type.original) || texts.has(type.original)) continue
      texts.add(type.original)
      const [from, into] = [idOf(type.original), idOf(type.copy)]
      if (from === undefined || into === undefined) continue
      const facts = { length: 1, move, copy: into, after: undefined, isLate: false }
      this.#table.add(from, facts)
    }
    const originals = clones.map(({ original }) => itemAt(doc, original))
    redirectGone(this.#table, originals, move)
  }

  /** What stands elsewhere for a struct that was written again there. */
  copyOf(id: StructId): StructId | undefined {
    const found = this.#table.resolve(id)
    return found?.isLeftOf === false ? found.id : undefined
  }

  /** Whether an update erases what stands elsewhere now, though it may change nothing else. */
  erases(update: Uint8Array): boolean {
    return !this.isEmpty && this.#erasures(new Deletions(update)) !== undefined
  }

  /**
   * What to bring elsewhere once the update is applied; to be asked before. `asSent`: the same with
   * the deletions of what is deleted already.
   */
  read(doc: Y.Doc, update: Uint8Array, asSent: Uint8Array): DisplacedEdits {
    const typed = unknownItems(doc, update)
    const deleted = new Deletions(asSent)
    return { typed, deleted, erased: this.#erasures(deleted) }
  }

  /** Called after the update was applied, with the clientID that is to write for its sender. */
  bring(ydoc: Y.Doc, { typed, deleted, erased }: DisplacedEdits): void {
    const formats = new Formats()
    for (const item of typed) {
      if (!isLost(ydoc, item)) continue
      if (attributeOf(item) !== null) setAttribute(this.#table, ydoc, item)
      else if (typeIn(item) !== undefined) adopt(this.#table, ydoc, item)
      else {
        const format = formatIn(item)
        if (format !== undefined) formats.add(item, format)
        const words = charsIn(item)
        const isSeen = words !== undefined && !deleted.has(item.id)
        this.#retype(ydoc, item, isSeen ? { words, marks: formats.behind(item) } : undefined)
      }
    }
    if (erased !== undefined) Y.applyUpdate(ydoc, erased)
  }

  /** Words are typed anew; of what cannot be seen only its place is known from now on. */
  #retype(ydoc: Y.Doc, item: Item, typed: Typed | undefined): void {
    const place = this.#placeOf(ydoc, item)
    if (place === undefined) return
    const { id, length, lastId, rightOrigin } = item
    const { text, index, move } = place
    const isRightOf = rightOrigin !== null && this.#isAt(ydoc, rightOrigin, index)
    const clock = clockOf(ydoc, ydoc.clientID)
    if (typed !== undefined) text.insert(index, typed.words, typed.marks)
    const made = firstWritten(ydoc, clock)
    const after = made === undefined ? characterLeftOf(place) : undefined
    this.#table.add(id, { length, move, copy: made?.id, after, isLate: true })
    if (isRightOf) this.#table.setAfter(rightOrigin, lastId)
  }

  /** Whether nothing stands for it, and so far it is held to have stood here or further left. */
  #isAt(doc: Y.Doc, id: StructId, index: number): boolean {
    const found = this.#table.resolve(id)
    if (found?.isLeftOf !== true) return false
    const place = typeAt(doc, found.id) ? { index: 0 } : textPositionOf(doc, found.id, 1)
    return place !== undefined && place.index <= index
  }

  /**
   * Right of what stands left of it now, else left of its right, else at the start of its text. A
   * neighbour that is gone says less than one that stands: others may have been typed beside it.
   */
  #placeOf(doc: Y.Doc, item: Item): { text: Y.XmlText; index: number; move: Move } | undefined {
    const { origin, rightOrigin } = item
    const parent = parentNamedBy(item)
    const left = origin ? this.#table.resolve(origin) : undefined
    const right = rightOrigin ? this.#table.resolve(rightOrigin) : undefined
    const holder = parent && this.#table.resolve(parent)
    const isRightSurer = !stands(doc, left) && stands(doc, right)
    for (const found of isRightSurer ? [right, left, holder] : [left, right, holder]) {
      if (!found) continue
      const type = typeAt(doc, found.id)
      const place =
        type instanceof Y.XmlText || type instanceof Y.XmlElement
          ? { text: textIn(type), index: 0 }
          : textPositionOf(doc, found.id, found === left || found.isLeftOf ? 1 : 0)
      if (place && !isGone(place.text)) return { ...place, move: found.move }
    }
    return undefined
  }

  /** The erasures as an update of the clones, for moves that the sender had not seen. */
  #erasures(deletions: Deletions): Uint8Array | undefined {
    const targets: StructId[] = []
    const seen = new Map<Move, boolean>()
    for (const [client, deletes] of deletions.clients) {
      for (const { clock, len } of deletes) {
        for (const entry of this.#table.clonedIn(client, clock, len)) {
          const isSeen = seen.get(entry.move) ?? isCovered(deletions, entry.move)
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

/**
 * The texts that hold two characters, or the first ones that two elements hold; where nothing was
 * left to copy of a text, the element that would hold it.
 */
function holdersOf(
  original: Item | undefined,
  copy: Item | undefined,
): { readonly original: Y.XmlText; readonly copy: Y.XmlText | Y.XmlElement } | undefined {
  const [from, to] = [textOf(original), textOf(copy) ?? emptyElement(copy)]
  return from && to && { original: from, copy: to }
}

function emptyElement(item: Item | undefined): Y.XmlElement | undefined {
  const type = typeIn(item)
  return type instanceof Y.XmlElement && type.length === 0 ? type : undefined
}

function textOf(item: Item | undefined): Y.XmlText | undefined {
  const around = item && textAround(item)
  if (around !== undefined) return around
  const type = typeIn(item)
  const held = type instanceof Y.XmlElement ? typeIn(firstItem(type)) : undefined
  return held instanceof Y.XmlText ? held : undefined
}

/** What the document's clientID wrote first from a clock on that has an index. */
function firstWritten(doc: Y.Doc, clock: number): Item | undefined {
  const { clientID: client } = doc
  for (const item of itemsBetween(doc, { client, from: clock, to: clockOf(doc, client) })) {
    if (item.id.clock >= clock && isCountable(item)) return item
  }
  return undefined
}

/** Whether an item that came was born dead, for what should hold it is gone. */
const isLost = (doc: Y.Doc, { id }: Item): boolean => structAt(doc, id)?.deleted === true

const stands = (doc: Y.Doc, found: RedirectedStruct | undefined): boolean =>
  found?.isLeftOf === false && itemAt(doc, found.id)?.deleted === false

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
  readonly #known = new Map<string, { readonly item: Item; readonly format: Format }>()

  add(item: Item, format: Format): void {
    this.#known.set(`${item.id.client}/${item.id.clock}`, { item, format })
  }

  /** Undefined: those of the words before. */
  behind({ origin }: Item): object | undefined {
    const marks: Record<string, unknown> = {}
    let isAny = false
    for (let id = origin; id !== null; ) {
      const known = this.#known.get(`${id.client}/${id.clock}`)
      if (known === undefined) break
      const { key, value } = known.format
      if (!(key in marks)) marks[key] = value
      isAny = true
      id = known.item.origin
    }
    return isAny ? marks : undefined
  }
}
