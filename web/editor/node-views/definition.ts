/**
 * A link definition, shown and not typed in: while somebody types an address letter by letter,
 * links by reference would lose what they refer to. It is changed in the source view.
 */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { element } from '../../platform/element.ts'
import { showId } from './shown-id.ts'

export function definitionView(node: Node): NodeView {
  const contentDOM = element('code')
  const dom = element('pre', 'link-definition', contentDOM)
  dom.contentEditable = 'false'
  dom.dir = 'ltr'
  dom.title = 'A link definition. Edit it in the source view.'
  // A click would put the caret somewhere else, and what is typed then with it.
  dom.addEventListener('mousedown', (event) => event.preventDefault())
  showId(dom, node.attrs['id'])
  return { dom, contentDOM }
}
