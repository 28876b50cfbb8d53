/** Front matter: a quiet panel, closed until somebody wants it or a caret enters it. */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { element } from '../../platform/element.ts'
import { showId } from './shown-id.ts'

export class FrontMatterView implements NodeView {
  readonly dom = element('div', 'front-matter')
  readonly contentDOM = element('code')
  readonly #pre = element('pre', '', this.contentDOM)
  readonly #toggle = element('button', 'front-matter-toggle')
  #node: Node

  constructor(node: Node, view: EditorView) {
    this.#node = node
    this.#pre.spellcheck = false
    this.#pre.dir = 'ltr'
    this.#toggle.type = 'button'
    this.#toggle.contentEditable = 'false'
    this.#toggle.addEventListener('click', () => {
      this.#open(this.#pre.hidden !== false)
      view.focus()
    })
    this.dom.append(this.#toggle, this.#pre)
    this.#open(false)
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type) return false
    this.#node = next
    this.#show()
    return true
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof globalThis.Node && this.#toggle.contains(event.target)
  }

  ignoreMutation(mutation: { readonly target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target)
  }

  #open(isOpen: boolean): void {
    this.#pre.hidden = !isOpen
    this.#toggle.setAttribute('aria-expanded', String(isOpen))
  }

  #show(): void {
    const keys = this.#node.textContent.match(/^[\w-]+(?=:)/gm) ?? []
    const said = keys.length === 0 ? '' : `: ${keys.slice(0, 4).join(', ')}`
    showId(this.dom, this.#node.attrs['id'])
    this.#toggle.textContent = `Front matter${said}${keys.length > 4 ? ' …' : ''}`
  }
}
