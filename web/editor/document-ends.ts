/**
 * The keys that go to the ends of the document. The browser's own do not get there while what is
 * there is out of sight, and not laid out.
 */
import { type Command, Selection, TextSelection } from 'prosemirror-state'
import { isMac } from '../platform/key-names.ts'

const goTo =
  (side: 'start' | 'end', isWider: boolean): Command =>
  (state, dispatch) => {
    const { doc, selection, tr } = state
    const end = side === 'start' ? Selection.atStart(doc) : Selection.atEnd(doc)
    const next = isWider ? TextSelection.between(selection.$anchor, end.$head) : end
    dispatch?.(tr.setSelection(next).scrollIntoView())
    return true
  }

const [toStart, toEnd] = isMac ? ['Cmd-ArrowUp', 'Cmd-ArrowDown'] : ['Ctrl-Home', 'Ctrl-End']

export const documentEnds: Readonly<Record<string, Command>> = {
  [toStart]: goTo('start', false),
  [toEnd]: goTo('end', false),
  [`Shift-${toStart}`]: goTo('start', true),
  [`Shift-${toEnd}`]: goTo('end', true),
}
