/**
 * The markdown of a document with the place of every block in it, as an immutable value.
 * Invariants: equal to what printing all the nodes at once gives; a splice prints the new blocks
 * and those whose place it changes (the first, the only one, what stands behind a list) and shares
 * all other chunks with the version before; all is printed anew where link definitions change. It
 * knows nothing of Yjs, revisions or authors.
 */
import type { Node } from 'prosemirror-model'
import { lastAtMost } from './bisect.ts'
import { contextOf, soleBlock } from './context.ts'
import type { Definitions } from './definitions.ts'
import { definitionsIn, holdsDefinition } from './document-definitions.ts'
import { gapBefore } from './gaps.ts'
import { edgePositions, offsetIn, positionIn, type Side } from './offsets.ts'
import type { PrintedBlock } from './printed.ts'
import {
  blocksPerChunkMin,
  type ChunkBlock,
  chunkBlock,
  chunksOf,
  type TextChunk,
} from './text-chunk.ts'

export type { TextChunk } from './text-chunk.ts'

/**
 * A block, item or row: `from` and `to` are UTF-16 offsets in the markdown, `index` is its
 * top-level block and `pos` its position there (0 for the block itself).
 */
export interface BlockRange {
  readonly id: string | null
  readonly type: string
  readonly from: number
  readonly to: number
  readonly index: number
  readonly pos: number
}

/** A position in the top-level block `index`; its content begins at 1. */
export interface BlockPosition {
  readonly index: number
  readonly pos: number
}

export class DocumentText {
  readonly chunks: readonly TextChunk[]
  readonly blockCount: number
  /** UTF-16 units of the markdown with its final newline; 0 for the empty document. */
  readonly length: number
  /** The link definitions in the document. */
  readonly definitions: Definitions
  readonly #firstIndexes: readonly number[]
  readonly #offsets: readonly number[]
  #string: string | undefined

  private constructor(chunks: readonly TextChunk[], definitions: Definitions) {
    const firstIndexes = new Array<number>(chunks.length)
    const offsets = new Array<number>(chunks.length)
    let count = 0
    let length = 0
    for (let index = 0; index < chunks.length; index++) {
      const chunk = chunks[index] as TextChunk
      firstIndexes[index] = count
      offsets[index] = length
      count += chunk.blocks.length
      length += chunk.length
    }
    this.chunks = chunks
    this.definitions = definitions
    this.blockCount = count
    this.length = length
    this.#firstIndexes = firstIndexes
    this.#offsets = offsets
  }

  static of(nodes: readonly Node[]): DocumentText {
    const sole = soleBlock(nodes)
    const definitions = definitionsIn(nodes)
    const placed: ChunkBlock[] = []
    let previous: ChunkBlock | undefined
    for (const node of nodes) {
      previous = chunkBlock(previous, node, { only: node === sole, definitions })
      placed.push(previous)
    }
    return new DocumentText(chunksOf(placed, true), definitions)
  }

  /** Of chunks that were made for one document, with its definitions. */
  static joined(chunks: readonly TextChunk[], definitions: Definitions): DocumentText {
    return new DocumentText(chunks, definitions)
  }

  /** The version in which `nodes` stand in place of the top-level blocks [from, to). */
  splice(from: number, to: number, nodes: readonly Node[]): DocumentText {
    if (!(from >= 0 && from <= to && to <= this.blockCount)) {
      throw new RangeError(`splice ${from}..${to} of ${this.blockCount} blocks`)
    }
    const typed = this.#retyped(from, to, nodes)
    if (typed !== undefined) return typed
    const count = this.blockCount - (to - from) + nodes.length
    const isShort = count <= soleMax || this.blockCount <= soleMax
    if (isShort || this.#definesOtherwise(from, to, nodes)) return this.#remade(from, to, nodes)
    const { definitions } = this
    const before = from > 0 ? this.#block(from - 1) : undefined
    const placed = placeAll(before, nodes, definitions)
    let end = to
    while (end < this.blockCount) {
      const old = this.#block(end)
      const next = chunkBlock(placed.at(-1) ?? before, old.node, { only: false, definitions })
      if (next.printed === old.printed && next.lead === old.lead) break
      placed.push(next)
      end++
    }
    return this.#replace(from, end, placed)
  }

  /** Block nodes at any depth, cells too; each chunk counts its own once. */
  get nodeCount(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.nodeCount, 0)
  }

  node(index: number): Node {
    return this.#block(index).node
  }

  printed(index: number): PrintedBlock {
    return this.#block(index).printed
  }

  /** What stands between the block before, or the document's start, and a block. */
  lead(index: number): string {
    return this.#block(index).lead
  }

  /** Where a block begins in the markdown. */
  start(index: number): number {
    const chunk = this.#chunkOf(index)
    const first = this.#firstIndexes[chunk] ?? 0
    return (this.#offsets[chunk] ?? 0) + (this.chunks[chunk]?.starts[index - first] ?? 0)
  }

  /** Where a block ends: after its last character, before the blank line. */
  end(index: number): number {
    return this.start(index) + this.printed(index).md.length
  }

  /** The block at or before an offset: the gap after a block belongs to that block. */
  indexAt(offset: number): number {
    const chunk = Math.max(0, lastIndexAtMost(this.#offsets, offset))
    const within = offset - (this.#offsets[chunk] ?? 0)
    const index = (this.#firstIndexes[chunk] ?? 0) + (this.chunks[chunk]?.blockAt(within) ?? 0)
    return Math.max(0, index)
  }

  toString(): string {
    this.#string ??= this.chunks.map((chunk) => chunk.text).join('')
    return this.#string
  }

  slice(from: number, to: number): string {
    if (this.#string !== undefined) return this.#string.slice(from, to)
    const last = lastIndexAtMost(this.#offsets, to)
    let out = ''
    for (let index = Math.max(0, lastIndexAtMost(this.#offsets, from)); index <= last; index++) {
      const offset = this.#offsets[index] ?? 0
      out += this.chunks[index]?.text.slice(Math.max(0, from - offset), Math.max(0, to - offset))
    }
    return out
  }

  /** Every block, item and row in document order, a nested one after the one that holds it. */
  *blocks(): Generator<BlockRange> {
    let index = 0
    let offset = 0
    for (const { blocks, starts, length } of this.chunks) {
      let block = 0
      for (const { printed } of blocks) {
        const start = offset + (starts[block++] ?? 0)
        for (const { id, type, from, to, pos } of printed.blocks) {
          yield { id, type, from: start + from, to: start + to, index, pos }
        }
        index++
      }
      offset += length
    }
  }

  /** The block, item or row that carries an id: one look-up a chunk, each indexed once. */
  findBlock(id: string): BlockRange | undefined {
    for (const [at, chunk] of this.chunks.entries()) {
      const found = chunk.locate(id)
      if (!found) continue
      const start = (this.#offsets[at] ?? 0) + (chunk.starts[found.block] ?? 0)
      const { type, pos, from, to } = found.range
      const index = (this.#firstIndexes[at] ?? 0) + found.block
      return { id, type, from: start + from, to: start + to, index, pos }
    }
    return undefined
  }

  /**
   * The position of a markdown offset: as the start of a range the next text, as its end the
   * previous one, in the neighbouring block when this one has none there. Clamped to the document.
   */
  positionAt(offset: number, side: Side): BlockPosition {
    let index = this.indexAt(offset)
    const pos = positionIn(this.#block(index), offset - this.start(index), side)
    if (pos !== undefined) return { index, pos }
    const step = side === 'start' ? 1 : -1
    const outside = index + step < 0 || index + step >= this.blockCount
    if (!outside) index += step
    const { first, last } = edgePositions(this.#block(index))
    return { index, pos: outside === (side === 'start') ? last : first }
  }

  /** The markdown offset of a position: the inverse of `positionAt` for the same side. */
  offsetAt(index: number, pos: number, side: Side = 'start'): number {
    return this.start(index) + offsetIn(this.#block(index), pos, side)
  }

  #chunkOf(index: number): number {
    if (!(index >= 0 && index < this.blockCount)) {
      throw new RangeError(`block ${index} of ${this.blockCount}`)
    }
    return lastIndexAtMost(this.#firstIndexes, index)
  }

  #block(index: number): ChunkBlock {
    const chunk = this.#chunkOf(index)
    const block = this.chunks[chunk]?.blocks[index - (this.#firstIndexes[chunk] ?? 0)]
    if (!block) throw new TypeError(`chunk ${chunk} lacks block ${index}`)
    return block
  }

  /** Whether the splice brings, takes or changes a link definition. */
  #definesOtherwise(from: number, to: number, nodes: readonly Node[]): boolean {
    if (nodes.some(holdsDefinition)) return true
    for (let index = from; index < to; index++) if (holdsDefinition(this.node(index))) return true
    return false
  }

  /** A splice from or to few blocks: being the only one is part of a block's context. */
  #remade(from: number, to: number, nodes: readonly Node[]): DocumentText {
    const kept = (start: number, end: number) =>
      Array.from({ length: end - start }, (_, offset) => this.node(start + offset))
    return DocumentText.of([...kept(0, from), ...nodes, ...kept(to, this.blockCount)])
  }

  /** Typing: a textblock of its kind stands in the place of one, and what is behind it stays. */
  #retyped(from: number, to: number, nodes: readonly Node[]): DocumentText | undefined {
    const [node] = nodes
    if (node === undefined || nodes.length > 1 || to !== from + 1) return undefined
    const { node: old, context, lead } = this.#block(from)
    if (old.type !== node.type || !node.isTextblock || holdsDefinition(node)) return undefined
    if (context.only || this.blockCount <= soleMax) return undefined
    const { definitions } = this
    const before = from > 0 ? this.#block(from - 1) : undefined
    const placed = chunkBlock(before, node, { only: false, definitions })
    const behind = to < this.blockCount ? this.#block(to) : undefined
    const isSame =
      placed.lead === lead &&
      (behind === undefined ||
        (gapBefore(node, behind.node) === behind.lead &&
          contextOf({ ...placed.context, node }, behind.node, false) === behind.context))
    return isSame ? this.#exchange(from, to, [placed]) : undefined
  }

  #replace(from: number, to: number, placed: readonly ChunkBlock[]): DocumentText {
    return this.#exchange(from, to, placed) ?? this.#rechunk(from, to, placed)
  }

  /** Typing: blocks of one chunk give way to as many, and the chunks stay as they are cut. */
  #exchange(from: number, to: number, placed: readonly ChunkBlock[]): DocumentText | undefined {
    if (to - from !== placed.length || placed.length === 0) return undefined
    const index = this.#chunkOf(from)
    const first = this.#firstIndexes[index] ?? 0
    const chunk = this.chunks[index]?.exchange(from - first, placed)
    if (chunk === undefined) return undefined
    const chunks = this.chunks.slice()
    chunks[index] = chunk
    return new DocumentText(chunks, this.definitions)
  }

  #rechunk(from: number, to: number, placed: readonly ChunkBlock[]): DocumentText {
    let first = this.#chunkOf(Math.min(from, this.blockCount - 1))
    let last = to > from ? this.#chunkOf(to - 1) : first
    const head = this.chunks[first]?.blocks.slice(0, from - (this.#firstIndexes[first] ?? 0)) ?? []
    const tail = this.chunks[last]?.blocks.slice(to - (this.#firstIndexes[last] ?? 0)) ?? []
    let blocks = [...head, ...placed, ...tail]
    if (blocks.length < blocksPerChunkMin && first > 0) {
      blocks = [...(this.chunks[--first]?.blocks ?? []), ...blocks]
    } else if (blocks.length < blocksPerChunkMin && last + 1 < this.chunks.length) {
      blocks = [...blocks, ...(this.chunks[++last]?.blocks ?? [])]
    }
    const made = chunksOf(blocks, last === this.chunks.length - 1)
    const chunks = [...this.chunks.slice(0, first), ...made, ...this.chunks.slice(last + 1)]
    return new DocumentText(chunks, this.definitions)
  }
}

/** In a document of more blocks than front matter and one, no block is the only one. */
const soleMax = 2

/** Blocks behind another, none of them the only one. */
function placeAll(
  before: ChunkBlock | undefined,
  nodes: readonly Node[],
  definitions: Definitions,
): ChunkBlock[] {
  const placed: ChunkBlock[] = []
  let previous = before
  for (const node of nodes) {
    previous = chunkBlock(previous, node, { only: false, definitions })
    placed.push(previous)
  }
  return placed
}

const lastIndexAtMost = (ascending: readonly number[], wanted: number): number =>
  lastAtMost(ascending.length, wanted, (index) => ascending[index] ?? 0)
