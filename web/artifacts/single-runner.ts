/**
 * Of the artifacts of one text one runs at a time. Whoever asks for one stops the other; those that
 * begin by themselves wait until none runs, and each goes when another is asked for.
 */
export class SingleRunner {
  #stop: (() => void) | undefined
  /** What would begin one that is seen, the first seen first. */
  readonly #seen = new Set<() => void>()

  /** `stop` is called when another one begins. */
  begin(stop: () => void): void {
    const before = this.#stop
    this.#stop = stop
    if (before !== stop) before?.()
  }

  end(stop: () => void): void {
    if (this.#stop !== stop) return
    this.#stop = undefined
    this.#next()
  }

  /** `start` is called once none runs. */
  wait(start: () => void): void {
    this.#seen.add(start)
    this.#next()
  }

  unwait(start: () => void): void {
    this.#seen.delete(start)
  }

  #next(): void {
    const [start] = this.#seen
    if (this.#stop !== undefined || start === undefined) return
    this.#seen.delete(start)
    start()
  }
}
