/**
 * The selection as the browser has it, where the editor has not read it yet: it reads in a task of
 * its own after the key. A remote change drawn in between would put the old one back, and the
 * key would be lost.
 */
import { NodeSelection, type Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** `undefined` where the editor's selection is the browser's, or is none of text or one node. */
export function unreadSelection(view: EditorView): Selection | undefined {
  const { selection, doc } = view.state
  const isRead = selection instanceof TextSelection || selection instanceof NodeSelection
  if (!isRead || view.composing || !view.hasFocus()) return undefined
  const native = view.dom.ownerDocument.getSelection()
  const anchor = positionFromDom(view, native?.anchorNode, native?.anchorOffset)
  const head = positionFromDom(view, native?.focusNode, native?.focusOffset)
  if (anchor === undefined || head === undefined) return undefined
  if (anchor === selection.anchor && head === selection.head) return undefined
  return TextSelection.create(doc, anchor, head)
}

/** A position in a text block, by where it stands in the DOM. */
function positionFromDom(
  view: EditorView,
  node: Node | null | undefined,
  offset = 0,
): number | undefined {
  if (!node || node === view.dom || !view.dom.contains(node)) return undefined
  const isText = node instanceof Text && (node.parentElement?.isContentEditable ?? false)
  if (!isText) return undefined
  const pos = view.posAtDOM(node, offset)
  // Text that the editor has not read yet may reach behind the document's end.
  if (pos < 0 || pos > view.state.doc.content.size) return undefined
  return view.state.doc.resolve(pos).parent.inlineContent ? pos : undefined
}
