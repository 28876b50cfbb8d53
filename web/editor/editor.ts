/**
 * The text: a ProseMirror view, outside React, that is given its first document and its plugins.
 * What the chrome shows of it (title, whether it can be changed) it reads from `slice`, a small
 * value that changes only when what it says changes.
 */
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { blockNodesIn } from '../../schema/markdown/block-count.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { unreadSelection } from './binding/native-selection.ts'
import { domParser } from './dom-parser.ts'
import { modesOf } from './mode.ts'
import { emptyParagraph } from './model/empty.ts'
import { beginsWithTitle, titleOf } from './model/title.ts'
import { listViews } from './node-views/list.ts'
import { nodeViewsFor } from './node-views/node-views.ts'
import { plainMarkViews } from './node-views/plain.ts'
import { groupsBlocks, longFromBlocks } from './viewport/block-groups.ts'
import { TextView } from './viewport/text-view.ts'
import { isWritable } from './writable.ts'

/** What the chrome shows of the editor. */
export interface EditorSlice {
  /** The document's first line that says something; '' while there is none. */
  readonly title: string
  /** The title is a heading of the first level in the text itself. */
  readonly isTitled: boolean
  readonly isEditable: boolean
  /** It has so many blocks, at any depth, that the page may be slow. */
  readonly isLarge: boolean
}

/** Up to so many the page is as quick as in a short document. */
const largeFromBlocks = 10_000

export interface Editor {
  readonly view: EditorView
  readonly slice: Readable<EditorSlice>
  destroy(): void
}

/** What the editor stands on. */
export interface EditorParts {
  readonly session: DocumentSession
  readonly doc: Node
  /** In the order in which they answer keys and changes. */
  readonly plugins: readonly Plugin[]
}

export function mountEditor(place: HTMLElement, { session, doc, plugins }: EditorParts): Editor {
  const view: TextView = new TextView(place, {
    state: EditorState.create({ doc, plugins }),
    editable: () => isWritable(session),
    nodeViews: { ...nodeViewsFor(session.slug, modesOf(session).takesTyping), ...listViews },
    markViews: plainMarkViews,
    domParser,
    attributes: (state) => ({
      class: state.doc.childCount > longFromBlocks && !groupsBlocks() ? 'text text-long' : 'text',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': 'Document text',
      'aria-readonly': String(!isWritable(session)),
      spellcheck: 'true',
      // A translator would write over what somebody writes.
      translate: isWritable(session) ? 'no' : 'yes',
    }),
    dispatchTransaction(tr) {
      const unread = tr.docChanged || tr.selectionSet ? undefined : madeSelection(view)
      if (unread !== undefined) tr.setSelection(unread)
      view.updateState(view.state.apply(tr))
      if (tr.docChanged) show()
    },
  })
  keepFromReact(view.dom)
  const read = (): EditorSlice => ({
    title: titleOf(view.state.doc),
    isTitled: beginsWithTitle(view.state.doc),
    isEditable: isWritable(session),
    // The document itself is counted too.
    isLarge: blockNodesIn(view.state.doc) - 1 > largeFromBlocks,
  })
  const slice = createStore<EditorSlice>(read())
  function show(): void {
    const [before, now] = [slice.get(), read()]
    const isSame = Object.entries(now).every(
      ([key, value]) => before[key as keyof EditorSlice] === value,
    )
    if (!isSame) slice.set(now)
  }
  /** The view asks again whether it may be changed. */
  const reconsider = () => {
    const unread = madeSelection(view)
    if (unread !== undefined) view.dispatch(view.state.tr.setSelection(unread))
    view.setProps({})
    show()
    beginEmpty(view)
  }
  const stop = modesOf(session).takesTyping.subscribe(reconsider)
  return {
    view,
    slice,
    destroy() {
      stop()
      view.destroy()
    },
  }
}

/**
 * A selection that keys have made and the editor has not read, which what is drawn anew would undo.
 * One at the very start is what focus alone leaves behind.
 */
function madeSelection(view: EditorView): Selection | undefined {
  const unread = unreadSelection(view)
  return unread?.eq(Selection.atStart(view.state.doc)) ? undefined : unread
}

/** An empty document is there to be written: the caret waits in it, unless one was elsewhere. */
function beginEmpty(view: EditorView): void {
  const isIdle = document.activeElement === null || document.activeElement === document.body
  if (isIdle && view.editable && emptyParagraph(view.state) !== undefined) view.focus()
}

/**
 * Over each of its commits React remembers the selection of what is edited, in characters from the
 * start: of a long document a walk over all of it. The editor keeps its own.
 */
function keepFromReact(text: HTMLElement): void {
  const get = () => (text.getAttribute('contenteditable') === 'false' ? 'false' : 'inherit')
  Object.defineProperty(text, 'contentEditable', { get })
}
