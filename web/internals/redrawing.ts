/**
 * Has blocks of the text drawn from the start, where something else than the editor has changed
 * their DOM. ProseMirror offers this for what is edited alone; it keeps a description of each node
 * beside its element, and draws anew whatever is described as dirty.
 */
import type { EditorView } from 'prosemirror-view'

interface Description {
  dirty: number
  markParentsDirty(): void
}

/** ProseMirror's `NODE_DIRTY`. */
const nodeDirty = 3

/** The blocks with these elements, at the view's next update. */
export function redraw(view: EditorView, elements: readonly Element[]): void {
  for (const element of elements) {
    const { pmViewDesc } = element as { readonly pmViewDesc?: Description }
    if (pmViewDesc === undefined) throw new TypeError('this is no block of the text')
    pmViewDesc.dirty = nodeDirty
    pmViewDesc.markParentsDirty()
  }
  view.updateState(view.state)
}
