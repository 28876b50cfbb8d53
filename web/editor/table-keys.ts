/**
 * Keys within a table: Tab and Shift-Tab go from cell to cell, Enter to the cell below; at the end
 * both make a row. Arrow up and down go by columns and lead out at the edge. Enter in an empty last
 * row leaves the table, as it leaves a list. Shift with an arrow selects text up to the edge of
 * the cell, and from there whole cells. Nothing ever splits a cell.
 */
import { chainCommands } from 'prosemirror-commands'
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state'
import { CellSelection, goToNextCell, isInTable, nextCell, selectionCell } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { documentSchema } from '../../schema/document-schema.ts'
import { addRow } from './commands/tables.ts'

const { paragraph } = documentSchema.nodes

/** A row behind the last, with the caret in its first cell. */
const rowAtEnd: Command = (state, dispatch, view) =>
  isInTable(state) && addRow('below')(state, dispatch, view)

/** Where the caret's cell stands: positions of cell, row and table around it. */
function cellAround(state: EditorState) {
  const $cell = selectionCell(state)
  const table = $cell.node(-1)
  return { $cell, table, row: $cell.index(-1), column: $cell.index() }
}

const cellBelow: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false
  const { table, row, column } = cellAround(state)
  if (row === table.childCount - 1) {
    if (table.child(row).textContent === '' && row > 0) return leaveTable(state, dispatch)
    return rowAtEnd(state, dispatch, view)
  }
  goToCell(state, dispatch, { row: row + 1, column })
  return true
}

/** The caret at the start of that cell of the table around it. */
function goToCell(
  state: EditorState,
  dispatch: Parameters<Command>[1],
  to: { readonly row: number; readonly column: number },
): void {
  const { $cell, table } = cellAround(state)
  let pos = $cell.start(-1)
  for (let index = 0; index < to.row; index++) pos += table.child(index).nodeSize
  const row = table.child(to.row)
  for (let index = 0; index < Math.min(to.column, row.childCount - 1); index++) {
    pos += row.child(index).nodeSize
  }
  const inside = Selection.near(state.doc.resolve(pos + 2))
  dispatch?.(state.tr.setSelection(inside).scrollIntoView())
}

/** Arrow up and down go to the cell above or below, and at the table's edge out of it. */
const goUpOrDown =
  (way: 'up' | 'down'): Command =>
  (state, dispatch, view) => {
    const { empty } = state.selection
    if (!empty || !isInTable(state) || view?.endOfTextblock(way) === false) return false
    const { $cell, table, row, column } = cellAround(state)
    const next = row + (way === 'down' ? 1 : -1)
    if (next >= 0 && next < table.childCount) {
      goToCell(state, dispatch, { row: next, column })
      return true
    }
    const [edge, side] = way === 'down' ? [$cell.after(-1), 1] : [$cell.before(-1), -1]
    const outside = Selection.findFrom(state.doc.resolve(edge), side)
    if (outside !== null) dispatch?.(state.tr.setSelection(outside).scrollIntoView())
    return true
  }

/** The empty last row becomes a paragraph behind the table. */
function leaveTable(state: EditorState, dispatch: Parameters<Command>[1]): boolean {
  const { $cell } = cellAround(state)
  const { tr } = state
  tr.delete($cell.before(), $cell.after())
  const behind = tr.mapping.map($cell.after(-1))
  tr.insert(behind, paragraph.create())
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(behind + 1))).scrollIntoView())
  return true
}

/** Backspace at the start of a cell, Delete at its end: the cells stay apart. */
const stayInCell =
  (side: 'start' | 'end'): Command =>
  (state) => {
    const { $from, empty } = state.selection
    if (!empty || !isInTable(state)) return false
    return $from.parentOffset === (side === 'start' ? 0 : $from.parent.content.size)
  }

const ways = {
  left: { axis: 'horiz', by: -1 },
  right: { axis: 'horiz', by: 1 },
  up: { axis: 'vert', by: -1 },
  down: { axis: 'vert', by: 1 },
} as const
type Way = keyof typeof ways

/**
 * From the edge of a cell on, the cell and its neighbour are selected. What cells are selected
 * already the tables' own keys extend, as far as there are cells.
 */
const selectCells =
  (way: Way): Command =>
  (state, dispatch, view) => {
    const { selection } = state
    if (selection instanceof CellSelection) return true
    if (!(selection instanceof TextSelection) || !isInTable(state)) return false
    if (!selection.$anchor.sameParent(selection.$head) || !isAtEdge(state, way, view)) return false
    const $cell = selectionCell(state)
    const $next = nextCell($cell, ways[way].axis, ways[way].by)
    if (!$next) return false
    dispatch?.(state.tr.setSelection(new CellSelection($cell, $next)).scrollIntoView())
    return true
  }

/** The end of the selection that moves can go no further within its cell. */
function isAtEdge({ selection }: EditorState, way: Way, view?: EditorView): boolean {
  const { $head, head, from, to, empty } = selection
  const { axis, by } = ways[way]
  if (axis === 'vert' && head !== (by < 0 ? from : to)) return false
  if (axis === 'vert' || empty) return view?.endOfTextblock(way) ?? false
  return $head.parentOffset === (by < 0 ? 0 : $head.parent.content.size)
}

export const tableKeys: Readonly<Record<string, Command>> = {
  Tab: chainCommands(goToNextCell(1), rowAtEnd),
  'Shift-Tab': chainCommands(goToNextCell(-1), isInTable),
  Enter: cellBelow,
  ArrowDown: goUpOrDown('down'),
  ArrowUp: goUpOrDown('up'),
  'Shift-ArrowLeft': selectCells('left'),
  'Shift-ArrowRight': selectCells('right'),
  'Shift-ArrowUp': selectCells('up'),
  'Shift-ArrowDown': selectCells('down'),
  Backspace: stayInCell('start'),
  Delete: stayInCell('end'),
}
