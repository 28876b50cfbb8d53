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

  get segments(): readonly Segment[] {
    return [this.#segment]
  }

  get blocks(): readonly NestedRange[] {
    return [this.#range]
  }

  lastBlock(_by: 'from' | 'pos', wanted: number): NestedRange | undefined {
    return wanted < 0 ? undefined : this.#range
  }

  lastSegment(by: 'md' | 'pos', wanted: number): Segment | undefined {
    const segment = this.#segment
    return wanted < segment[by] ? undefined : segment
  }

  get #segment(): Segment {
    const length = this.#node.content.size
    return { md: this.md.length - length, mdLength: length, pos: 1, length }
  }

  get #range(): NestedRange {
    return { type: this.#node.type.name, id: idOf(this.#node), pos: 0, from: 0, to: this.md.length }
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
