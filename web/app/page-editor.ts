/** The editor of a document's page: the shared text bound to it, and the tools to change it with. */
import type { Node } from 'prosemirror-model'
import { Binding } from '../editor/binding/binding.ts'
import { type Editor, mountEditor } from '../editor/editor.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { createTools, type Tools } from '../tools/tools.ts'
import { pagePlugins } from './page-plugins.ts'

export interface PageEditor extends Editor {
  /** What stands beside the text to change it with, and the actions that keys run. */
  readonly tools: Tools
  /** The block that somebody else deleted while one was in it. */
  readonly vacated: Readable<Node | undefined>
}

interface PageEditorParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

export function mountPageEditor(
  place: HTMLElement,
  { session, copy }: PageEditorParts,
): PageEditor {
  const binding = new Binding(copy.fragment)
  const tools = createTools()
  const vacated = createStore<Node | undefined>(undefined)
  const plugins = pagePlugins({ session, copy, binding, tools, vacated })
  return { ...mountEditor(place, { session, doc: binding.known, plugins }), tools, vacated }
}
