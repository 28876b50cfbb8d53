/** Quotes: around the selected blocks, or away from around them. */
import { lift, wrapIn } from 'prosemirror-commands'
import type { Command, EditorState } from 'prosemirror-state'
import { liftTarget } from 'prosemirror-transform'
import { nodes } from '../model/nodes.ts'
import { withinDepth } from './depth.ts'
import { withDistinctIds } from './distinct-ids.ts'

function quoted({ selection: { $from, $to } }: EditorState) {
  return $from.blockRange($to, (node) => node.type === nodes.blockquote)
}

export const isQuoted = (state: EditorState): boolean => quoted(state) !== null

/** Takes the selected blocks out of the innermost quote. */
export const unquote: Command = withDistinctIds((state, dispatch) => {
  const range = quoted(state)
  const target = range && liftTarget(range)
  if (range === null || target === null) return false
  dispatch?.(state.tr.lift(range, target).scrollIntoView())
  return true
})

const quote = withinDepth(wrapIn(nodes.blockquote))

export const toggleQuote: Command = (state, dispatch, view) =>
  isQuoted(state) ? unquote(state, dispatch, view) : quote(state, dispatch, view)

/** Backspace at the start of a quote's first block takes that block out. */
export const unquoteAtStart: Command = withDistinctIds((state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || $from.depth < 2) return false
  if ($from.node(-1).type !== nodes.blockquote || $from.index(-1) > 0) return false
  return lift(state, dispatch)
})
