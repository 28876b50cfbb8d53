/**
 * Gives planned blocks the ids of the blocks whose place they take, so that a later edit of the
 * same request can still name them. The same alignment decides as when the blocks are written.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { alignSiblings } from './align.ts'

/** `next` with ids of `old`; nodes that stay are the same objects. No id comes twice. */
export function withIdsOf(old: readonly Node[], next: readonly Node[]): Node[] {
  const taken = new Set(next.map(idOf))
  return alignSiblings(old, next).map((partner, index) => {
    const node = next[index] as Node
    const was = partner === undefined ? undefined : old[partner]
    if (was === undefined || was === node) return node
    const content = node.isLeaf || node.inlineContent ? node.content : childrenWithIds(was, node)
    const id = idOf(node) ?? (taken.has(idOf(was)) ? null : idOf(was))
    const isNew = id !== idOf(node) && identifiedTypes.has(node.type.name)
    if (!isNew) return content === node.content ? node : node.copy(content)
    return node.type.create({ ...node.attrs, id }, content, node.marks)
  })
}

function childrenWithIds(old: Node, next: Node): Fragment {
  const children = withIdsOf(old.children, next.children)
  const isSame = children.every((child, index) => child === next.child(index))
  return isSame ? next.content : Fragment.fromArray(children)
}

const idOf = (node: Node): string | null => (node.attrs['id'] as string | null | undefined) ?? null
