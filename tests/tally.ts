/**
 * What a law did, by kind. It is told in one line that the runner prints, and a law that did less
 * than it should has failed: one that does nothing holds for anything.
 */
import * as assert from 'uvu/assert'

export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, this.of(what) + count)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  get kinds(): number {
    return this.#counts.size
  }

  /** Everything that another did too. */
  addAll(other: Tally): void {
    for (const [what, count] of other.#counts) this.add(what, count)
  }

  toString(): string {
    const entries = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([what, count]) => `${what} ${count}`).join(', ')
  }

  /** `law`: its seed and its name. `least`: what has to have been done, and how often at least. */
  tell(law: string, least: Readonly<Record<string, number>>): void {
    console.log(`\nseed ${law}: ${this}`)
    for (const [what, count] of Object.entries(least)) {
      assert.ok(this.of(what) >= count, `${law}: ${what} ${this.of(what)}, and not ${count}`)
    }
  }
}
