/**
 * Chance for tests: everything that is drawn comes from one seed, by the generator that fast-check
 * uses. No test draws in another way.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export class Chance {
  readonly #source: ReturnType<typeof xoroshiro128plus>

  constructor(seed: number) {
    this.#source = xoroshiro128plus(seed)
  }

  /** From 0 to before 1. */
  next(): number {
    return uniformFloat64(this.#source)
  }

  /** A whole number from 0 to before `bound`; 0 where there is none. */
  below(bound: number): number {
    return bound < 1 ? 0 : uniformInt(this.#source, 0, bound - 1)
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

  /** Of a list that is not empty. */
  oneOf<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new TypeError('nothing to pick from')
    return items[this.below(items.length)] as Item
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256))
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
