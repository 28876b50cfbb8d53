/**
 * Which changes of a table are clear (interface §4.5, tables rule 5): cells edited, or rows added,
 * or rows removed, or columns added, or columns removed. What mixes these leaves it open which row
 * became which. Pure; rows and columns are compared by content.
 */
import type { Node } from 'prosemirror-model'
import { contentKey } from '../../../../schema/diff/content.ts'
import { commonEnds } from '../../../../schema/diff/ends.ts'
import { documentSchema } from '../../../../schema/document-schema.ts'

export type TableFault = 'rows_swapped' | 'rows_and_cells_changed' | 'table_restructured'

export function tableFault(old: Node, next: Node): TableFault | undefined {
  const [was, now] = [widthOf(old), widthOf(next)]
  if (was !== now) {
    const isConsistent =
      old.childCount === next.childCount && isPartOf(columnsOf(old, was), columnsOf(next, now))
    return isConsistent ? undefined : 'table_restructured'
  }
  const [before, after] = changedRows(old.children, next.children)
  if (before.length !== after.length) {
    return isPartOf(before, after) ? undefined : 'rows_and_cells_changed'
  }
  return hasMovedRow(before, after) ? 'rows_swapped' : undefined
}

const widthOf = (table: Node): number =>
  table.children.reduce((most, row) => Math.max(most, row.childCount), 0)

/** The rows without those at either end that are the very same. */
function changedRows(old: readonly Node[], next: readonly Node[]): [string[], string[]] {
  const { front, back } = commonEnds(old, next)
  const changed = (rows: readonly Node[]) => rows.slice(front, rows.length - back).map(rowKey)
  return [changed(old), changed(next)]
}

const rowKey = (row: Node): string => row.children.map(cellKey).join('|')

/** What a cell says: its alignment belongs to the column, being a header to the row. */
const cellKey = (cell: Node): string =>
  contentKey(documentSchema.nodes.paragraph.create(null, cell.content))

function columnsOf(table: Node, width: number): string[] {
  return Array.from({ length: width }, (_, column) =>
    table.children
      .map((row) => {
        const cell = row.maybeChild(column)
        return cell ? cellKey(cell) : ''
      })
      .join('|'),
  )
}

/** Is the shorter list left when some are taken out of the longer one? */
function isPartOf(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let found = 0
  for (const key of long) if (key === short[found]) found++
  return found === short.length
}

/** Does a row of before stand at another changed place now? */
function hasMovedRow(before: readonly string[], after: readonly string[]): boolean {
  const changed = before.flatMap((key, index) => (key === after[index] ? [] : [index]))
  const gone = new Set(changed.map((index) => before[index]))
  return changed.some((index) => gone.has(after[index]))
}
