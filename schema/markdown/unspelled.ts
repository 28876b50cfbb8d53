/** Blocks without how they were written, as the canonical form has them. Remembered per node. */
import { Fragment, type Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'

/** The very node where there is nothing to take away. */
export const unspelled = (node: Node): Node =>
  node.isText || (node.isLeaf && !hasSpelling(node)) ? node : withoutSpelling(node)

const hasSpelling = ({ attrs }: Node): boolean =>
  (attrs['spelling'] ?? null) !== null || (attrs['gap'] ?? null) !== null

const withoutSpelling = remembered((node: Node): Node => {
  const children = node.inlineContent ? node.children : node.children.map(unspelled)
  const isSame = children.every((child, index) => child === node.child(index))
  if (isSame && !hasSpelling(node)) return node
  const attrs = { ...node.attrs }
  for (const name of ['spelling', 'gap']) if (name in attrs) attrs[name] = null
  return node.type.create(attrs, isSame ? node.content : Fragment.fromArray([...children]))
})
