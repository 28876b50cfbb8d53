/** A table in a frame of its own, which scrolls where the table is wider than the column. */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { element } from '../../platform/element.ts'
import { showId } from './shown-id.ts'

export class TableView implements NodeView {
  readonly contentDOM = element('tbody')
  readonly dom = element('div', 'table-frame', element('table', '', this.contentDOM))
  #node: Node

  constructor(node: Node) {
    this.#node = node
    showId(this.dom, node.attrs['id'])
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type) return false
    this.#node = next
    showId(this.dom, next.attrs['id'])
    return true
  }

  ignoreMutation(mutation: { readonly type: string; readonly target: globalThis.Node }): boolean {
    return mutation.type === 'attributes' && !this.contentDOM.contains(mutation.target)
  }
}
