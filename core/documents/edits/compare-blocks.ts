/**
 * What a change of blocks is in the tree: which elements stay at which place, what comes, what
 * goes, and whose text or attributes differ, on every level that changes. Reads Yjs, writes
 * nothing.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { blockChildren } from './adoption.ts'
import { aligning, type Partners } from './align.ts'
import { sameContent } from './content.ts'
import type { Homes } from './homes.ts'
import { type AddedBlock, addedBlock, type RemovedBlock, removedBlock } from './pairing.ts'

/** One row of siblings: what stays (an element) and what comes, in order; and what goes. */
export interface Level {
  readonly parent: Y.XmlFragment
  /** The top-level block that holds the level; undefined for the level of those. */
  readonly top: Y.XmlElement | undefined
  readonly before: Y.XmlElement | null
  /** In the old order. */
  readonly rows: readonly (Y.XmlElement | RemovedBlock)[]
  readonly places: readonly (Y.XmlElement | AddedBlock)[]
  readonly removed: readonly RemovedBlock[]
  /** The elements of `places`; undefined until one is written. */
  readonly written: (Y.XmlElement | undefined)[]
}

export interface Changed {
  readonly element: Y.XmlElement
  /** The top-level block that holds it, or it itself. */
  readonly top: Y.XmlElement
  readonly old: Node
  readonly next: Node
}

export interface Change {
  readonly homes: Homes
  /** Of the parts, in order; they are among the levels too. */
  readonly tops: Level[]
  readonly levels: Level[]
  readonly texts: Changed[]
  readonly attributes: Changed[]
}

export const isAdded = (place: Y.XmlElement | AddedBlock): place is AddedBlock =>
  !(place instanceof Y.XmlElement)

/**
 * Enters a row of siblings and all below it into the change. Yields how much was compared since, in
 * what as many written characters cost.
 */
export function* comparing(
  change: Change,
  parent: Y.XmlFragment,
  row: {
    readonly top: Y.XmlElement | undefined
    readonly before: Y.XmlElement | null
    readonly elements: readonly Y.XmlElement[]
    readonly old: readonly Node[]
    readonly next: readonly Node[]
  },
): Generator<number, Level> {
  const { top, before, elements, old, next } = row
  const places: (Y.XmlElement | AddedBlock)[] = []
  const written: (Y.XmlElement | undefined)[] = []
  const stays = new Array<boolean>(old.length).fill(false)
  const partners = yield* aligned(old, next, change.homes)
  for (let index = 0; index < next.length; index++) {
    const node = next[index] as Node
    const partner = partners[index] ?? -1
    const was = old[partner]
    const element = elements[partner]
    written.push(element)
    places.push(element ?? addedBlock(node))
    if (was === undefined || element === undefined) continue
    stays[partner] = true
    if (sameContent(was, node)) continue
    yield* comparingBlock(change, { element, top: top ?? element, old: was, next: node })
    yield perBlock
  }
  const rows: (Y.XmlElement | RemovedBlock)[] = []
  const removed: RemovedBlock[] = []
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as Y.XmlElement
    if (stays[index]) rows.push(element)
    else {
      const block = removedBlock(old[index] as Node, { element, elements: blockChildren })
      rows.push(block)
      removed.push(block)
    }
  }
  const level: Level = { parent, top, before, rows, places, removed, written }
  change.levels.push(level)
  return level
}

/** What it costs to compare a block, in characters that are written. */
const perBlock = 16

function* aligned(
  old: readonly Node[],
  next: readonly Node[],
  homes: Homes,
): Generator<number, Partners> {
  const steps = aligning(old, next, homes)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield old.length + next.length
  }
}

function* comparingBlock(change: Change, block: Changed): Generator<number, void> {
  const { element, top, old, next } = block
  if (element.nodeName !== old.type.name) {
    throw new TypeError(`a ${old.type.name} is mirrored by a ${element.nodeName}`)
  }
  change.attributes.push(block)
  if (next.inlineContent) change.texts.push(block)
  else if (!next.isLeaf) {
    const elements = blockChildren(element)
    const [was, now] = [old.children, next.children]
    yield* comparing(change, element, { top, before: null, elements, old: was, next: now })
  }
}
