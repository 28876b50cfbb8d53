/** A table in a frame of its own, which scrolls where the table is wider than the column. */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { directionOf } from '../../../schema/document-dom.ts'
import { element } from '../../platform/element.ts'
import { showId } from './shown-id.ts'

export class TableView implements NodeView {
  readonly contentDOM = element('tbody')
  readonly dom: HTMLElement
  readonly #table = element('table', '', this.contentDOM)
  #node: Node

  constructor(node: Node) {
    this.#node = node
    this.dom = element('div', 'table-frame', this.#table)
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type) return false
    this.#node = next
    this.#show()
    return true
  }

  /** Its columns run as its words do. */
  #show(): void {
    showId(this.dom, this.#node.attrs['id'])
    const direction = directionOf(this.#node) ?? ''
    if (this.#table.dir !== direction) this.#table.dir = direction
  }

  ignoreMutation(mutation: { readonly type: string; readonly target: globalThis.Node }): boolean {
    return mutation.type === 'attributes' && !this.contentDOM.contains(mutation.target)
  }
}
