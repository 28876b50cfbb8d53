/**
 * Another document by one step, where a step a block would cost a walk over all blocks each. No
 * position within what changed lives on, so it is for changes of many blocks.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { ReplaceStep, type Transform } from 'prosemirror-transform'
import { changedBlocks } from './changed-blocks.ts'

/** From so many changes on one step is better. */
export const manyChanges = 100

/** Afterwards `tr.doc` equals `target`. */
export function exchange(tr: Transform, target: Node): void {
  const { from, before, after } = changedBlocks(tr.doc, target)
  const to = before.reduce((at, { nodeSize }) => at + nodeSize, from)
  tr.step(new ReplaceStep(from, to, new Slice(Fragment.fromArray([...after]), 0, 0)))
}
