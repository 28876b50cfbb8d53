/**
 * What the browser or the device asks for by itself, without a key that names it: undo and redo
 * from a menu or by shaking a phone, and Enter on Android, whose keyboards write where they can.
 */
import { Plugin } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { redoOwn, undoOwn } from './commands/own-undo.ts'

export function nativeInput(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput(view, event) {
          if (!answer(view, event)) return false
          event.preventDefault()
          return true
        },
      },
    },
  })
}

function answer(view: EditorView, { inputType, cancelable }: InputEvent): boolean {
  if (inputType === 'historyUndo') undoOwn(view.state, view.dispatch, view)
  else if (inputType === 'historyRedo') redoOwn(view.state, view.dispatch, view)
  else if (inputType === 'insertParagraph' && cancelable && isInTable(view.state)) {
    // A cell holds no paragraphs, so the browser would write a break or a blank.
    const key = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 13 })
    view.someProp('handleKeyDown', (handle) => handle(view, key))
  } else return false
  return true
}
