/**
 * Tables as one edits them: selection of cells, keys and paste from prosemirror-tables, whose own
 * repair is kept out: it knows spans and widths, ours knows a head row, rows of one length and one
 * alignment a column (`repairTable`). A table is put right only in answer to one's own change.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { documentSchema } from '../../../schema/document-schema.ts'
import { repairTable } from '../../../schema/markdown/table-repair.ts'
import { rewriteNode } from '../binding/rewrite.ts'
import { changedRanges, localChanges } from './local-changes.ts'

const { table } = documentSchema.nodes

export function tables(): Plugin {
  const stock = tableEditing()
  const normalizeSelection = stock.spec.appendTransaction
  return new Plugin({
    ...stock.spec,
    appendTransaction(trs, before, state) {
      const fixed = localChanges(trs).length === 0 ? null : withTablesRight(trs, state)
      if (fixed !== null) return fixed
      // Between a state and itself the stock plugin finds no table to fix, only a selection.
      return normalizeSelection?.call(stock, trs, state, state) ?? (before && null)
    },
  })
}

function withTablesRight(trs: readonly Transaction[], state: EditorState): Transaction | null {
  const touched = new Map<number, Node>()
  for (const { from, to } of changedRanges(trs)) {
    const end = Math.min(to, state.doc.content.size)
    state.doc.nodesBetween(from, end, (node, pos) => {
      if (node.type === table) touched.set(pos, node)
      return !node.isTextblock && node.type !== table
    })
  }
  const { tr } = state
  for (const [pos, node] of [...touched].sort(([a], [b]) => b - a)) {
    const right = repairTable(node, (cell) => cell)
    if (right !== node) rewriteNode(tr, pos, { old: node, next: right })
  }
  return tr.docChanged ? tr : null
}
