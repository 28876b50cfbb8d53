/**
 * Formatting that the browser or the device asks for by itself (the menu over a selection on a
 * phone, Ctrl-U): what the dialect has is done as a command, the rest is not done at all.
 */
import { type Command, Plugin } from 'prosemirror-state'
import { toggleEmphasis } from './marks.ts'
import { asUndoStep } from './undo-step.ts'

const meant: Readonly<Record<string, Command>> = {
  formatBold: toggleEmphasis('strong'),
  formatItalic: toggleEmphasis('em'),
  formatStrikeThrough: toggleEmphasis('strike'),
}

export function nativeFormats(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput(view, event) {
          if (!event.inputType.startsWith('format')) return false
          event.preventDefault()
          const command = meant[event.inputType]
          if (command !== undefined) asUndoStep(command)(view.state, view.dispatch, view)
          return true
        },
      },
    },
  })
}
