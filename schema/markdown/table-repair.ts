/**
 * The shape that every stored table has: rectangular, as wide as its widest row; header cells in
 * the first row and none elsewhere; one alignment a column, the header's; no spans and no widths.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { alignOf, columnCount } from './node-attributes.ts'

const { nodes } = documentSchema

/** The table, the same object if nothing is to be done; `cellContent` repairs what is in a cell. */
export function repairTable(table: Node, cellContent: (cell: Node) => Node): Node {
  const columns = columnCount(table)
  const header = table.firstChild
  const aligns = Array.from({ length: columns }, (_, column) => {
    const cell = header?.maybeChild(column)
    return cell ? knownAlign(alignOf(cell)) : null
  })
  const rows = table.children.map((row, index) => {
    const cells = aligns.map((align, column) => {
      const cell = row.maybeChild(column)
      const type = index === 0 ? nodes.table_header : nodes.table_cell
      if (cell === null) return type.create({ align })
      return repairedCell(cellContent(cell), { type, align })
    })
    if (cells.every((cell, i) => cell === row.maybeChild(i))) return row
    return nodes.table_row.create(row.attrs, cells)
  })
  if (rows.every((row, i) => row === table.maybeChild(i))) return table
  return nodes.table.create(table.attrs, rows)
}

function repairedCell(cell: Node, wanted: { type: Node['type']; align: string | null }): Node {
  const { align, colspan, rowspan, colwidth } = cell.attrs as Record<string, unknown>
  const plain = colspan === 1 && rowspan === 1 && colwidth === null
  if (cell.type === wanted.type && align === wanted.align && plain) return cell
  return wanted.type.create({ align: wanted.align }, cell.content)
}

function knownAlign(align: string | null): string | null {
  return align === 'left' || align === 'right' || align === 'center' ? align : null
}
