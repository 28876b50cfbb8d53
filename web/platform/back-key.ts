/**
 * The Back of a phone closes what floats over the page before it leaves the page, where the browser
 * tells of it (Chromium does).
 */

interface CloseWatcher extends EventTarget {
  destroy(): void
}

declare global {
  interface Window {
    readonly CloseWatcher?: new () => CloseWatcher
  }
}

export class BackKey {
  readonly #close: () => void
  #watcher: CloseWatcher | undefined

  constructor(close: () => void) {
    this.#close = close
  }

  /** Whether there is something to close. */
  listen(isOpen: boolean): void {
    if (isOpen === (this.#watcher !== undefined)) return
    this.#watcher?.destroy()
    this.#watcher = isOpen && window.CloseWatcher ? new window.CloseWatcher() : undefined
    this.#watcher?.addEventListener('close', this.#close)
  }
}
