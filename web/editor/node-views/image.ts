/**
 * An image by its address. An image that the service keeps loads at once; from elsewhere it is a
 * card with its words and its host until the reader lets images load; all else never loads
 * (`image-address.ts`). It never tells another host where it was read. A click shows it large,
 * where one writes only once it is selected.
 */
import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { base } from '../../api/base.ts'
import { openImage } from '../../images/opening.ts'
import { element } from '../../platform/element.ts'
import type { ImageSizes } from '../../platform/image-sizes.ts'
import type { Readable } from '../../platform/store.ts'
import { type Described, describedBy } from '../model/image-width.ts'
import { imageAddress } from './image-address.ts'
import type { ImagesElsewhere } from './images-elsewhere.ts'

/** What all images of a text share. */
export interface ImageParts {
  readonly elsewhere: ImagesElsewhere
  readonly sizes: ImageSizes
  readonly isEditable: Readable<boolean>
}

export class ImageView implements NodeView {
  readonly dom = element('span', 'image')
  readonly #parts: ImageParts
  readonly #stops: readonly (() => void)[]
  #node: Node
  #wasSelected = false

  constructor(node: Node, parts: ImageParts) {
    const { elsewhere, isEditable } = parts
    this.#node = node
    this.#parts = parts
    this.#stops = [
      elsewhere.isAllowed.subscribe(() => this.#show()),
      isEditable.subscribe(() => this.#redescribe()),
    ]
    this.dom.addEventListener('mousedown', () => {
      this.#wasSelected = this.dom.classList.contains('ProseMirror-selectednode')
    })
    this.#show()
  }

  update(next: Node): boolean {
    if (next.type !== this.#node.type) return false
    const isSame = next.attrs['src'] === this.#node.attrs['src']
    this.#node = next
    if (!isSame || !this.#redescribe()) this.#show()
    return true
  }

  destroy(): void {
    for (const stop of this.#stops) stop()
  }

  /** The button answers for itself; everything else selects the image. */
  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button') !== null
  }

  ignoreMutation(): boolean {
    return true
  }

  #show(): void {
    const found = imageAddress(this.#node.attrs['src'] as string, location.href, base)
    if (found.kind === 'none') this.#showCard('This address cannot be shown as an image')
    else if (found.kind === 'own') this.#showImage(found.address, found.elsewhere)
    else this.#showElsewhere(found.address)
  }

  #showElsewhere(address: URL): void {
    if (this.#parts.elsewhere.isAllowed.get()) this.#showImage(address)
    else this.#showCard(address.host, this.#loadButton())
  }

  /** The service says that it has no such image: it is the other host's. */
  async #showUnlessOwn(address: URL, elsewhere: URL): Promise<void> {
    const isOwn = await fetch(address, { method: 'HEAD', redirect: 'manual' }).then(
      ({ status }) => ![401, 403, 404].includes(status),
      () => true,
    )
    const { src } = this.#node.attrs
    if (!isOwn && URL.parse(src as string)?.href === elsewhere.href) this.#showElsewhere(elsewhere)
  }

  #showImage(address: URL, elsewhere?: URL): void {
    const img = document.createElement('img')
    img.loading = 'lazy'
    img.decoding = 'async'
    img.referrerPolicy = 'no-referrer'
    img.draggable = false
    this.#describe(img)
    this.#keepRoom(img, address)
    img.addEventListener('click', () => {
      if (this.#wasSelected || !this.#parts.isEditable.get()) openImage(img)
    })
    img.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') openImage(img)
    })
    img.addEventListener('error', () => {
      this.#showCard(`Could not load an image from ${address.host || address.href}`)
      if (elsewhere !== undefined) void this.#showUnlessOwn(address, elsewhere)
    })
    img.src = address.href
    this.dom.replaceChildren(img)
  }

  /** What is read stays where it is when the picture arrives, where its size is known. */
  #keepRoom(img: HTMLImageElement, { href }: URL): void {
    const { sizes } = this.#parts
    const known = sizes.of(href)
    if (known !== undefined) {
      img.dataset['sized'] = ''
      img.style.setProperty('--width', `${known.width}px`)
      img.style.setProperty('--ratio', String(known.width / known.height))
    }
    img.addEventListener('load', () => {
      sizes.remember(href, { width: img.naturalWidth, height: img.naturalHeight })
    })
  }

  get #described(): Described {
    return describedBy(this.#node.attrs['alt'] as string)
  }

  /** False: no picture is shown. */
  #redescribe(): boolean {
    const [img] = this.dom.getElementsByTagName('img')
    if (img !== undefined) this.#describe(img)
    return img !== undefined
  }

  /** For who only reads it is a button that keys reach. */
  #describe(img: HTMLImageElement): void {
    const { words, width } = this.#described
    img.alt = words
    img.title = this.#node.attrs['title'] as string
    img.style.width = width === undefined ? '' : `${width}px`
    if (this.#parts.isEditable.get()) {
      img.removeAttribute('role')
      img.removeAttribute('tabindex')
    } else {
      img.setAttribute('role', 'button')
      img.tabIndex = 0
    }
  }

  #showCard(detail: string, ...actions: readonly HTMLElement[]): void {
    const alt = this.#described.words || 'Image'
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
    const button = element('button', 'button button-line', 'Load external images')
    button.type = 'button'
    button.title = 'External sites can see that someone opened this document'
    button.addEventListener('click', () => this.#parts.elsewhere.allow())
    return button
  }
}
