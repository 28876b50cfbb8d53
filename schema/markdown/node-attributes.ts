/**
 * Typed reading of node attributes; the schema validates their values, TypeScript does not know
 * them.
 */
import type { Node } from 'prosemirror-model'

export const idOf = (node: Node): string | null => (node.attrs['id'] as string | null) ?? null
export const levelOf = (heading: Node): number => heading.attrs['level'] as number
export const paramsOf = (code: Node): string => code.attrs['params'] as string
export const sourceOf = (html: Node): string => html.attrs['source'] as string
export const isTight = (list: Node): boolean => list.attrs['tight'] as boolean
export const orderOf = (list: Node): number => list.attrs['order'] as number
export const checkedOf = (item: Node): boolean | null => item.attrs['checked'] as boolean | null
export const alignOf = (cell: Node): string | null => cell.attrs['align'] as string | null

export const isList = (node: Node): boolean =>
  node.type.name === 'bullet_list' || node.type.name === 'ordered_list'

/** The width of a table: of its widest row. */
export function columnCount(table: Node): number {
  return table.children.reduce((widest, row) => Math.max(widest, row.childCount), 0)
}

const largestOrder = 999_999_999

/** The number of a list's first item, such that no item's number is longer than nine digits. */
export function firstNumber(list: Node): number {
  return Math.max(0, Math.min(Math.trunc(orderOf(list)), largestOrder - list.childCount + 1))
}
