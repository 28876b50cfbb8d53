/**
 * The units of a block's plain text (schema/plain-text.ts) by the structs that hold them, both
 * ways, deleted ones included: these stood where the next living one begins. Made once for each
 * block that a write touched, whatever is anchored in it.
 */
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { lastAtMost } from '../../../schema/markdown/bisect.ts'
import { childOf, childrenOf } from '../../../schema/yjs/children.ts'
import { firstItem, type Item, isVisible, typeIn } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'

/** Consecutive clocks; of dead ones `offset` is where they stood. */
interface UnitRun {
  readonly client: number
  readonly clock: number
  readonly length: number
  readonly offset: number
  readonly isAlive: boolean
}

export class BlockUnits {
  /** By client, ascending by clock once asked. */
  readonly #byClient = new Map<number, UnitRun[]>()
  readonly #sorted = new Set<number>()
  /** The living ones, ascending. */
  readonly #alive: UnitRun[] = []
  #length = 0

  constructor(block: Y.XmlElement) {
    let isFirst = true
    for (const element of textblocksIn(block)) {
      if (!isFirst) this.#length += 1
      isFirst = false
      this.#enterAll(element)
    }
  }

  get length(): number {
    return this.#length
  }

  #enterAll(textblock: Y.XmlElement): void {
    for (let item = firstItem(textblock); item !== null; item = item.right) {
      const type = typeIn(item)
      if (!(type instanceof Y.XmlText)) this.#enter(item, childOf(item) !== undefined)
      else if (!item.deleted) {
        for (let char = firstItem(type); char !== null; char = char.right) {
          this.#enter(char, isVisible(char))
        }
      }
    }
  }

  #enter({ id: { client, clock }, length }: Item, isAlive: boolean): void {
    const entry = { client, clock, length, offset: this.#length, isAlive }
    const entries = this.#byClient.get(client)
    if (entries === undefined) this.#byClient.set(client, [entry])
    else entries.push(entry)
    if (!isAlive) return
    this.#alive.push(entry)
    this.#length += length
  }

  /** Where a unit stands or stood; undefined: it is none of this block's. */
  placeOf({ client, clock }: StructId): { offset: number; isAlive: boolean } | undefined {
    const entries = this.#byClient.get(client)
    if (entries === undefined) return undefined
    if (!this.#sorted.has(client)) {
      entries.sort((a, b) => a.clock - b.clock)
      this.#sorted.add(client)
    }
    const entry = entries[lastAtMost(entries.length, clock, (index) => entries[index]?.clock ?? 0)]
    if (entry === undefined || clock >= entry.clock + entry.length) return undefined
    const { offset, isAlive } = entry
    return { offset: isAlive ? offset + clock - entry.clock : offset, isAlive }
  }

  /** The struct of the unit at an offset; undefined between two text blocks. */
  idAt(offset: number): StructId | undefined {
    const entry = this.#alive[this.#indexAt(offset)]
    if (entry === undefined || offset >= entry.offset + entry.length) return undefined
    return { client: entry.client, clock: entry.clock + offset - entry.offset }
  }

  /** Whether every unit in [from, to) is such a one. */
  every(from: number, to: number, is: (id: StructId) => boolean): boolean {
    let index = Math.max(0, this.#indexAt(from))
    for (let entry = this.#alive[index]; entry && entry.offset < to; entry = this.#alive[++index]) {
      if (entry.offset + entry.length <= from) continue
      const first = Math.max(from - entry.offset, 0)
      // What a client made in one write has one answer for all its later clocks.
      if (!is({ client: entry.client, clock: entry.clock + first })) return false
    }
    return true
  }

  #indexAt(offset: number): number {
    return lastAtMost(this.#alive.length, offset, (index) => this.#alive[index]?.offset ?? 0)
  }
}

const isContainer = ({ nodeName }: Y.XmlElement): boolean => {
  const type = documentSchema.nodes[nodeName]
  return type?.inlineContent === false && !type.isLeaf
}

export function* textblocksIn(block: Y.XmlElement): Generator<Y.XmlElement> {
  if (!isContainer(block)) yield block
  else {
    for (const child of childrenOf(block)) {
      if (child instanceof Y.XmlElement) yield* textblocksIn(child)
    }
  }
}
