/**
 * Chance for scenarios: everything that is drawn comes from one seed. The network and the event
 * loop are real, so a seed repeats what everybody does, and nearly always in the same order.
 */

export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 to before 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 to before `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  /** Undefined for an empty list. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** A stream of its own, so that what one actor draws does not shift what others draw. */
  fork(): Chance {
    return new Chance(this.below(0x7fffffff))
  }
}

/** The seeds to run: `SEED=n` for a single one, else `count` from `first` on. */
export function seedsOf(first: number, count: number): number[] {
  const only = process.env['SEED']
  if (only !== undefined) return [Number(only)]
  return Array.from({ length: count }, (_, index) => first + index)
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Polls until the answer is not undefined; rejects after `ms` with what `why` says. */
export async function until<Found>(
  ms: number,
  find: () => Found | undefined | Promise<Found | undefined>,
  why: () => string,
): Promise<Found> {
  const deadline = performance.now() + ms
  for (let wait = 2; ; wait = Math.min(wait * 2, 32)) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${why()}`)
    await pause(wait)
  }
}
