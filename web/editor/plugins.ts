/**
 * The editor's plugins in the order in which they answer keys and changes. One line a concern; what
 * a plugin does is told in its own file.
 */
import { baseKeymap } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { keymap } from 'prosemirror-keymap'
import type { Plugin } from 'prosemirror-state'
import { redo, undo, ySyncPlugin, yUndoPlugin } from 'y-prosemirror'
import type { EditorParts } from './editor.ts'

export function editorPlugins({ copy }: EditorParts): Plugin[] {
  return [
    ySyncPlugin(copy.fragment),
    yUndoPlugin(),
    keymap({ 'Mod-z': undo, 'Mod-Shift-z': redo, 'Mod-y': redo }),
    keymap(baseKeymap),
    dropCursor({ class: 'drop-cursor', color: false }),
    gapCursor(),
  ]
}
