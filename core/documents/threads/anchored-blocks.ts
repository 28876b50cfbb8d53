/**
 * The addressed blocks of a document as anchors look at them at one moment: their plain texts and
 * which struct holds which character, each found once; which of them is around what, and which
 * comes first. Knows no anchor.
 */
import type * as Y from 'yjs'
import { isAddressable } from '../../../schema/addressable.ts'
import { documentSchema } from '../../../schema/document-schema.ts'
import type { BlockId } from '../../../schema/ids.ts'
import { plainText } from '../../../schema/plain-text.ts'
import { after, parentElement } from '../../../schema/yjs/children.ts'
import type { BlockIds } from '../model/block-ids.ts'
import { DocumentOrder } from '../model/document-order.ts'
import type { Mirror } from '../model/mirror.ts'
import { BlockUnits, textblocksIn } from './block-units.ts'

export interface AnchoredBlocksHost {
  readonly mirror: Mirror
  readonly blockIds: BlockIds
}

/** An addressed block at this moment. */
export interface Block {
  readonly id: BlockId
  readonly element: Y.XmlElement
  /** Of its node. */
  readonly kind: string
  readonly units: BlockUnits
  readonly text: string
}

/** Blocks that are looked at, of a write that touched more. */
const touchedMax = 64

/** Blocks that one anchor reaches over. */
const spannedMax = 1_000

export class AnchoredBlocks {
  readonly #host: AnchoredBlocksHost
  readonly #known = new Map<Y.XmlElement, Block | undefined>()

  constructor(host: AnchoredBlocksHost) {
    this.#host = host
  }

  /** The innermost addressed block that holds an element, or is it. */
  around(element: Y.XmlElement): Block | undefined {
    for (let at: Y.XmlElement | undefined = element; at !== undefined; at = parentElement(at)) {
      if (this.#isAddressed(at)) return this.#blockOf(at)
    }
    return undefined
  }

  #isAddressed(element: Y.XmlElement): boolean {
    const { blockIds, mirror } = this.#host
    if (blockIds.idOf(element) === undefined) return false
    const node = mirror.nodeOf(element)
    return node !== undefined && (parentElement(element) === undefined || isAddressable(node))
  }

  named(id: BlockId): Block | undefined {
    const element = this.#host.blockIds.elementOf(id)
    return element && this.#blockOf(element)
  }

  #blockOf(element: Y.XmlElement): Block | undefined {
    if (this.#known.has(element)) return this.#known.get(element)
    const { blockIds, mirror } = this.#host
    const [id, node] = [blockIds.idOf(element), mirror.nodeOf(element)]
    const block = id &&
      node && {
        id,
        element,
        kind: node.type.name,
        units: new BlockUnits(element),
        text: plainText(node),
      }
    this.#known.set(element, block)
    return block
  }

  /** Those of them that hold text themselves and not by way of others; the first. */
  among(ids: Iterable<BlockId>, max = touchedMax): readonly Block[] {
    return this.#those(ids, holdsWords, max)
  }

  /** The same, and those that hold others and are new. */
  amongAll(
    ids: Iterable<BlockId>,
    isNew: (element: Y.XmlElement) => boolean,
    max = touchedMax,
  ): readonly Block[] {
    return this.#those(ids, (element) => holdsWords(element) || isNew(element), max)
  }

  #those(
    ids: Iterable<BlockId>,
    isOne: (element: Y.XmlElement) => boolean,
    max: number,
  ): readonly Block[] {
    const blocks: Block[] = []
    for (const id of ids) {
      const element = this.#host.blockIds.elementOf(id)
      if (element === undefined || !isOne(element) || !this.#isAddressed(element)) continue
      const block = this.around(element)
      if (block !== undefined) blocks.push(block)
      if (blocks.length === max) break
    }
    return blocks
  }

  /** Negative where `a` comes first. */
  order(a: Y.XmlElement, b: Y.XmlElement): number {
    const { mirror } = this.#host
    const apart = mirror.indexOf(topOf(a)) - mirror.indexOf(topOf(b))
    return apart !== 0 ? apart : new DocumentOrder(mirror.fragment).compare(a, b)
  }

  /** The texts of the blocks between two, in order. */
  textBetween(from: Block, to: Block): string[] {
    const texts: string[] = []
    for (let at = from; texts.length < spannedMax; ) {
      const next = textblockBehind(at.element)
      const block = next && this.around(next)
      if (block === undefined || block === to) break
      texts.push(block.text)
      at = block
    }
    return texts
  }

  /** The innermost that holds both; without any the first. */
  holding(from: Block, to: Block): BlockId {
    if (from === to) return from.id
    const above = new Set<Y.XmlElement>()
    for (let at: Y.XmlElement | undefined = from.element; at; at = parentElement(at)) above.add(at)
    for (let at: Y.XmlElement | undefined = to.element; at; at = parentElement(at)) {
      const id = this.#host.blockIds.idOf(at)
      if (above.has(at) && id !== undefined && this.#isAddressed(at)) return id
    }
    return from.id
  }
}

/** A text block, or a row, whose cells have no ids. */
const holdsWords = ({ nodeName }: Y.XmlElement): boolean =>
  nodeName === 'table_row' || documentSchema.nodes[nodeName]?.inlineContent === true

export const isElement = (type: unknown): type is Y.XmlElement =>
  typeof type === 'object' && type !== null && 'nodeName' in type

function topOf(element: Y.XmlElement): Y.XmlElement {
  let top = element
  for (let at = parentElement(top); at !== undefined; at = parentElement(at)) top = at
  return top
}

/** The next text block behind a block and all that is in it. */
function textblockBehind(element: Y.XmlElement): Y.XmlElement | undefined {
  for (let at: Y.XmlElement | undefined = element; at !== undefined; at = parentElement(at)) {
    for (let next = after(at); next !== undefined; next = after(next)) {
      if (!isElement(next)) continue
      for (const textblock of textblocksIn(next)) return textblock
    }
  }
  return undefined
}
