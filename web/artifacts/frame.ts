/** The frame that an artifact runs in: of the size it wants, drawn as large as there is room. */
import { element } from '../platform/element.ts'

interface Size {
  readonly width: number
  readonly height: number
}

export class Frame {
  readonly dom = element('span', 'artifact-stage')
  readonly #frame = element('iframe', 'artifact-frame')
  readonly #size: Size
  readonly #resized = new ResizeObserver(() => this.#fit())

  constructor(address: string, { width, height, title }: Size & { readonly title: string }) {
    this.#size = { width, height }
    const frame = this.#frame
    // Before the address: what is loaded without it would have our origin.
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.referrerPolicy = 'no-referrer'
    frame.title = title === '' ? 'Artifact' : title
    frame.style.width = `${width}px`
    frame.style.height = `${height}px`
    frame.src = address
    this.dom.append(frame)
    this.#resized.observe(this.dom)
  }

  focus(): void {
    this.#fit()
    this.#frame.focus({ preventScroll: true })
  }

  /** All of the screen; the browser's Escape leaves it. */
  fill(): void {
    this.dom.requestFullscreen().then(
      () => this.#frame.focus(),
      // A browser that has no such thing for elements leaves it where it is.
      () => undefined,
    )
  }

  close(): void {
    this.#resized.disconnect()
    if (document.fullscreenElement === this.dom) void document.exitFullscreen()
    this.dom.remove()
  }

  #fit(): void {
    const { width, height } = this.#size
    const isFull = document.fullscreenElement === this.dom
    const room = this.dom.clientWidth
    const scale = isFull
      ? Math.min(room / width, this.dom.clientHeight / height)
      : Math.min(1, room / width)
    this.#frame.style.transform = `scale(${scale})`
    this.dom.style.height = isFull ? '' : `${height * scale}px`
    const beside = isFull ? (room - width * scale) / 2 : 0
    const above = isFull ? (this.dom.clientHeight - height * scale) / 2 : 0
    this.#frame.style.inset = `${above}px auto auto ${beside}px`
  }
}
