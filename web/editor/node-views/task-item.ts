/**
 * A list item; one with a task has a box to tick. The box is a real checkbox, outside of the text's
 * tab order walk by caret but reachable by Tab, and says aloud what it ticks.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { showId } from './shown-id.ts'

type Where = () => number | undefined

export function listItemView(node: Node, view: EditorView, getPos: Where): NodeView {
  const dom = document.createElement('li')
  return node.attrs['checked'] === null
    ? new PlainItem(dom, node)
    : new TaskItem(dom, node, { view, getPos })
}

class PlainItem implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement

  constructor(dom: HTMLElement, node: Node) {
    this.dom = dom
    this.contentDOM = dom
    showId(dom, node.attrs['id'])
  }

  update(next: Node): boolean {
    if (next.type.name !== 'list_item' || next.attrs['checked'] !== null) return false
    showId(this.dom, next.attrs['id'])
    return true
  }

  /** Its number, where it begins a group of a long list. */
  ignoreMutation({ type, target }: { readonly type: string; readonly target: globalThis.Node }) {
    return type === 'attributes' && target === this.dom
  }
}

class TaskItem implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM = document.createElement('div')
  readonly #label = document.createElement('span')
  readonly #box = document.createElement('input')
  readonly #view: EditorView
  readonly #getPos: Where

  constructor(dom: HTMLElement, node: Node, at: { view: EditorView; getPos: Where }) {
    this.dom = dom
    this.#view = at.view
    this.#getPos = at.getPos
    this.contentDOM.className = 'item-body'
    this.#label.className = 'item-box'
    this.#label.contentEditable = 'false'
    this.#box.type = 'checkbox'
    this.#box.addEventListener('click', this.#guard)
    this.#box.addEventListener('change', this.#tick)
    this.#label.append(this.#box)
    dom.append(this.#label, this.contentDOM)
    this.#show(node)
  }

  readonly #guard = (event: Event) => {
    if (!this.#view.editable) event.preventDefault()
  }

  readonly #tick = () => {
    const pos = this.#getPos()
    if (pos === undefined) return
    this.#view.dispatch(this.#view.state.tr.setNodeAttribute(pos, 'checked', this.#box.checked))
  }

  #show(node: Node): void {
    const checked = node.attrs['checked'] === true
    showId(this.dom, node.attrs['id'])
    this.dom.dataset['checked'] = String(checked)
    this.#box.checked = checked
    this.#box.setAttribute('aria-label', node.firstChild?.textContent.slice(0, 80) || 'Task')
  }

  update(next: Node): boolean {
    if (next.type.name !== 'list_item' || next.attrs['checked'] === null) return false
    this.#show(next)
    return true
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#box
  }

  ignoreMutation(mutation: { readonly target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target)
  }
}
