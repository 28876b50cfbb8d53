/**
 * From a key to the moment another's copy has it: one figure for each key and each other copy. A key
 * that is never heard counts with all the time it waited, so that silence makes no figure better.
 */
interface Waiting {
  readonly clock: number
  readonly at: number
}

export class Latencies {
  readonly #heard: number[] = []
  /** By listener and client: keys not heard, oldest first. */
  readonly #waiting = new Map<string, Waiting[]>()
  #isMeasuring = false

  begin(): void {
    this.#isMeasuring = true
  }

  typed(client: number, clock: number, listeners: readonly number[]): void {
    if (!this.#isMeasuring) return
    const at = performance.now()
    for (const listener of listeners) {
      const key = `${listener} ${client}`
      const waiting = this.#waiting.get(key)
      if (waiting === undefined) this.#waiting.set(key, [{ clock, at }])
      else waiting.push({ clock, at })
    }
  }

  heard(listener: number, client: number, upTo: number): void {
    const waiting = this.#waiting.get(`${listener} ${client}`)
    const now = performance.now()
    while (waiting?.[0] !== undefined && waiting[0].clock < upTo) {
      this.#heard.push(now - waiting[0].at)
      waiting.shift()
    }
  }

  get isAllHeard(): boolean {
    return [...this.#waiting.values()].every((waiting) => waiting.length === 0)
  }

  /** All so far; those still waiting with what they waited until now. */
  all(): number[] {
    const now = performance.now()
    const unheard = [...this.#waiting.values()].flat().map(({ at }) => now - at)
    return [...this.#heard, ...unheard]
  }
}
