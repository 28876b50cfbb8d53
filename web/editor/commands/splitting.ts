/** Dividing a block: the blank lines before it stay with its first half. */
import { splitBlockAs } from 'prosemirror-commands'
import type { Command } from 'prosemirror-state'

const split = splitBlockAs((node, atEnd) =>
  atEnd ? null : { type: node.type, attrs: { ...node.attrs, id: null, gap: null } },
)

export const splitWithGap: Command = (state, dispatch, view) => {
  const { parent } = state.selection.$from
  const hasGap = (parent.attrs['gap'] ?? null) !== null
  if (!hasGap || parent.content.size === 0 || parent.type.spec.code === true) return false
  return split(state, dispatch, view)
}
