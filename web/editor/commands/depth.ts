/**
 * The bound on nesting: the service takes documents of at most `nodeMaxDepth` levels. A command
 * that would go deeper does nothing, and the key counts as answered.
 */
import type { Node } from 'prosemirror-model'
import type { Command, Transaction } from 'prosemirror-state'
import { limits } from '../../../schema/limits.ts'
import { changedBlocks } from '../model/changed-blocks.ts'

/** Levels of nodes below `node`, characters not counted. */
function levels(node: Node): number {
  let deepest = 0
  for (const child of node.children) {
    if (!child.isText) deepest = Math.max(deepest, 1 + levels(child))
  }
  return deepest
}

/** Whether each top-level block that `tr` changed is still within the bound. */
export function isWithinDepth(tr: Transaction): boolean {
  const { after } = changedBlocks(tr.before, tr.doc)
  return after.every((block) => 1 + levels(block) <= limits.nodeMaxDepth)
}

/** The command, but quietly doing nothing where the document would become too deep. */
export const withinDepth =
  (command: Command): Command =>
  (state, dispatch, view) => {
    if (dispatch === undefined) return command(state, undefined, view)
    return command(state, (tr) => isWithinDepth(tr) && dispatch(tr), view)
  }
