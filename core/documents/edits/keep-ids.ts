/**
 * Gives planned blocks the ids of the blocks whose place they take, so that a later edit of the
 * same request can still name them. The same alignment decides as when the blocks are written.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { finish, type Steps } from '../../../schema/steps.ts'
import { alignSiblings, type Partners } from './align.ts'

/** `next` with ids of `old`; nodes that stay are the same objects. No id comes twice. */
export const withIdsOf = (old: readonly Node[], next: readonly Node[]): Node[] =>
  finish(givingIds(old, next, alignSiblings(old, next)))

/** The same for nodes that were aligned before, as work that can be interrupted. */
export function* givingIds(
  old: readonly Node[],
  next: readonly Node[],
  partners: Partners,
): Steps<Node[]> {
  const taken = new Set(next.map(idOf))
  const named: Node[] = []
  for (const [index, node] of next.entries()) {
    const partner = partners[index]
    const was = partner === undefined ? undefined : old[partner]
    const isKept = was === undefined || was === node
    named.push(isKept ? node : withId(was, node, taken.has(idOf(was)) ? null : idOf(was)))
    if (index % namedAtOnce === namedAtOnce - 1) yield
  }
  return named
}

const namedAtOnce = 256

/** `next` with the ids of `old` in it; its own is `given` unless it has one. */
function withId(old: Node, next: Node, given: string | null): Node {
  const content = next.isLeaf || next.inlineContent ? next.content : childrenWithIds(old, next)
  const id = idOf(next) ?? given
  const isNew = id !== idOf(next) && identifiedTypes.has(next.type.name)
  if (!isNew) return content === next.content ? next : next.copy(content)
  return next.type.create({ ...next.attrs, id }, content, next.marks)
}

function childrenWithIds(old: Node, next: Node): Fragment {
  const children = withIdsOf(old.children, next.children)
  const isSame = children.every((child, index) => child === next.child(index))
  return isSame ? next.content : Fragment.fromArray(children)
}

const idOf = (node: Node): string | null => (node.attrs['id'] as string | null | undefined) ?? null
