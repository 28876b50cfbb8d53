/**
 * Tells the others where this person's caret is, at most ten times a second. A relative position
 * stays true while its author types, so that typing itself is told to nobody. It stays told when
 * the focus goes to a menu, and is taken back when the page is hidden.
 */
import type { EditorView } from 'prosemirror-view'
import * as Y from 'yjs'
import { relativePlaceAt } from '../editor/binding/places.ts'
import type { Copy } from '../live/session.ts'
import { afterFrame } from '../platform/after-frame.ts'

export interface OwnCaret {
  /** After anything that may have moved the caret. */
  update(): void
  destroy(): void
}

const everyMs = 100

/** In the text, or in the source beside it, whose caret goes along. */
const isWriting = (view: EditorView): boolean =>
  view.hasFocus() || document.activeElement?.closest('.source') != null

export function announceOwnCaret(view: EditorView, { fragment, awareness }: Copy): OwnCaret {
  let isDue = false
  let told = ''
  const tell = () => {
    isDue = false
    if (view.isDestroyed || document.hidden) return
    const { state } = view
    const { selection } = state
    const anchor = Y.relativePositionToJSON(relativePlaceAt(fragment, state, selection.anchor))
    const head = selection.empty
      ? anchor
      : Y.relativePositionToJSON(relativePlaceAt(fragment, state, selection.head))
    const now = JSON.stringify({ anchor, head })
    if (now === told) return
    told = now
    awareness.setLocalStateField('cursor', { anchor, head })
  }
  const takeBack = () => {
    if (!document.hidden) return update()
    if (told === '') return
    told = ''
    awareness.setLocalStateField('cursor', null)
  }
  const update = () => {
    if (told === '' && !isWriting(view)) return
    if (isDue) return
    isDue = true
    // To say where that is in Yjs, all that was done has to be written there.
    afterFrame(tell, everyMs)
  }
  view.dom.addEventListener('focus', update)
  document.addEventListener('visibilitychange', takeBack)
  return {
    update,
    destroy() {
      view.dom.removeEventListener('focus', update)
      document.removeEventListener('visibilitychange', takeBack)
      if (told !== '') awareness.setLocalStateField('cursor', null)
    },
  }
}
