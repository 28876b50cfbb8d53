/** A plain ProseMirror editor on the same schema and text, without Yjs: what ours is measured by. */
import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { parseMarkdown } from '../../schema/markdown/parser.ts'

const place = document.querySelector('main')
const markdown = document.querySelector('script[type="text/markdown"]')?.textContent ?? ''
if (place === null) throw new TypeError('the page has no place for the editor')
const view = new EditorView(place, {
  state: EditorState.create({ doc: parseMarkdown(markdown), plugins: [keymap(baseKeymap)] }),
})
view.dom.classList.add('text')
