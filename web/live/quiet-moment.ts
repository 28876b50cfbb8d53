/**
 * Waits until nobody is typing: a question that opened under the fingers would swallow what was
 * meant for the text.
 */
const quietMs = 700

export class QuietMoment {
  readonly #then: () => void
  readonly #listeners = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isWanted = false
  #isComposing = false

  constructor(then: () => void) {
    this.#then = then
    const { signal } = this.#listeners
    const listen = (type: string, listener: () => void) =>
      document.addEventListener(type, listener, { capture: true, signal })
    listen('keydown', () => this.#restart())
    listen('input', () => this.#restart())
    listen('pointerdown', () => this.#restart())
    listen('compositionstart', () => {
      this.#isComposing = true
    })
    listen('compositionend', () => {
      this.#isComposing = false
      this.#restart()
    })
  }

  /** From now on the next quiet moment counts; asking again changes nothing. */
  want(): void {
    if (this.#isWanted) return
    this.#isWanted = true
    this.#restart()
  }

  cancel(): void {
    this.#isWanted = false
    clearTimeout(this.#timer)
  }

  close(): void {
    this.cancel()
    this.#listeners.abort()
  }

  #restart(): void {
    if (!this.#isWanted) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#isComposing) return
      this.cancel()
      this.#then()
    }, quietMs)
  }
}
