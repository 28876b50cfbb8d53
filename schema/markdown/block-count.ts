/**
 * How many block nodes a node is, with those in it at any depth (`limits.blocksMax`). Remembered
 * for containers, since nodes are immutable: a change in a long list costs its items, not their
 * contents. Pure.
 */
import type { Node } from 'prosemirror-model'

const counted = new WeakMap<Node, number>()

export function blockNodesIn(node: Node): number {
  if (node.isLeaf || node.inlineContent) return 1
  let count = counted.get(node)
  if (count === undefined) {
    count = 1
    for (let index = 0; index < node.childCount; index++) count += blockNodesIn(node.child(index))
    counted.set(node, count)
  }
  return count
}
