/**
 * A top-level paragraph or heading whose text is spelled as it is, printed. Most blocks are such,
 * and each key makes another, so that one holds its node and its text and nothing more: where its
 * content lies is told to who asks.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { plainTextOf } from './inline.ts'
import { idOf, levelOf } from './node-attributes.ts'
import type { NestedRange, PrintedBlock, Segment } from './printed.ts'

const { paragraph, heading } = documentSchema.nodes

class PlainBlock implements PrintedBlock {
  readonly md: string
  readonly #node: Node

  constructor(node: Node, md: string) {
    this.md = md
    this.#node = node
  }

  get segments(): readonly [Segment] {
    const length = this.#node.content.size
    return [{ md: this.md.length - length, mdLength: length, pos: 1, length }]
  }

  get blocks(): readonly [NestedRange] {
    const node = this.#node
    return [{ type: node.type.name, id: idOf(node), pos: 0, from: 0, to: this.md.length }]
  }

  lastBlock(_by: 'from' | 'pos', wanted: number): NestedRange | undefined {
    return wanted < 0 ? undefined : this.blocks[0]
  }

  lastSegment(by: 'md' | 'pos', wanted: number): Segment | undefined {
    const [segment] = this.segments
    return wanted < segment[by] ? undefined : segment
  }
}

/** The same wherever it stands; undefined for what has to be printed. A short cut, not a rule. */
export function plainBlock(node: Node): PrintedBlock | undefined {
  const isHeading = node.type === heading
  if (!isHeading && node.type !== paragraph) return undefined
  const text = plainTextOf(node, { heading: isHeading })
  if (text === undefined) return undefined
  return new PlainBlock(node, isHeading ? `${'#'.repeat(levelOf(node))} ${text}` : text)
}
