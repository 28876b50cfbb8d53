/**
 * Where the caret was, kept while a fresh copy of the document takes the place of the one before,
 * as when somebody signs in: whoever was writing writes on there.
 */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

export interface KeptCaret {
  readonly anchor: number
  readonly head: number
  readonly hasFocus: boolean
}

export function caretOf(view: EditorView): KeptCaret {
  const { anchor, head } = view.state.selection
  return { anchor, head, hasFocus: view.hasFocus() }
}

/** Near it, where the text is another. Does nothing without a place. */
export function restoreCaret(view: EditorView, place: KeptCaret | undefined): void {
  if (place === undefined) return
  const { doc, tr } = view.state
  const at = (pos: number) => doc.resolve(Math.min(pos, doc.content.size))
  view.dispatch(tr.setSelection(TextSelection.between(at(place.anchor), at(place.head))))
  if (place.hasFocus) view.focus()
}
