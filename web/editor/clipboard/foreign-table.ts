/**
 * Tables of other programs as ours: a head row of header cells, rows of equal length, cells that
 * hold one line of content. A spreadsheet's spanning cells keep their content in the first cell.
 */
import { all, rename } from './elements.ts'
import { type ClassAlignments, columnAlignments, type Grid } from './foreign-alignment.ts'

const columnsMax = 128

export function cleanTable(table: HTMLElement, classes: ClassAlignments): void {
  if (table.parentElement?.closest('table') !== null && table.parentElement !== null) {
    // A table within a cell can only be its words.
    rename(table, 'span')
    return
  }
  for (const part of all(table, 'caption, colgroup, col')) part.remove()
  const rows = all(table, 'tr').filter((row) => row.closest('table') === table)
  const cells = rows.map((row) => [...row.children].filter(isCell))
  if (cells.flat().length === 0) return
  if (cells.length === 1 && cells[0]?.length === 1) {
    // A frame around content, as mails and old pages have it.
    const [only] = cells.flat()
    if (only !== undefined) table.replaceWith(...only.childNodes)
    return
  }
  const grid = gridOf(cells)
  const width = Math.min(columnsMax, Math.max(...grid.map((row) => row.length)))
  const alignments = columnAlignments(grid, classes)
  const body = table.ownerDocument.createElement('tbody')
  for (const [index, row] of grid.entries()) {
    const line = table.ownerDocument.createElement('tr')
    for (let column = 0; column < width; column++) {
      const cell = cellOf(table, row[column], index === 0 ? 'th' : 'td')
      const align = alignments[column]
      if (align !== undefined) cell.setAttribute('data-align', align)
      line.append(cell)
    }
    body.append(line)
  }
  table.replaceChildren(body)
}

const isCell = (element: Element): element is HTMLTableCellElement => element.matches('td, th')

function gridOf(rows: readonly HTMLTableCellElement[][]): Grid {
  const grid: (HTMLTableCellElement | undefined)[][] = rows.map(() => [])
  const taken = rows.map(() => new Set<number>())
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of row) {
      while (taken[y]?.has(x)) x += 1
      const [wide, high] = [span(cell, 'colspan'), span(cell, 'rowspan')]
      for (let down = 0; down < high; down++) {
        for (let right = 0; right < wide; right++) taken[y + down]?.add(x + right)
      }
      const line = grid[y]
      if (line !== undefined) line[x] = cell
      x += wide
    }
    const line = grid[y]
    const last = Math.max(-1, ...(taken[y] ?? []))
    if (line !== undefined && line.length < last + 1) line.length = last + 1
  }
  return grid
}

function span(cell: HTMLElement, name: string): number {
  const count = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return Math.min(columnsMax, Math.max(1, Number.isNaN(count) ? 1 : count))
}

function cellOf(table: HTMLElement, from: HTMLElement | undefined, name: 'th' | 'td'): HTMLElement {
  const cell = table.ownerDocument.createElement(name)
  if (from === undefined) return cell
  // Blocks in a cell become lines of it.
  for (const block of all(from, 'p, div, li, h1, h2, h3, h4, h5, h6, pre, blockquote, ul, ol')) {
    const isLast = from.textContent?.endsWith(block.textContent ?? '') === true
    const isEmpty = (block.textContent ?? '').trim() === '' && block.querySelector('img') === null
    if (!isLast && !isEmpty && !block.matches('ul, ol')) {
      block.after(table.ownerDocument.createElement('br'))
    }
    block.replaceWith(...block.childNodes)
  }
  cell.append(...from.childNodes)
  return cell
}
