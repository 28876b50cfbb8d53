/** The schema's nodes and marks under short names, and what each kind of node holds. */
import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'

export const { nodes, marks } = documentSchema

export const isList = (node: Node): boolean =>
  node.type === nodes.bullet_list || node.type === nodes.ordered_list
export const isItem = (node: Node): boolean => node.type === nodes.list_item

/** A task is an item whose `checked` is not null, in either type of list. */
export type ListKind = 'bullet' | 'ordered' | 'task'

export function kindOfItem(list: Node, item: Node): ListKind {
  if (item.attrs['checked'] !== null) return 'task'
  return list.type === nodes.ordered_list ? 'ordered' : 'bullet'
}

/** `node` with these children; the very same where they are its own. */
export function withChildren(node: Node, children: readonly Node[]): Node {
  const isSame =
    children.length === node.childCount &&
    children.every((child, index) => child === node.child(index))
  return isSame ? node : node.copy(Fragment.fromArray([...children]))
}

/** Whether the children of `node` are what a person moves, doubles and deletes as one thing. */
export const holdsUnits = (node: Node): boolean =>
  node.type === nodes.doc || node.type === nodes.blockquote || isList(node)

/** Depth of the innermost ancestor (the node of `$pos` itself included) that fits; or undefined. */
export function depthOf($pos: ResolvedPos, fits: (node: Node) => boolean): number | undefined {
  for (let depth = $pos.depth; depth >= 0; depth--) if (fits($pos.node(depth))) return depth
  return undefined
}

/** Whether `$pos` stands in code, where typing is never markup. */
export const isInCode = ($pos: ResolvedPos): boolean => $pos.parent.type.spec.code === true

/** A copy that is nobody yet: without the ids of the original and of what is in it. */
export function withoutIds(node: Node): Node {
  if (node.isText || node.isInline) return node
  const children = node.children.map(withoutIds)
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: null } : node.attrs
  return node.type.create(attrs, children, node.marks)
}
