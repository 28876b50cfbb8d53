/**
 * Gives new nodes the ids of the blocks that they are from then on: those that stay, and those that
 * moved, were wrapped, taken out or changed in type. So later changes can name them, and what is
 * anchored in them follows.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../document-schema.ts'
import { type AddedBlock, type BlockRow, remake, type StayingBlock } from './blocks.ts'

/** The row with ids; who says what he said is the very node that he was. No id comes twice. */
export function nameBlocks(row: BlockRow): BlockRow {
  const claimed = new Set(row.next.map(({ node }) => idOf(node)))
  const { old, next } = remake(row, (block) => nameStaying(block, claimed))
  return { old, next: next.map((block) => (block.kind === 'comes' ? adopted(block) : block)) }
}

function nameStaying(block: StayingBlock, claimed: ReadonlySet<string | null>): StayingBlock {
  const { old, node, isKept } = block
  const isClaimed = idOf(node) === null && idOf(old) !== null && claimed.has(idOf(old))
  if (isKept && !isClaimed) return { ...block, node: old }
  const row = block.row && nameBlocks(block.row)
  const content = row ? contentOf(node, row) : node.content
  return { ...block, row, node: named(node, { id: isClaimed ? null : idOf(old), content }) }
}

/** A block that comes has no id but that of the block it was. */
function adopted(block: AddedBlock): AddedBlock {
  const { node, source } = block
  const children = block.children.map(adopted)
  const content = children.length > 0 ? contentOf(node, { next: children }) : node.content
  return {
    ...block,
    children,
    node: named(node, { id: source ? idOf(source.node) : null, content }),
  }
}

function contentOf(node: Node, { next }: Pick<BlockRow, 'next'>): Fragment {
  const isSame = next.every((block, index) => block.node === node.child(index))
  return isSame ? node.content : Fragment.fromArray(next.map((block) => block.node))
}

function named(
  node: Node,
  { id, content }: { readonly id: string | null; readonly content: Fragment },
): Node {
  const isNew = id !== idOf(node) && identifiedTypes.has(node.type.name)
  if (isNew) return node.type.create({ ...node.attrs, id }, content, node.marks)
  return content === node.content ? node : node.copy(content)
}

export const idOf = (node: Node): string | null =>
  (node.attrs['id'] as string | null | undefined) ?? null
