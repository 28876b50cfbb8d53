/**
 * A chunk: some consecutive top-level blocks with their printed text, the unit that versions of a
 * document share. Invariants: a chunk never changes; its text is its blocks, each behind the blank
 * lines before it, and a terminator (a newline at the document's end, nothing elsewhere and in the
 * empty document), so that the chunks' texts joined are the document. A block that prints nothing,
 * which is the last one, stands behind the terminator. It does not know its place in the document.
 */
import type { Node } from 'prosemirror-model'
import { lastAtMost } from './bisect.ts'
import { blockNodesIn } from './block-count.ts'
import { contextOf } from './context.ts'
import type { Definitions } from './definitions.ts'
import { gapBefore } from './gaps.ts'
import type { NestedRange, PrintContext, PrintedBlock } from './printed.ts'
import { printBlock } from './printer.ts'

/**
 * A top-level block, printed for its place. The same node in the same context has the same
 * `printed` object, so `===` tells whether a block prints as before.
 */
export interface ChunkBlock {
  readonly node: Node
  readonly context: PrintContext
  readonly printed: PrintedBlock
  /** What stands between the block before it, or the document's start, and the block. */
  readonly lead: string
}

export type Terminator = '' | '\n'

/** `node` as it prints after `previous`, undefined at the document's start. */
export function chunkBlock(
  previous: ChunkBlock | undefined,
  node: Node,
  { only, definitions }: { readonly only: boolean; readonly definitions: Definitions },
): ChunkBlock {
  const before = previous && { ...previous.context, node: previous.node }
  const context = contextOf(before, node, only)
  const printed = printBlock(node, context, definitions)
  const lead = printed.md === '' ? '' : gapBefore(previous?.node, node)
  return { node, context, printed, lead }
}

/** What consecutive blocks print, without a terminator. */
export const joinedText = (blocks: readonly ChunkBlock[]): string =>
  blocks.map(({ lead, printed }) => lead + printed.md).join('')

interface LocatedRange {
  readonly block: number
  readonly range: NestedRange
}

export class TextChunk {
  readonly blocks: readonly ChunkBlock[]
  /** Where each block begins, from the start of the chunk. */
  readonly starts: readonly number[]
  readonly length: number
  readonly terminator: Terminator
  #text: string | undefined
  #ids: ReadonlyMap<string, LocatedRange> | undefined
  #nodeCount: number | undefined

  constructor(blocks: readonly ChunkBlock[], terminator: Terminator) {
    const starts = new Array<number>(blocks.length)
    let end = 0
    for (const [index, { lead, printed }] of blocks.entries()) {
      const { length } = printed.md
      starts[index] = end + (length > 0 ? lead.length : terminator.length)
      if (length > 0) end += lead.length + length
    }
    this.blocks = blocks
    this.starts = starts
    this.length = end + terminator.length
    this.terminator = terminator
  }

  /**
   * The chunk with `placed` for as many blocks from `at` on; undefined where they reach beyond it,
   * or where one prints nothing, on which the terminator depends.
   */
  exchange(at: number, placed: readonly ChunkBlock[]): TextChunk | undefined {
    if (at + placed.length > this.blocks.length) return undefined
    const blocks = this.blocks.slice()
    for (const [offset, block] of placed.entries()) {
      if (block.printed.md === '' || blocks[at + offset]?.printed.md === '') return undefined
      blocks[at + offset] = block
    }
    return new TextChunk(blocks, this.terminator)
  }

  /** The chunk's part of the document, made when first asked for. */
  get text(): string {
    this.#text ??= joinedText(this.blocks) + this.terminator
    return this.#text
  }

  /** Block nodes in it, at any depth; counted when first asked for. */
  get nodeCount(): number {
    this.#nodeCount ??= this.blocks.reduce((sum, { node }) => sum + blockNodesIn(node), 0)
    return this.#nodeCount
  }

  /**
   * The block at or before an offset in the chunk; a gap belongs to the block before it, that of
   * the first block to none in the chunk: -1.
   */
  blockAt(offset: number): number {
    return lastAtMost(this.starts.length, offset, (index) => this.starts[index] ?? 0)
  }

  /** The first range that carries a block id. */
  locate(id: string): LocatedRange | undefined {
    this.#ids ??= this.#indexIds()
    return this.#ids.get(id)
  }

  #indexIds(): ReadonlyMap<string, LocatedRange> {
    const ids = new Map<string, LocatedRange>()
    for (const [block, { printed }] of this.blocks.entries()) {
      for (const range of printed.blocks) {
        if (range.id !== null && !ids.has(range.id)) ids.set(range.id, { block, range })
      }
    }
    return ids
  }
}

const blocksPerChunk = 64

/** A chunk with fewer blocks is joined to a neighbour when it is remade. */
export const blocksPerChunkMin = 16

/** Cuts blocks into chunks of about equal size; `last`: they end the document. */
export function chunksOf(blocks: readonly ChunkBlock[], last: boolean): TextChunk[] {
  const count = Math.round(blocks.length / blocksPerChunk) || Math.min(1, blocks.length)
  const chunks: TextChunk[] = []
  for (let index = 0; index < count; index++) {
    const from = Math.floor((index * blocks.length) / count)
    const to = Math.floor(((index + 1) * blocks.length) / count)
    const part = blocks.slice(from, to)
    const ends = last && index === count - 1
    chunks.push(new TextChunk(part, ends ? terminatorOf(part) : ''))
  }
  return chunks
}

function terminatorOf(blocks: readonly ChunkBlock[]): Terminator {
  return blocks.length === 1 && blocks[0]?.printed.md === '' ? '' : '\n'
}
