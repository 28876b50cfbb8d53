/** Of the artifacts of one text one runs at a time: the next one stops it. */

export class OnlyOne {
  #stop: (() => void) | undefined

  /** `stop` is called when another one begins. */
  begin(stop: () => void): void {
    const before = this.#stop
    this.#stop = stop
    if (before !== stop) before?.()
  }

  end(stop: () => void): void {
    if (this.#stop === stop) this.#stop = undefined
  }
}
