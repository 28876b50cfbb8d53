/**
 * Nodes and marks of one element, drawn as the schema says. ProseMirror's own way looks through the
 * attributes of each for structures that a document may have smuggled in, and remembers what it
 * found: of ten thousand blocks that was a third of what drawing them took. Here nothing of a
 * document can be a structure: names of elements are the schema's, and attributes are text.
 */
import type { Mark, Node } from 'prosemirror-model'
import type {
  EditorView,
  MarkViewConstructor,
  NodeView,
  NodeViewConstructor,
} from 'prosemirror-view'
import { markDom, nodeDom } from '../../../schema/document-dom.ts'
import { TextView } from '../viewport/text-view.ts'

interface Drawn {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
}

const plainNodes = ['paragraph', 'heading', 'blockquote', 'bullet_list', 'ordered_list']

export const plainNodeViews: Record<string, NodeViewConstructor> = Object.fromEntries(
  plainNodes.map((name): [string, NodeViewConstructor] => [name, plainView]),
)

function plainView(node: Node, view: EditorView): NodeView {
  const plain = drawn(nodeDom[node.type.name]?.(node))
  if (!node.isTextblock) return plain
  let shown = node
  const update = (next: Node) => {
    if ((view instanceof TextView && view.drawsAnew) || !next.sameMarkup(shown)) return false
    shown = next
    return true
  }
  return { ...plain, update }
}

export const plainMarkViews: Record<string, MarkViewConstructor> = Object.fromEntries(
  Object.entries(markDom).map(([name, specOf]) => [name, (mark: Mark) => drawn(specOf(mark))]),
)

/** Of `[name, attributes, 0]` or `[name, 0]`. */
function drawn(spec: unknown): Drawn {
  const [name, attributes, hole] = spec as [string, Record<string, unknown> | 0, 0?]
  if (attributes !== 0 && hole !== 0) throw new TypeError(`${name} is not one element around text`)
  const dom = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) dom.setAttribute(key, String(value))
  }
  return { dom, contentDOM: dom }
}
