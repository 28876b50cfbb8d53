/** Where pieces of the text stand in the window, for what floats beside them. */
import type { EditorView } from 'prosemirror-view'
import type { FloatAnchor } from './float.tsx'

/** The stretch [from, to) of the text: the box around its first and last character. */
export function textAnchor(view: EditorView, from: number, to = from): FloatAnchor {
  return {
    context: view.dom,
    rect: () => {
      const size = view.state.doc.content.size
      const start = view.coordsAtPos(Math.min(from, size), 1)
      const end = view.coordsAtPos(Math.min(to, size), -1)
      const left = Math.min(start.left, end.left)
      const top = Math.min(start.top, end.top)
      const right = Math.max(start.right, end.right)
      const bottom = Math.max(start.bottom, end.bottom)
      return new DOMRect(left, top, right - left, bottom - top)
    },
  }
}
