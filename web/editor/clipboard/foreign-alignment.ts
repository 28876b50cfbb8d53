/**
 * How columns of other programs' tables are aligned: as all of their cells that hold something, the
 * header aside. Only what a cell says counts, not how a spreadsheet shows numbers that say nothing.
 */
import { all, styleOf } from './elements.ts'

export type Grid = readonly (readonly (HTMLTableCellElement | undefined)[])[]

/** Alignment by class name, from the sheets of styles within `root`. */
export type ClassAlignments = ReadonlyMap<string, string>

export function classAlignments(root: HTMLElement): ClassAlignments {
  const found = new Map<string, string>()
  for (const rule of all(root, 'style').flatMap((sheet) => (sheet.textContent ?? '').split('}'))) {
    const brace = rule.lastIndexOf('{')
    const align = /text-align:\s*([a-z]+)/i.exec(rule.slice(brace + 1))?.[1]
    if (brace < 0 || align === undefined) continue
    for (const selector of rule.slice(0, brace).split(',')) {
      const name = /\.([\w-]+)\s*$/.exec(selector)?.[1]
      if (name !== undefined) found.set(name, align)
    }
  }
  return found
}

/** The alignment of each column; undefined where it has none. */
export function columnAlignments(grid: Grid, classes: ClassAlignments): (string | undefined)[] {
  const width = Math.max(...grid.map((row) => row.length))
  return Array.from({ length: width }, (_, column) => {
    const [head, ...cells] = grid.map((row) => row[column])
    const filled = cells.flatMap((cell) => (cell === undefined || isEmpty(cell) ? [] : [cell]))
    const said = new Set(filled.map((cell) => alignmentOf(cell, classes)))
    const isUnsaid = said.size === 0 || (said.size === 1 && said.has(undefined))
    if (isUnsaid) return head === undefined ? undefined : alignmentOf(head, classes)
    return said.size === 1 ? [...said][0] : undefined
  })
}

const isEmpty = (cell: HTMLElement): boolean =>
  cell.textContent?.trim() === '' && cell.querySelector('img') === null

function alignmentOf(cell: HTMLElement, classes: ClassAlignments): string | undefined {
  const only =
    cell.children.length === 1 ? cell.querySelector<HTMLElement>(':scope > p, :scope > div') : null
  const said = [
    cell.getAttribute('data-align'),
    styleOf(cell, 'text-align'),
    ...[...cell.classList].map((name) => classes.get(name)),
    cell.getAttribute('align'),
    only === null ? null : styleOf(only, 'text-align'),
    only?.getAttribute('align'),
  ]
  const name = said.find((align) => align != null && align !== '')?.toLowerCase()
  const sides: Readonly<Record<string, string>> = { start: 'left', end: 'right' }
  const side = sides[name ?? ''] ?? name
  return side !== undefined && /^(left|center|right)$/.test(side) ? side : undefined
}
