/**
 * A change of blocks in groups that may be written one after the other, with others' turns between:
 * what takes over an id or text from somewhere stands in one group with the place that it leaves.
 * Decides nothing about what changes.
 */
import * as Y from 'yjs'
import type { AddedBlock, RemovedBlock } from '../../../../schema/diff/blocks.ts'
import { limits } from '../../../../schema/limits.ts'
import type { StructRange } from '../../../yjs/struct-id.ts'
import { type BoundChange, type Changed, isAdded, type Level } from './bound-change.ts'

/** The units [from, to) of what `target` will be stand for these structs. */
export interface CarriedStructs {
  readonly structs: readonly StructRange[]
  /** Where they stood. */
  readonly holder: Y.XmlElement
  readonly target: Y.XmlElement | AddedBlock
  readonly from: number
  readonly to: number
}

/**
 * What changes in one block of the top may have to change at once (a table is never ragged, a list
 * never empty), save text, and items of a list that others stay in.
 */
function isLoose({ top, parent, written }: Level): boolean {
  if (top === undefined) return true
  const isList = parent instanceof Y.XmlElement && parent.nodeName.endsWith('_list')
  return isList && written.some((element) => element)
}

export interface Group {
  readonly texts: Changed[]
  readonly attributes: Changed[]
  /** Which places of a level are to be written, ascending. */
  readonly places: Map<Level, number[]>
  readonly removed: RemovedBlock[]
  readonly carried: CarriedStructs[]
  /** About how many characters are written. */
  weight: number
}

/** In the order of the document, as far as they do not reach over it. */
export function groupsOf(change: BoundChange, carried: readonly CarriedStructs[]): Group[] {
  const links = new Links(change)
  for (const level of change.levels) {
    for (const place of level.places) if (isAdded(place)) links.toSources(place)
  }
  for (const { holder, target } of carried) links.join(holder, target)
  const groups = new Map<object, Group>()
  const groupOf = (member: object, weight: number): Group => {
    const key = links.find(member)
    let group = groups.get(key)
    if (group === undefined) {
      group = { texts: [], attributes: [], places: new Map(), removed: [], carried: [], weight: 0 }
      groups.set(key, group)
    }
    group.weight += weight
    return group
  }
  for (const level of change.levels) {
    for (const [index, place] of level.places.entries()) {
      if (!isAdded(place)) continue
      const { places } = groupOf(place, place.node.nodeSize + perBlock)
      const indexes = places.get(level)
      if (indexes) indexes.push(index)
      else places.set(level, [index])
    }
    for (const block of level.removed) groupOf(block, perBlock).removed.push(block)
  }
  const shareOf = shares(change)
  for (const text of change.texts) {
    groupOf(text.element, weightOf(text) * shareOf(text)).texts.push(text)
  }
  for (const block of change.attributes) groupOf(block.top, 0).attributes.push(block)
  for (const one of carried) groupOf(one.target, 0).carried.push(one)
  return [...groups.values()]
}

/** What a block costs beside its characters, in characters. */
const perBlock = 192

const weightOf = ({ block }: Changed): number => block.node.nodeSize + perBlock

/** In how many transactions at most the texts of one top-level block are written. */
const transactionsPerBlock = 8

/** A top-level block is read and printed after each transaction: not for each item of a list. */
function shares({ texts }: BoundChange): (text: Changed) => number {
  const totals = new Map<object, number>()
  for (const text of texts) totals.set(text.top, (totals.get(text.top) ?? 0) + weightOf(text))
  const most = transactionsPerBlock * limits.editWeightAtOnce
  return ({ top }) => Math.min(1, most / (totals.get(top) ?? 1))
}

/** Joins blocks into groups: added and removed ones, and elements that stay but change. */
class Links {
  readonly #above = new Map<object, object>()
  readonly #change: BoundChange

  constructor(change: BoundChange) {
    this.#change = change
    for (const level of change.levels) {
      const { top = level, removed, places } = level
      const loose = isLoose(level)
      for (const block of removed) this.#addRemoved(block, loose ? block : top)
      for (const place of places) if (isAdded(place)) this.#addAdded(place, loose ? place : top)
    }
  }

  find(member: object): object {
    let root = member
    for (let above = this.#above.get(root); above; above = this.#above.get(root)) root = above
    for (let at = member; at !== root; ) {
      const next = this.#above.get(at) ?? root
      this.#above.set(at, root)
      at = next
    }
    return root
  }

  join(one: object, other: object): void {
    const [a, b] = [this.find(one), this.find(other)]
    if (a !== b) this.#above.set(b, a)
  }

  toSources(block: AddedBlock): void {
    if (block.source) this.join(block, block.source)
    for (const child of block.children) this.toSources(child)
  }

  #addRemoved(block: RemovedBlock, holder: object): void {
    this.join(holder, block)
    this.join(holder, this.#change.elementOf(block))
    for (const child of block.children) this.#addRemoved(child, holder)
  }

  #addAdded(block: AddedBlock, holder: object): void {
    this.join(holder, block)
    for (const child of block.children) this.#addAdded(child, holder)
  }
}
