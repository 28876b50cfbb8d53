/**
 * The editor's plugins in the order in which they answer keys and changes. One line a concern; what
 * a plugin does is told in its own file.
 */
import { baseKeymap } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { keymap } from 'prosemirror-keymap'
import type { Plugin } from 'prosemirror-state'
import { redo, undo } from 'y-prosemirror'
import { othersPlugin } from '../authors/others.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { followersPlugin } from '../source/followers.ts'
import type { Tools } from '../tools/tools.ts'
import { afterLast } from './after-last.ts'
import { authoredStamps } from './authored.ts'
import { type Binding, bindingPlugin } from './binding/binding.ts'
import { undoPlugin } from './binding/undo.ts'
import { blockIds } from './block-ids.ts'
import { clipboard } from './clipboard/clipboard.ts'
import { textKeymap } from './commands/keymap.ts'
import { nativeFormats } from './commands/native-formats.ts'
import { shortcutsWith } from './commands/shortcuts.ts'
import { typingPlugin } from './commands/typing.ts'
import { documentEnds } from './document-ends.ts'
import { groups } from './groups.ts'
import { highlighting } from './highlighting.ts'
import { leafMarks } from './leaf-marks.ts'
import { links } from './links.ts'
import { placeholder } from './placeholder.ts'
import { promptSelection } from './prompt-selection.ts'
import { tableKeys } from './table-keys.ts'
import { tables } from './tables.ts'
import { isWritable } from './writable.ts'

/** What keeps the text in step with the shared one; all of it works without a page. */
export function sharedTextPlugins(
  binding: Binding,
  { mayWrite, author }: { mayWrite(): boolean; author(): string | undefined },
): Plugin[] {
  return [
    bindingPlugin(binding, mayWrite),
    undoPlugin(binding),
    leafMarks(),
    tables(),
    blockIds(),
    authoredStamps(author),
  ]
}

/** What the editor stands on. */
export interface EditorParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

export function editorPlugins(parts: EditorParts, binding: Binding, tools: Tools): Plugin[] {
  const { session, copy } = parts
  return [
    // Before anything measures the text.
    groups(),
    // Before all that acts on keys.
    promptSelection(),
    // Before the tables' own arrow keys.
    afterLast(),
    ...sharedTextPlugins(binding, {
      mayWrite: () => isWritable(session),
      author: () => session.account.get()?.actor_id,
    }),
    keymap({ 'Mod-z': undo, 'Mod-Shift-z': redo, 'Mod-y': redo }),
    ...tools.plugins,
    keymap(tableKeys),
    keymap(documentEnds),
    typingPlugin(),
    nativeFormats(),
    textKeymap(shortcutsWith(tools.doors)),
    keymap(baseKeymap),
    clipboard(),
    links(),
    ...highlighting(),
    placeholder(() => isWritable(session)),
    dropCursor({ class: 'drop-cursor', color: false }),
    gapCursor(),
    othersPlugin({ session, copy }),
    followersPlugin(),
  ]
}
