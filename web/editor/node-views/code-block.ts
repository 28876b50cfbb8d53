/**
 * A block of code under the name of its language. An `artifact` fence is a card, of which what runs
 * it is loaded with the first one (`web/artifacts/`).
 */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import type { ArtifactCard } from '../../artifacts/card.ts'
import { element } from '../../platform/element.ts'
import { languageOf } from '../commands/code.ts'
import { showId } from './shown-id.ts'

/** For the code of one text. */
export function codeBlockViews(): (node: Node) => NodeView {
  const text = {}
  return (node) => (isArtifact(node) ? new ArtifactView(node, text) : new CodeBlockView(node))
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
  /** Stands for the text, of whose artifacts one runs. */
  readonly #text: object
  #node: Node
  #shown = ''
  #card: ArtifactCard | undefined

  constructor(node: Node, text: object) {
    this.#node = node
    this.#text = text
    this.dom.contentEditable = 'false'
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type || !isArtifact(next)) return false
    this.#node = next
    this.#show()
    return true
  }

  destroy(): void {
    this.#shown = ''
    this.#card?.destroy()
  }

  /** Its buttons and its frame answer for themselves; everything else selects it. */
  stopEvent({ target }: Event): boolean {
    const own = 'button, iframe, .artifact-poster, .artifact-stage'
    return target instanceof Element && target.closest(own) !== null
  }

  ignoreMutation(): boolean {
    return true
  }

  #show(): void {
    showId(this.dom, this.#node.attrs['id'])
    const address = this.#node.textContent.trim()
    if (address === this.#shown) return
    this.#shown = address
    this.#card?.destroy()
    const words = element('span', 'artifact-words', 'Artifact')
    this.dom.replaceChildren(element('span', 'artifact-bar', words))
    import('../../artifacts/card.ts').then(
      ({ ArtifactCard }) => {
        if (this.#shown === address) this.#card = new ArtifactCard(this.dom, address, this.#text)
      },
      () => {
        words.textContent = 'This artifact could not be loaded. Reload the page to try again.'
      },
    )
  }
}
