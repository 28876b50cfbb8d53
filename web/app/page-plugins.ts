/**
 * The plugins of the page in the order in which they answer keys and changes: the editor's own, and
 * among them those of the tools, the authors and whoever hears of the view's updates. One line a
 * concern; what a plugin does is told in its own file.
 */
import { baseKeymap } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { authorship } from '../authors/authorship.ts'
import { othersPlugin } from '../authors/others-plugin.ts'
import { wordTints } from '../authors/word-tints.ts'
import type { Binding } from '../editor/binding/binding.ts'
import { callouts } from '../editor/callouts.ts'
import { clipboard } from '../editor/clipboard/clipboard.ts'
import { markdownDrop } from '../editor/clipboard/markdown-files.ts'
import { textKeymap } from '../editor/commands/keymap.ts'
import { nativeFormats } from '../editor/commands/native-formats.ts'
import { redoOwn, undoOwn } from '../editor/commands/own-undo.ts'
import { shortcutsWith } from '../editor/commands/shortcuts.ts'
import { typingPlugin } from '../editor/commands/typing.ts'
import { composedKeys } from '../editor/composed-keys.ts'
import { documentEnds } from '../editor/document-ends.ts'
import { exitLastBlock } from '../editor/exit-last-block.ts'
import { highlighting } from '../editor/highlighting.ts'
import { links } from '../editor/links.ts'
import { modesOf } from '../editor/mode.ts'
import { nativeInput } from '../editor/native-input.ts'
import { placeholder } from '../editor/placeholder.ts'
import { promptSelection } from '../editor/prompt-selection.ts'
import { sharedTextPlugins } from '../editor/shared-text.ts'
import { scrollsSideways } from '../editor/sideways.ts'
import { tableKeys } from '../editor/table-keys.ts'
import { translated } from '../editor/translated.ts'
import { updateListeners } from '../editor/update-listeners.ts'
import { vacantBlocks } from '../editor/vacant-block.ts'
import { blockGroups } from '../editor/viewport/block-groups.ts'
import { isWritable } from '../editor/writable.ts'
import { imageKeys } from '../images/opening.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import type { Store } from '../platform/store.ts'
import { threadHighlights } from '../threads/highlights.ts'
import type { Tools } from '../tools/tools.ts'
import { dropTarget } from '../tools/units-on-page.ts'
import { uploads } from '../uploads/uploads.ts'

export interface PluginParts {
  readonly session: DocumentSession
  readonly copy: Copy
  readonly binding: Binding
  readonly tools: Tools
  readonly vacated: Store<Node | undefined>
}

export function pagePlugins(parts: PluginParts): Plugin[] {
  const { session, copy, binding, tools, vacated } = parts
  const mayWrite = () => isWritable(session)
  const writesLayer = () => modesOf(session).mode.get() === 'suggesting'
  const author = () => session.account.get()?.actor_id
  return [
    // Before anything measures the text.
    blockGroups(),
    // Before all that acts on keys.
    composedKeys(),
    promptSelection(),
    vacantBlocks(vacated),
    // Before the tables' own arrow keys, which come with the shared text.
    exitLastBlock(),
    // What is written goes to the shared text before anything that draws looks at it.
    ...sharedTextPlugins(binding, { mayWrite, writesLayer, author }),
    keymap({ 'Mod-z': undoOwn, 'Mod-Shift-z': redoOwn, 'Mod-y': redoOwn }),
    imageKeys(),
    // A menu that is open answers Enter, Tab and the arrows before the text does.
    ...tools.plugins,
    // Keys of one kind of block before those of all text, and these before the stock ones.
    keymap(tableKeys),
    keymap(documentEnds),
    typingPlugin(),
    nativeFormats(),
    nativeInput(),
    textKeymap(shortcutsWith(tools.actions)),
    keymap(baseKeymap),
    markdownDrop((view, y) => dropTarget(view, y)?.pos),
    uploads({ session, placeAt: (view, y) => dropTarget(view, y)?.pos, mayWrite }),
    clipboard(),
    links(),
    ...highlighting(),
    callouts(),
    placeholder(mayWrite),
    translated(),
    dropCursor({ class: 'drop-cursor', color: false }),
    gapCursor(),
    ...wordTints(authorship(session).shown),
    scrollsSideways(),
    threadHighlights(session),
    othersPlugin({ session, copy }),
    // Last: who listens comes after all that draws.
    updateListeners(),
  ]
}
