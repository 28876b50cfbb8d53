/**
 * An image as large as the window takes it, with its words; the arrows go on to the others of the
 * text, Escape or a click beside it closes. A dialog of the browser's own, which also gives the
 * focus back to where it was. Loaded with the first use.
 */

export function showLarge(picture: HTMLImageElement): void {
  const text = picture.closest('.text') ?? picture.parentElement
  const all = [...(text?.querySelectorAll<HTMLImageElement>('.image img') ?? [picture])]
  const dialog = new Lightbox(all, Math.max(0, all.indexOf(picture)))
  dialog.open()
}

class Lightbox {
  readonly #pictures: readonly HTMLImageElement[]
  #index: number
  readonly #dialog = document.createElement('dialog')
  readonly #large = document.createElement('img')
  readonly #words = document.createElement('p')
  readonly #count = document.createElement('span')

  constructor(pictures: readonly HTMLImageElement[], index: number) {
    this.#pictures = pictures
    this.#index = index
    const dialog = this.#dialog
    dialog.className = 'lightbox'
    this.#words.className = 'lightbox-words'
    this.#count.className = 'lightbox-count'
    this.#large.className = 'lightbox-picture'
    this.#large.referrerPolicy = 'no-referrer'
    const close = button('Close', '✕', () => dialog.close())
    close.classList.add('lightbox-close')
    const bar = document.createElement('div')
    bar.className = 'lightbox-bar'
    const back = button('Previous image', '←', () => this.#go(-1))
    const next = button('Next image', '→', () => this.#go(1))
    if (pictures.length > 1) bar.append(back, this.#count, next)
    dialog.append(close, this.#large, this.#words, bar)
    dialog.addEventListener('keydown', (event) => this.#onKey(event))
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close()
    })
    dialog.addEventListener('close', () => dialog.remove())
  }

  open(): void {
    document.body.append(this.#dialog)
    this.#show()
    this.#dialog.showModal()
  }

  #go(by: number): void {
    const { length } = this.#pictures
    this.#index = (this.#index + by + length) % length
    this.#show()
  }

  #show(): void {
    const picture = this.#pictures[this.#index]
    if (picture === undefined) return
    const count = `${this.#index + 1} of ${this.#pictures.length}`
    this.#large.src = picture.src
    this.#large.alt = picture.alt
    this.#words.textContent = picture.alt
    this.#words.hidden = picture.alt === ''
    this.#count.textContent = count
    this.#dialog.setAttribute(
      'aria-label',
      `${picture.alt === '' ? 'Image' : picture.alt}, ${count}`,
    )
  }

  #onKey(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    // What is under it hears nothing.
    event.stopPropagation()
    if (by === undefined) return
    event.preventDefault()
    this.#go(by)
  }
}

function button(label: string, face: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button button-icon'
  made.setAttribute('aria-label', label)
  made.title = label
  made.textContent = face
  made.addEventListener('click', act)
  return made
}
