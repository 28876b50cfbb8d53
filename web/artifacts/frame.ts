/** The frame that an artifact runs in: of the size it wants, drawn as large as there is room. */

import { under } from '../api/base.ts'
import { element } from '../platform/element.ts'
import { type FocusGuard, guardFocus } from './focus-guard.ts'

interface Size {
  readonly width: number
  readonly height: number
}

export interface FrameParts {
  readonly address: string
  readonly meta: Size & { readonly title: string }
  /** What it is part of. */
  readonly around: HTMLElement
  /** It took the focus that nobody gave it, from here. */
  readonly onTaken: (before: HTMLElement | undefined) => void
}

export class Frame {
  readonly dom = element('span', 'artifact-stage')
  readonly #frame = element('iframe', 'artifact-frame')
  readonly #size: Size
  readonly #guard: FocusGuard
  readonly #resized = new ResizeObserver(() => this.#fit())

  constructor({ address, meta: { width, height, title }, around, onTaken }: FrameParts) {
    this.#size = { width, height }
    const frame = this.#frame
    // Before the address: what is loaded without it would have our origin.
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.referrerPolicy = 'no-referrer'
    frame.title = title === '' ? 'Artifact' : title
    frame.style.width = `${width}px`
    frame.style.height = `${height}px`
    frame.src = under(address)
    this.dom.append(frame)
    this.#resized.observe(this.dom)
    const isResting = () => frame.inert
    this.#guard = guardFocus({ frame, around, isResting, onTaken })
  }

  /** Nothing in it is clicked, and it has no focus, before `focus`; a click on it is told. */
  rest(onClick: () => void): void {
    this.#frame.inert = true
    this.dom.addEventListener('click', onClick, { once: true })
    this.#fit()
  }

  focus(): void {
    this.#frame.inert = false
    this.#fit()
    this.#guard.give()
    this.#frame.focus({ preventScroll: true })
  }

  /** All of the screen; the browser's Escape leaves it. */
  fill(): void {
    this.dom.requestFullscreen().then(
      () => this.focus(),
      // A browser that has no such thing for elements leaves it where it is.
      () => undefined,
    )
  }

  close(): void {
    this.#resized.disconnect()
    this.#guard.end()
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
    const beside = (room - width * scale) / 2
    const above = isFull ? (this.dom.clientHeight - height * scale) / 2 : 0
    this.#frame.style.inset = `${above}px auto auto ${beside}px`
  }
}
