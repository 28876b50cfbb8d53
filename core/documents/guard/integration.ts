/**
 * Finds the slot of every fresh struct of an update (its parent, and whether it is a child there or
 * an attribute), in an order in which each comes after all it refers to, and checks that the slot
 * may hold it. Structs the service has already are passed over, whatever they claim to be.
 * Invariant: each struct is placed once and each section entered at most once a reference, so the
 * time is that of the update; no recursion.
 */
import { isBlockId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { isGone as isTypeGone } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import type { Content } from './content-reader.ts'
import { isAttribute, type Primitive } from './content-rules.ts'
import type { Effort } from './effort.ts'
import type { FreshStruct, Holder, Slot } from './fresh-structs.ts'
import { type KnownStructs, nowhere, rootSlot } from './known-structs.ts'
import { Gap, Unfit } from './unfit.ts'
import type { Section, Struct } from './update-reader.ts'

/** The fresh structs of one section: those from index `first` to before `last`. */
export interface FreshPart {
  readonly section: Section
  readonly first: number
  readonly last: number
  /**
   * The clocks they bring. If `from` lies inside the first struct, its beginning is known already.
   */
  readonly from: number
  readonly to: number
}

interface Cursor {
  readonly section: Section
  index: number
  first: number
  last: number
  from: number
  waiting: boolean
}

interface Entered {
  readonly cursor: Cursor
  readonly until: number
}

/** Fresh clocks that GC and deleted structs of one update may take up. */
const deletedMaxClocks = 2 ** 24

export class Integration {
  /** Whether content or attributes come, not only traces of what is deleted. */
  inserts = false
  /** Fresh structs that are nodes; about how many bytes they add to the markdown. */
  blocks = 0
  insertedBytes = 0
  readonly #known: KnownStructs
  readonly #effort: Effort
  readonly #cursors: readonly Cursor[]
  /** Made when one is asked for. */
  #byClient: ReadonlyMap<number, Cursor> | undefined
  /** Of those that are still to be entered, the first. */
  #entering = 0
  /** Whose structs are placed; those above wait for what the last one brings. */
  readonly #stack: Entered[] = []
  #deletedClocks = 0

  constructor(known: KnownStructs, effort: Effort, sections: readonly Section[]) {
    this.#known = known
    this.#effort = effort
    this.#cursors = sections.map((section) => {
      return { section, index: 0, first: -1, last: 0, from: 0, waiting: false }
    })
  }

  /** Adds all fresh structs to the draft. Throws `Unfit` or `Gap`. */
  place(): void {
    for (let top = this.#enter(); top !== undefined; top = this.#stack.at(-1) ?? this.#enter()) {
      this.#advanceTop(top)
    }
  }

  #enter(): Entered | undefined {
    const cursor = this.#cursors[this.#entering++]
    if (cursor === undefined) return undefined
    const entered = { cursor, until: Number.POSITIVE_INFINITY }
    this.#stack.push(entered)
    return entered
  }

  /** What is fresh, when all of it is in the draft. */
  get parts(): readonly FreshPart[] {
    const parts: FreshPart[] = []
    for (const { section, first, last, from } of this.#cursors) {
      if (first < 0) continue
      parts.push({ section, first, last, from, to: this.#known.next(section.client) })
    }
    return parts
  }

  #advanceTop(top: Entered): void {
    const missing = this.#advance(top.cursor, top.until)
    top.cursor.waiting = missing !== undefined
    if (missing === undefined) {
      this.#stack.pop()
      return
    }
    this.#byClient ??= new Map(this.#cursors.map((one) => [one.section.client, one]))
    const cursor = this.#byClient.get(missing.client)
    if (cursor === undefined || cursor.index === cursor.section.structs.length) {
      throw new Gap('an id is unknown')
    }
    if (cursor.waiting) throw new Unfit(4403, 'structs refer to each other')
    this.#stack.push({ cursor, until: missing.clock })
  }

  /** Places structs until clock `until` is known or none are left, or else names a missing id. */
  #advance(cursor: Cursor, until: number): StructId | undefined {
    const { client, structs } = cursor.section
    for (let next = this.#known.next(client); next <= until; cursor.index++) {
      const struct = structs[cursor.index]
      if (struct === undefined) return undefined
      const end = struct.clock + struct.length
      if (struct.content.kind === 'skip' || end <= next) continue
      if (struct.clock > next) throw new Gap('earlier structs of a client are missing')
      const origin = struct.clock < next ? { client, clock: next - 1 } : struct.origin
      const missing = this.#missing({ client, clock: next }, origin, struct)
      if (missing !== undefined) return missing
      this.#known.add(client, this.#fresh(struct, origin, next))
      if (cursor.first < 0) {
        cursor.first = cursor.index
        cursor.from = next
      }
      cursor.last = cursor.index + 1
      next = end
    }
    return undefined
  }

  #missing(self: StructId, origin: StructId | undefined, struct: Struct): StructId | undefined {
    const parent =
      struct.clock === self.clock && struct.parent !== 'root' ? struct.parent : undefined
    for (const id of [origin, struct.rightOrigin, parent]) {
      if (id === undefined || this.#known.has(id)) continue
      if (id.client === self.client)
        throw new Unfit(4403, 'a struct refers to itself or a later one')
      return id
    }
    return undefined
  }

  #fresh(struct: Struct, origin: StructId | undefined, clock: number): FreshStruct {
    const { content, rightOrigin } = struct
    const end = struct.clock + struct.length
    if (content.kind === 'gc' || content.kind === 'deleted') this.#countDeleted(end - clock)
    else this.#countContent(content, clock - struct.clock)
    const slot = content.kind === 'gc' ? nowhere : this.#slotOf(struct, origin)
    const own = ownHolder(slot, content)
    const deleted = content.kind === 'deleted' || slot.holder === nowhere.holder
    const { cluster, tight, clear } = this.#effort.insert({ slot, origin, rightOrigin })
    const docRight = this.#known.docRight(rightOrigin)
    return { clock, end, slot, own, deleted, origin, docRight, cluster, tight, clear }
  }

  /** Without its first `known` clocks. */
  #countContent(content: Content, known: number): void {
    this.inserts = true
    this.insertedBytes += printedBytes(content, known)
    if (content.kind === 'element') this.blocks++
  }

  #countDeleted(clocks: number): void {
    this.#deletedClocks += clocks
    if (this.#deletedClocks > deletedMaxClocks) throw new Unfit(4413, 'too much deleted content')
  }

  #slotOf(struct: Struct, origin: StructId | undefined): Slot {
    const left = origin && this.#known.find(origin).slot
    const right = struct.rightOrigin && this.#known.find(struct.rightOrigin).slot
    if (left !== undefined && right !== undefined) return commonSlot(left, right)
    const beside = left ?? right
    if (beside !== undefined) return beside
    if (struct.parent === 'root' || struct.parent === undefined) return rootSlot(struct.sub)
    const { own } = this.#known.find(struct.parent)
    if (own === undefined) throw new Unfit(4403, 'a parent is not a type')
    return own === nowhere.holder ? nowhere : { holder: own, sub: struct.sub }
  }
}

/** What a node takes in markdown beside its content: a marker, the blank line before it. */
const nodeBytes = 4

function printedBytes(content: Content, known: number): number {
  switch (content.kind) {
    case 'string':
      return Buffer.byteLength(content.chars.slice(known))
    case 'format':
      return content.printedBytes
    case 'element':
      return nodeBytes
    case 'values':
      return content.values.reduce((sum: number, value) => sum + shownLength(value), 0)
    default:
      return 0
  }
}

/** Of the values of attributes only texts are shown, and no ids. */
const shownLength = (value: Primitive): number =>
  typeof value === 'string' && !isBlockId(value) ? value.length : 0

/** An overlay item may still name a holder that a write has meanwhile deleted and collected. */
const isGone = ({ type }: Holder): boolean => type !== undefined && isTypeGone(type)

/**
 * Left and right neighbours are siblings. Were they not, peers that collected one of the two and
 * peers that did not would disagree for ever on whether the item is there.
 */
function commonSlot(left: Slot, right: Slot): Slot {
  if (left.holder === right.holder && left.sub === right.sub) return left
  if (left.holder === nowhere.holder && isGone(right.holder)) return nowhere
  if (right.holder === nowhere.holder && isGone(left.holder)) return nowhere
  throw new Unfit(4403, 'left and right neighbours are not siblings')
}

/**
 * Checks that the place may hold the content; answers the holder that the content is, if it is one.
 */
function ownHolder({ holder, sub }: Slot, content: Content): Holder | undefined {
  if (holder === nowhere.holder || content.kind === 'deleted') return nowhere.holder
  if (content.kind === 'values') {
    if (sub === undefined || holder.kind !== 'element') {
      throw new Unfit(4403, 'a value is not an attribute of an element')
    }
    for (const value of content.values) {
      if (typeof value === 'string' && value.length > limits.attributeMaxChars) {
        throw new Unfit(4413, 'an attribute value is too long')
      }
      if (!isAttribute(holder.name, sub, value)) {
        throw new Unfit(4403, 'an attribute is not of the schema')
      }
    }
    return undefined
  }
  if (sub !== undefined) throw new Unfit(4403, 'an attribute is not a plain value')
  if (content.kind === 'string' || content.kind === 'format') {
    if (holder.kind !== 'text') throw new Unfit(4403, 'characters stand outside a text')
    return undefined
  }
  if (holder.kind !== 'root' && holder.kind !== 'element') {
    throw new Unfit(4403, 'a node stands inside a text')
  }
  if (content.kind !== 'element') {
    return { kind: 'text', name: '', depth: holder.depth, type: undefined }
  }
  const depth = holder.depth + 1
  if (depth > limits.nodeMaxDepth) throw new Unfit(4403, 'nodes are nested too deep')
  return { kind: 'element', name: content.name, depth, type: undefined }
}
