/**
 * The text: a ProseMirror view on the session's copy, outside React. What the chrome shows of it
 * (title, whether it can be changed) it reads from `slice`, a small value that changes only when
 * what it says changes.
 */
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { createStore, type Readable } from '../platform/store.ts'
import { createTools, type Tools } from '../tools/tools.ts'
import { Binding } from './binding/binding.ts'
import { groupsBlocks, longFromBlocks } from './groups.ts'
import { emptyParagraph } from './placeholder.ts'
import { type EditorParts, editorPlugins } from './plugins.ts'
import { readingBack } from './reading-back.ts'
import { titleOf } from './title.ts'
import { nodeViewsFor } from './views/node-views.ts'
import { isWritable } from './writable.ts'

/** What the chrome shows of the editor. */
export interface EditorSlice {
  /** The document's first line that says something; '' while there is none. */
  readonly title: string
  readonly isEditable: boolean
}

export interface Editor {
  readonly view: EditorView
  readonly slice: Readable<EditorSlice>
  /** What stands beside the text to change it with, and the doors its keys open. */
  readonly tools: Tools
  destroy(): void
}

export function mountEditor(place: HTMLElement, parts: EditorParts): Editor {
  const { session, copy } = parts
  const binding = new Binding(copy.fragment)
  const tools = createTools()
  const view = new EditorView(place, {
    state: EditorState.create({
      doc: binding.known,
      plugins: editorPlugins(parts, binding, tools),
    }),
    editable: () => isWritable(session),
    nodeViews: nodeViewsFor(session.slug),
    domParser: readingBack,
    attributes: (state) => ({
      class: state.doc.childCount > longFromBlocks && !groupsBlocks() ? 'text text-long' : 'text',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': 'Document text',
      'aria-readonly': String(!isWritable(session)),
      spellcheck: 'true',
    }),
    dispatchTransaction(tr) {
      view.updateState(view.state.apply(tr))
      if (tr.docChanged) show()
    },
  })
  const read = (): EditorSlice => ({
    title: titleOf(view.state.doc),
    isEditable: isWritable(session),
  })
  const slice = createStore<EditorSlice>(read())
  function show(): void {
    const [before, now] = [slice.get(), read()]
    if (before.title !== now.title || before.isEditable !== now.isEditable) slice.set(now)
  }
  /** The view asks again whether it may be changed. */
  const reconsider = () => {
    view.setProps({})
    show()
    beginEmpty(view)
  }
  const stop = session.canWrite.subscribe(reconsider)
  return {
    view,
    slice,
    tools,
    destroy() {
      stop()
      view.destroy()
    },
  }
}

/** An empty document is there to be written: the caret waits in it, unless one was elsewhere. */
function beginEmpty(view: EditorView): void {
  const isIdle = document.activeElement === null || document.activeElement === document.body
  if (isIdle && view.editable && emptyParagraph(view.state) !== undefined) view.focus()
}
