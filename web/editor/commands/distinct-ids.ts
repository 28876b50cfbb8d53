/**
 * Where a command splits a block, both halves would carry its id and the blank lines before it. The
 * first keeps them, and the other is a block that has none yet.
 */
import type { Command, Transaction } from 'prosemirror-state'
import { changedBlocks } from '../model/changed-blocks.ts'

function distinguish(tr: Transaction): Transaction {
  const { from, after } = changedBlocks(tr.before, tr.doc)
  const seen = new Set<string>()
  const repeated: number[] = []
  let pos = from
  for (const block of after) {
    const visit = (id: unknown, at: number) => {
      if (typeof id !== 'string') return
      if (seen.has(id)) repeated.push(at)
      seen.add(id)
    }
    visit(block.attrs['id'], pos)
    const start = pos + 1
    block.descendants((node, offset) => visit(node.attrs['id'], start + offset))
    pos += block.nodeSize
  }
  for (const at of repeated) {
    tr.setNodeAttribute(at, 'id', null)
    if ('gap' in (tr.doc.nodeAt(at)?.attrs ?? {})) tr.setNodeAttribute(at, 'gap', null)
  }
  return tr
}

export const withDistinctIds =
  (command: Command): Command =>
  (state, dispatch, view) =>
    command(state, dispatch && ((tr) => dispatch(distinguish(tr))), view)
