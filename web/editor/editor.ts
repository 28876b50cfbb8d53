/**
 * The text: a ProseMirror view on the session's copy, outside React. What the chrome shows of it
 * (selection, block under the caret) it reads from `slice`, a small value that changes only when
 * what it says changes.
 */
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { documentSchema } from '../../schema/document-schema.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../store.ts'
import { editorPlugins } from './plugins.ts'

export interface EditorParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

/** What the chrome shows of the editor. */
export interface EditorSlice {
  readonly title: string
  readonly isEditable: boolean
}

export interface Editor {
  readonly view: EditorView
  readonly slice: Readable<EditorSlice>
  destroy(): void
}

export function mountEditor(place: HTMLElement, parts: EditorParts): Editor {
  const slice = createStore<EditorSlice>({ title: '', isEditable: false })
  const isEditable = () => {
    const role = parts.session.role.get()
    return role === undefined || role === 'owner' || role === 'editor'
  }
  const view = new EditorView(place, {
    state: EditorState.create({ schema: documentSchema, plugins: editorPlugins(parts) }),
    editable: isEditable,
    attributes: {
      class: 'text',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': 'Document text',
      spellcheck: 'true',
    },
  })
  return { view, slice, destroy: () => view.destroy() }
}
