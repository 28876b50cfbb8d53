/**
 * Which blocks an edit or a read may name by id (extensions §4): every block of the top level,
 * and of the nested ones all but those that only wrap others, and a table's header row, which
 * belongs to its table.
 */
import type { Node } from 'prosemirror-model'

/** Of a block that does not stand on the top level. */
export function isAddressable(nested: Node): boolean {
  const { name } = nested.type
  if (name === 'table_row') return nested.firstChild?.type.name !== 'table_header'
  return name !== 'bullet_list' && name !== 'ordered_list' && name !== 'blockquote'
}

/** Of the block at `pos` in a top-level block: 0 is that block itself, its content begins at 1. */
export function hasAddress(top: Node, pos: number): boolean {
  if (pos === 0) return true
  const nested = top.nodeAt(pos - 1)
  if (nested === null) throw new TypeError(`no block at ${pos} of a ${top.type.name}`)
  return isAddressable(nested)
}
