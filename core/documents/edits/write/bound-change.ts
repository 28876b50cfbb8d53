/**
 * A change of blocks bound to the tree that it is written into: which elements stay at which
 * position, what comes, what goes, and whose text or attributes differ, on every level that
 * changes. Reads Yjs, compares nothing and writes nothing.
 */
import * as Y from 'yjs'
import type {
  AddedBlock,
  BlockRow,
  RemovedBlock,
  StayingBlock,
} from '../../../../schema/diff/blocks.ts'
import { isChangedText } from '../../../../schema/diff/passages.ts'
import { blockChildren } from './adoption.ts'

/** One row of siblings: what stays (an element) and what comes, in order; and what goes. */
export interface Level {
  readonly parent: Y.XmlFragment
  readonly before: Y.XmlElement | null
  readonly places: readonly (Y.XmlElement | AddedBlock)[]
  readonly removed: readonly RemovedBlock[]
  /** The elements of `places`; undefined until one is written. */
  readonly written: (Y.XmlElement | undefined)[]
}

export interface Changed {
  readonly element: Y.XmlElement
  readonly block: StayingBlock
}

export const isAdded = (place: Y.XmlElement | AddedBlock): place is AddedBlock =>
  !(place instanceof Y.XmlElement)

export class BoundChange {
  readonly levels: Level[] = []
  readonly texts: Changed[] = []
  readonly attributes: Changed[] = []
  readonly #elements = new Map<StayingBlock | RemovedBlock, Y.XmlElement>()

  /** What holds the block, which stood before the change. */
  elementOf(block: StayingBlock | RemovedBlock): Y.XmlElement {
    const element = this.#elements.get(block)
    if (element === undefined) throw new TypeError('what stands has an element')
    return element
  }

  /** Enters a row of siblings and all below it. */
  bind(
    parent: Y.XmlFragment,
    siblings: {
      readonly before: Y.XmlElement | null
      readonly elements: readonly Y.XmlElement[]
      readonly row: BlockRow
    },
  ): Level {
    const { before, elements, row } = siblings
    const places: (Y.XmlElement | AddedBlock)[] = []
    const staying = elements.filter((_, index) => row.old[index] === undefined)
    let at = 0
    for (const block of row.next) {
      if (block.kind === 'comes') {
        places.push(block)
        continue
      }
      const element = staying[at++]
      if (element === undefined) throw new TypeError(`a ${block.old.type.name} is not in Yjs`)
      places.push(element)
      if (block.isKept) continue
      this.#bindBlock({ element, block })
    }
    const removed: RemovedBlock[] = []
    for (const [index, block] of row.old.entries()) {
      if (block === undefined) continue
      this.#bindRemoved(block, elements[index])
      removed.push(block)
    }
    const written = places.map((place) => (isAdded(place) ? undefined : place))
    const level: Level = { parent, before, places, removed, written }
    this.levels.push(level)
    return level
  }

  #bindBlock(changed: Changed): void {
    const { element, block } = changed
    if (element.nodeName !== block.old.type.name) {
      throw new TypeError(`a ${block.old.type.name} is mirrored by a ${element.nodeName}`)
    }
    this.#elements.set(block, element)
    this.attributes.push(changed)
    if (isChangedText(block)) this.texts.push(changed)
    if (block.row === undefined) return
    const elements = blockChildren(element)
    this.bind(element, { before: null, elements, row: block.row })
  }

  #bindRemoved(block: RemovedBlock, element: Y.XmlElement | undefined): void {
    if (element === undefined) throw new TypeError(`a ${block.node.type.name} is not in Yjs`)
    this.#elements.set(block, element)
    if (block.children.length === 0) return
    const elements = blockChildren(element)
    for (const [index, child] of block.children.entries()) this.#bindRemoved(child, elements[index])
  }
}
