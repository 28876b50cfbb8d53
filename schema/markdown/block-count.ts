/**
 * How many block nodes a node is, with those in it at any depth (`limits.blocksMax`). Remembered
 * for containers, since nodes are immutable: a change in a long list costs its items, not their
 * contents. Pure.
 */
import type { Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'

export const blockNodesIn = (node: Node): number =>
  node.isLeaf || node.inlineContent ? 1 : countContainer(node)

const countContainer = remembered((node: Node): number => {
  let count = 1
  for (let index = 0; index < node.childCount; index++) count += blockNodesIn(node.child(index))
  return count
})
