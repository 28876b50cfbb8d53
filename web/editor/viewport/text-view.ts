/** The view of the text, which prepares what the browser is slow at in a long document. */
import type { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { groupsOf } from './block-groups.ts'
import { isMassChange } from './mass-change.ts'

export class TextView extends EditorView {
  #isMassChange = false

  /**
   * A text block that changed is drawn anew. For each that it updates, the view adds up the sizes
   * of all blocks before it: of ten thousand, for more than a second.
   */
  get drawsAnew(): boolean {
    return this.#isMassChange
  }

  /**
   * The view asks for the focus between drawing and giving the browser its selection. By then each
   * block has to be in a group, and the groups in which the selection ends have to be awake.
   */
  override hasFocus(): boolean {
    groupsOf(this)?.update()
    return super.hasFocus()
  }

  /**
   * Where very many blocks change, the browser has no selection meanwhile: for each block that goes
   * it would count again where its selection ends. The view gives it the new one when it has drawn.
   */
  override updateState(state: EditorState): void {
    if (this.composing || !isMassChange(this.state.doc, state.doc)) {
      super.updateState(state)
      return
    }
    if (this.hasFocus()) this.dom.ownerDocument.getSelection()?.removeAllRanges()
    this.#isMassChange = true
    try {
      super.updateState(state)
    } finally {
      this.#isMassChange = false
    }
  }
}
