/**
 * Rows and columns. A table is rectangular, has its header row first and no spans: every command
 * leaves it so, and the alignment of a column is the same in each of its cells.
 */
import type { Node, ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { limits } from '../../../schema/limits.ts'
import { depthOf, holdsUnits, nodes } from '../model/nodes.ts'
import { takeOut } from './moving.ts'

export type Alignment = 'left' | 'center' | 'right' | null

/** Rows or columns [from, to). */
interface IndexRange {
  readonly from: number
  readonly to: number
}

/** The table around the selection, and which of its rows and columns are selected. */
export interface TableRect {
  readonly table: Node
  /** Where the table begins. */
  readonly pos: number
  readonly rows: IndexRange
  readonly columns: IndexRange
}

export function tableAround({ selection }: EditorState): TableRect | undefined {
  const { $anchor, $head } = ends(selection)
  const depth = depthOf($anchor, (node) => node.type === nodes.table)
  if (depth === undefined || $head.depth < depth || $head.node(depth) !== $anchor.node(depth)) {
    return undefined
  }
  const span = (at: number): IndexRange => {
    const [one, other] = [$anchor.index(at), $head.index(at)]
    return { from: Math.min(one, other), to: Math.max(one, other) + 1 }
  }
  const table = $anchor.node(depth)
  return { table, pos: $anchor.before(depth), rows: span(depth), columns: span(depth + 1) }
}

/** The first and the last cell that a selection is in: of text, of cells, of a whole row. */
function ends(selection: Selection): Ends {
  if (selection instanceof NodeSelection && selection.node.type.spec['tableRole'] !== undefined) {
    const { node, from, to, $from } = selection
    const inside = node.type === nodes.table_row ? 2 : node.type === nodes.table ? 0 : 1
    return { $anchor: $from.doc.resolve(from + inside), $head: $from.doc.resolve(to - inside) }
  }
  const { $anchorCell, $headCell } = selection as Selection & Partial<CellEnds>
  return { $anchor: $anchorCell ?? selection.$anchor, $head: $headCell ?? selection.$head }
}

interface Ends {
  readonly $anchor: ResolvedPos
  readonly $head: ResolvedPos
}

/** What a selection of cells has besides. */
interface CellEnds {
  readonly $anchorCell: ResolvedPos
  readonly $headCell: ResolvedPos
}

/** Where the cell at `row` and `column` begins; one past the last column: where the row ends. */
function cellPos({ table, pos }: TableRect, row: number, column: number): number {
  let at = pos + 1
  for (let index = 0; index < row; index++) at += table.child(index).nodeSize
  at += 1
  for (let index = 0; index < column; index++) at += table.child(row).child(index).nodeSize
  return at
}

const rowPos = (rect: TableRect, row: number): number =>
  row < rect.table.childCount ? cellPos(rect, row, 0) - 1 : rect.pos + rect.table.nodeSize - 1

type TableChange = (tr: Transaction, rect: TableRect) => boolean

function changingTable(change: TableChange): Command {
  return (state, dispatch) => {
    const rect = tableAround(state)
    if (rect === undefined) return false
    const { tr } = state
    if (!change(tr, rect)) return false
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

const columnsOf = ({ table }: TableRect): number => table.firstChild?.childCount ?? 0

/** A new row above or below the selected ones; nothing stands above the header. */
export const addRow = (side: 'above' | 'below'): Command =>
  changingTable((tr, rect) => {
    const row = side === 'above' ? rect.rows.from : rect.rows.to
    if (row === 0) return false
    const header = rect.table.child(0)
    const cells = header.children.map(({ attrs: { align } }) => nodes.table_cell.create({ align }))
    const pos = rowPos(rect, row)
    tr.insert(pos, nodes.table_row.create(null, cells))
    tr.setSelection(Selection.near(tr.doc.resolve(pos + 2)))
    return true
  })

/** Deletes the selected rows; the row that is first then becomes the header. */
export const deleteRows: Command = (state, dispatch, view) => {
  const whole = tableAround(state)
  if (whole?.rows.from === 0 && whole.rows.to === whole.table.childCount) {
    return deleteTable(state, dispatch, view)
  }
  return changingTable((tr, rect) => {
    const { from, to } = rect.rows
    if (from === 0) asHeader(tr, rect, to)
    tr.delete(rowPos(rect, from), rowPos(rect, to))
    const at = Math.min(rowPos(rect, from) + 2, tr.doc.content.size)
    tr.setSelection(Selection.near(tr.doc.resolve(at), -1))
    return true
  })(state, dispatch, view)
}

function asHeader(tr: Transaction, rect: TableRect, row: number): void {
  for (let column = 0; column < columnsOf(rect); column++) {
    const pos = cellPos(rect, row, column)
    tr.setNodeMarkup(pos, nodes.table_header, tr.doc.nodeAt(pos)?.attrs)
  }
}

/** Puts the selected rows before the row that is now at `index`; the header stays the first. */
export const moveRowsTo = (index: number): Command =>
  changingTable((tr, rect) => {
    const { from, to } = rect.rows
    const { table } = rect
    if (from === 0 || index < 1 || index > table.childCount) return false
    if (index >= from && index <= to) return false
    const [start, end] = [rowPos(rect, from), rowPos(rect, to)]
    const rows = table.children.slice(from, to)
    const { selection } = tr
    tr.delete(start, end)
    const pos = tr.mapping.map(rowPos(rect, index))
    tr.insert(pos, rows)
    const shift = pos - start
    const [anchor, head] = [selection.anchor + shift, selection.head + shift]
    const isText = selection instanceof TextSelection
    tr.setSelection(
      isText ? TextSelection.create(tr.doc, anchor, head) : Selection.near(tr.doc.resolve(pos + 2)),
    )
    return true
  })

/** The selected rows one up or down. */
export const moveRows =
  (direction: -1 | 1): Command =>
  (state, dispatch, view) => {
    const rows = tableAround(state)?.rows
    if (rows === undefined) return false
    const index = direction < 0 ? rows.from - 1 : rows.to + 1
    return moveRowsTo(index)(state, dispatch, view)
  }

/** The selected columns one to the left or the right. */
export const moveColumns = (direction: -1 | 1): Command =>
  changingTable((tr, rect) => {
    const { from, to } = rect.columns
    const passed = direction < 0 ? from - 1 : to
    if (passed < 0 || passed >= columnsOf(rect)) return false
    const [first, last] = direction < 0 ? [passed, to] : [from, passed + 1]
    for (let row = rect.table.childCount - 1; row >= 0; row--) {
      const cells = rect.table.child(row).children
      const [own, other] = [cells.slice(from, to), cells.slice(passed, passed + 1)]
      const [start, end] = [cellPos(rect, row, first), cellPos(rect, row, last)]
      tr.replaceWith(start, end, direction < 0 ? [...own, ...other] : [...other, ...own])
    }
    const moved = { ...rect, table: tr.doc.nodeAt(rect.pos) ?? rect.table }
    const at = cellPos(moved, rect.rows.from, from + direction)
    tr.setSelection(Selection.near(tr.doc.resolve(at + 1)))
    return true
  })

/** A new column on either side of the selected ones. */
export const addColumn = (side: 'before' | 'after'): Command =>
  changingTable((tr, rect) => {
    if (columnsOf(rect) >= limits.tableMaxColumns) return false
    const column = side === 'before' ? rect.columns.from : rect.columns.to
    for (let row = rect.table.childCount - 1; row >= 0; row--) {
      const type = row === 0 ? nodes.table_header : nodes.table_cell
      tr.insert(cellPos(rect, row, column), type.create())
    }
    const first = tr.mapping.map(cellPos(rect, rect.rows.from, column), -1)
    tr.setSelection(Selection.near(tr.doc.resolve(first + 1)))
    return true
  })

export const deleteColumns: Command = (state, dispatch, view) => {
  const whole = tableAround(state)
  if (whole?.columns.from === 0 && whole.columns.to === columnsOf(whole)) {
    return deleteTable(state, dispatch, view)
  }
  return changingTable((tr, rect) => {
    const { from, to } = rect.columns
    for (let row = rect.table.childCount - 1; row >= 0; row--) {
      tr.delete(cellPos(rect, row, from), cellPos(rect, row, to))
    }
    const kept = Math.min(from, columnsOf(rect) - (to - from) - 1)
    const at = tr.mapping.map(cellPos(rect, rect.rows.from, kept < from ? kept : to), 1)
    tr.setSelection(Selection.near(tr.doc.resolve(at + 1)))
    return true
  })(state, dispatch, view)
}

/** Aligns the selected columns, every cell of them. */
export const alignColumns = (align: Alignment): Command =>
  changingTable((tr, rect) => {
    for (let row = 0; row < rect.table.childCount; row++) {
      for (let column = rect.columns.from; column < rect.columns.to; column++) {
        const pos = cellPos(rect, row, column)
        if (tr.doc.nodeAt(pos)?.attrs['align'] !== align) tr.setNodeAttribute(pos, 'align', align)
      }
    }
    return true
  })

/** The alignment that the selected columns have in common. */
export function columnAlignment(state: EditorState): Alignment | undefined {
  const rect = tableAround(state)
  const header = rect?.table.firstChild
  if (rect === undefined || !header) return undefined
  const aligns = header.children
    .slice(rect.columns.from, rect.columns.to)
    .map(({ attrs }) => attrs['align'])
  const [first, ...rest] = aligns as Alignment[]
  return rest.every((align) => align === first) ? first : undefined
}

export const deleteTable: Command = (state, dispatch) => {
  const rect = tableAround(state)
  if (rect === undefined) return false
  const $start = state.doc.resolve(rect.pos)
  const end = state.doc.resolve(rect.pos + rect.table.nodeSize)
  const range = $start.blockRange(end, (node) => holdsUnits(node) || node === $start.parent)
  if (range === null) return false
  const tr = takeOut(state.tr, range)
  const at = tr.doc.resolve(Math.min(tr.mapping.map(rect.pos), tr.doc.content.size))
  dispatch?.(tr.setSelection(Selection.near(at)).scrollIntoView())
  return true
}
