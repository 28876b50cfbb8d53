/**
 * What is known of the keys that were used last, within a bound. Older ones are forgotten without
 * a word, half of the bound at a time.
 */
export class RecentKeys<Value> {
  readonly #maxKeys: number
  // Two generations: when the young one is full the old one is dropped and the young one grows old.
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key)
  }

  /** `undefined`: nothing is known, or that (ask `has`). */
  get(key: string): Value | undefined {
    if (this.#young.has(key)) return this.#young.get(key)
    const value = this.#old.get(key)
    if (this.#old.has(key)) this.set(key, value as Value)
    return value
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value)
    if (this.#young.size * 2 < this.#maxKeys) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
