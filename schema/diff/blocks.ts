/**
 * What became of the blocks of a row of siblings, at any depth: which stay where they are, which go
 * and which come. A block that comes may be one that went: moved, wrapped, taken out, converted.
 */
import type { Node } from 'prosemirror-model'
import { align } from './align.ts'
import { sameContent } from './content.ts'
import type { KnownTexts } from './known-texts.ts'

/** A block that stays where it is among its siblings. */
export interface StayingBlock {
  readonly kind: 'stays'
  readonly old: Node
  readonly node: Node
  /** It says what it said. */
  readonly isKept: boolean
  /** Its children, where it is one that holds blocks and anything in it changed. */
  readonly row: BlockRow | undefined
}

/** A block that goes. */
export interface RemovedBlock {
  readonly kind: 'goes'
  readonly node: Node
  readonly parent: RemovedBlock | undefined
  readonly children: readonly RemovedBlock[]
  /** It is one of those that come. */
  readonly isTaken: boolean
}

/** A block that comes. */
export interface AddedBlock {
  readonly kind: 'comes'
  readonly node: Node
  readonly children: readonly AddedBlock[]
  /** The one that it was, if any. */
  readonly source: RemovedBlock | undefined
}

/** Siblings before and after. */
export interface BlockRow {
  /** Who goes; undefined for each that stays, which are those of `next` in the same order. */
  readonly old: readonly (RemovedBlock | undefined)[]
  readonly next: readonly (StayingBlock | AddedBlock)[]
}

export function removedBlock(node: Node, parent?: RemovedBlock): RemovedBlock {
  const children: RemovedBlock[] = []
  const block: RemovedBlock = { kind: 'goes', node, parent, children, isTaken: false }
  if (node.inlineContent) return block
  for (const child of node.children) children.push(removedBlock(child, block))
  return block
}

export function addedBlock(node: Node): AddedBlock {
  const children = node.inlineContent ? [] : node.children.map(addedBlock)
  return { kind: 'comes', node, children, source: undefined }
}

type Open<Block> = { -readonly [Field in keyof Block]: Block[Field] }

/** While it is found out who was whom; afterwards nothing changes. */
export function take(block: Open<AddedBlock>, source: Open<RemovedBlock>): void {
  block.source = source
  source.isTaken = true
}

/** Who stays, on all levels; of the others nobody is known to be another yet. */
export function matchRow(old: readonly Node[], next: readonly Node[], texts: KnownTexts): BlockRow {
  const partners = align(old, next, texts)
  const stays = new Set<number | undefined>(partners)
  const blocks: (StayingBlock | AddedBlock)[] = []
  for (const [index, node] of next.entries()) {
    const was = old[partners[index] ?? -1]
    blocks.push(was ? matchBlock(was, node, texts) : addedBlock(node))
  }
  const gone = old.map((node, index) => (stays.has(index) ? undefined : removedBlock(node)))
  return { old: gone, next: blocks }
}

function matchBlock(old: Node, node: Node, texts: KnownTexts): StayingBlock {
  const isKept = sameContent(old, node)
  const isHolder = !node.inlineContent && !node.isLeaf
  const row = isKept || !isHolder ? undefined : matchRow(old.children, node.children, texts)
  return { kind: 'stays', old, node, isKept, row }
}

/** The block as it comes to say what `node` says. */
export function withNode(block: StayingBlock, node: Node): StayingBlock {
  const isKept = sameContent(block.old, node)
  return { ...block, node, isKept, row: isKept ? undefined : block.row }
}

/** Each that stays, with its index before and after. */
export function* staysOf(
  row: BlockRow,
): Generator<readonly [StayingBlock, from: number, to: number]> {
  let from = 0
  for (const [to, block] of row.next.entries()) {
    if (block.kind !== 'stays') continue
    while (row.old[from] !== undefined) from++
    yield [block, from++, to]
  }
}

/** Each old sibling, in order: it stays or goes. */
export function* oldBlocks(row: BlockRow): Generator<StayingBlock | RemovedBlock> {
  const stays = row.next.filter((block) => block.kind === 'stays')
  let next = 0
  for (const gone of row.old) {
    const block = gone ?? stays[next++]
    if (block !== undefined) yield block
  }
}

/** The same row, those that stay made anew by `make`; those that come as they are. */
export function remake(
  row: BlockRow,
  make: (block: StayingBlock, from: number) => StayingBlock,
): BlockRow {
  const next = [...row.next]
  for (const [block, from, to] of staysOf(row)) {
    next[to] = make(block, from)
  }
  return { old: row.old, next }
}
