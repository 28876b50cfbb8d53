/**
 * An image by its address. An image that the service keeps loads at once; from elsewhere it is a
 * card with its words and its host until the reader lets images load; all else never loads
 * (`image-address.ts`). It never tells another host where it was read.
 */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { element } from './element.ts'
import { imageAddress } from './image-address.ts'
import type { ImagesElsewhere } from './images-elsewhere.ts'

export class ImageView implements NodeView {
  readonly dom = element('span', 'image')
  readonly #elsewhere: ImagesElsewhere
  readonly #stop: () => void
  #node: Node

  constructor(node: Node, elsewhere: ImagesElsewhere) {
    this.#node = node
    this.#elsewhere = elsewhere
    this.#stop = elsewhere.isAllowed.subscribe(() => this.#show())
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type) return false
    const isSame = next.attrs['src'] === this.#node.attrs['src']
    this.#node = next
    const [img] = this.dom.getElementsByTagName('img')
    if (isSame && img !== undefined) this.#describe(img)
    else this.#show()
    return true
  }

  destroy(): void {
    this.#stop()
  }

  /** The button answers for itself; everything else selects the image. */
  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button') !== null
  }

  ignoreMutation(): boolean {
    return true
  }

  #show(): void {
    const found = imageAddress(this.#node.attrs['src'] as string, location.href)
    if (found.kind === 'none') this.#showCard('This address cannot be shown as an image')
    else if (found.kind === 'own' || this.#elsewhere.isAllowed.get()) {
      this.#showImage(found.address)
    } else this.#showCard(found.address.host, this.#loadButton())
  }

  #showImage(address: URL): void {
    const img = document.createElement('img')
    img.loading = 'lazy'
    img.decoding = 'async'
    img.referrerPolicy = 'no-referrer'
    img.draggable = false
    this.#describe(img)
    img.addEventListener('error', () => {
      this.#showCard(`${address.host || address.href} did not give an image`)
    })
    img.src = address.href
    this.dom.replaceChildren(img)
  }

  #describe(img: HTMLImageElement): void {
    img.alt = this.#node.attrs['alt'] as string
    img.title = this.#node.attrs['title'] as string
  }

  #showCard(detail: string, ...actions: readonly HTMLElement[]): void {
    const alt = (this.#node.attrs['alt'] as string) || 'Image'
    const card = element(
      'span',
      'card',
      element('span', 'card-title', alt),
      element('span', 'card-detail', detail),
      ...actions,
    )
    card.contentEditable = 'false'
    this.dom.replaceChildren(card)
  }

  #loadButton(): HTMLElement {
    const button = element('button', 'button button-line', 'Load images from elsewhere')
    button.type = 'button'
    button.title = 'Their hosts will learn that somebody reads this document'
    button.addEventListener('click', () => this.#elsewhere.allow())
    return button
  }
}
