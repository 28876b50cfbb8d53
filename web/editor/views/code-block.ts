/**
 * A block of code under its language. The language is a button; who wants to offer a choice listens
 * for `pick-language` on the editor's element. An `artifact` fence is a card: such a page would be
 * a program, and this view runs none.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { element, showId } from './element.ts'

/** Asks for a language for the code block at `pos`; the choice opens at `anchor`. */
export interface PickLanguage {
  readonly pos: number
  readonly anchor: HTMLElement
}

type Where = () => number | undefined

export const languageOf = (params: string): string => /^\S*/.exec(params)?.[0] ?? ''

export function codeBlockView(node: Node, view: EditorView, getPos: Where): NodeView {
  return isArtifact(node) ? new ArtifactView(node) : new CodeBlockView(node, { view, getPos })
}

/** A fence of language `artifact` whose only line is the address of one. */
function isArtifact(node: Node): boolean {
  if (languageOf(node.attrs['params'] as string) !== 'artifact') return false
  return /^\/docs\/[\w-]+\/artifacts\/[\w-]+$/.test(node.textContent.trim())
}

class CodeBlockView implements NodeView {
  readonly dom = element('div', 'code-block')
  readonly contentDOM = element('code')
  readonly #language = element('button', 'code-language')
  #node: Node

  constructor(node: Node, at: { view: EditorView; getPos: Where }) {
    this.#node = node
    this.#language.type = 'button'
    this.#language.contentEditable = 'false'
    this.#language.addEventListener('mousedown', (event) => event.preventDefault())
    this.#language.addEventListener('click', () => {
      const pos = at.getPos()
      if (pos === undefined || !at.view.editable) return
      const detail: PickLanguage = { pos, anchor: this.#language }
      at.view.dom.dispatchEvent(new CustomEvent('pick-language', { detail, bubbles: true }))
    })
    const pre = element('pre', '', this.contentDOM)
    pre.spellcheck = false
    pre.dir = 'ltr'
    this.dom.append(this.#language, pre)
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type || isArtifact(next)) return false
    this.#node = next
    this.#show()
    return true
  }

  #show(): void {
    const language = languageOf(this.#node.attrs['params'] as string)
    showId(this.dom, this.#node.attrs['id'])
    this.dom.dataset['params'] = this.#node.attrs['params'] as string
    this.#language.toggleAttribute('data-plain', language === '')
    this.#language.textContent = language === '' ? 'Plain text' : language
    this.#language.setAttribute('aria-label', `Language: ${language || 'plain text'}`)
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#language
  }

  ignoreMutation(mutation: { readonly target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(mutation.target)
  }
}

class ArtifactView implements NodeView {
  readonly dom = element('div', 'artifact')
  #node: Node

  constructor(node: Node) {
    this.#node = node
    this.dom.contentEditable = 'false'
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type || !isArtifact(next)) return false
    this.#node = next
    this.#show()
    return true
  }

  ignoreMutation(): boolean {
    return true
  }

  #show(): void {
    showId(this.dom, this.#node.attrs['id'])
    this.dom.replaceChildren(
      element(
        'span',
        'card',
        element('span', 'card-title', 'Artifact'),
        element('span', 'card-detail', this.#node.textContent.trim()),
        element('span', 'card-detail', 'This page does not run artifacts.'),
      ),
    )
  }
}
