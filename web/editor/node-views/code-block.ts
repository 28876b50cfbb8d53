/**
 * A block of code under the name of its language. An `artifact` fence is a card: such a page would
 * be a program, and this view runs none.
 */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { languageOf } from '../commands/code.ts'
import { element, showId } from './element.ts'

export function codeBlockView(node: Node): NodeView {
  return isArtifact(node) ? new ArtifactView(node) : new CodeBlockView(node)
}

/** A fence of language `artifact` whose only line is the address of one. */
function isArtifact(node: Node): boolean {
  if (languageOf(node.attrs['params'] as string) !== 'artifact') return false
  return /^\/docs\/[\w-]+\/artifacts\/[\w-]+$/.test(node.textContent.trim())
}

class CodeBlockView implements NodeView {
  readonly dom = element('div', 'code-block')
  readonly contentDOM = element('code')
  readonly #language = element('span', 'code-language')
  #node: Node

  constructor(node: Node) {
    this.#node = node
    this.#language.contentEditable = 'false'
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
    this.#language.textContent = language
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
