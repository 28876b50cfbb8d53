/**
 * Which of the ten author hues an actor has: by the hash of its id, so that everybody sees it in
 * the same one, save that two who are seen together get hues that can be told apart while there
 * are such. Who is here counts before those whose text alone is. Invariant: whoever has been given
 * a hue keeps it.
 */

/** How many `--author-N` there are in the tokens. */
export const hueCount = 10

/** The hue of an actor by itself. */
function ownHue(actor: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < actor.length; at++) {
    hash = Math.imul(hash ^ actor.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) >>> 16) % hueCount
}

export class Hues {
  readonly #given = new Map<string, number>()
  #here: ReadonlySet<string> = new Set()

  /** The hue of an actor; who is asked for later avoids the hues of those before. */
  of(actor: string): number {
    const known = this.#given.get(actor)
    if (known !== undefined) return known
    const hue = this.#freest(ownHue(actor))
    this.#given.set(actor, hue)
    return hue
  }

  /** These are here now, and nobody else is. */
  meet(actors: readonly string[]): void {
    this.#here = new Set(actors)
    for (const actor of actors) this.of(actor)
  }

  /** The wanted hue, or the first behind it that mixes up the least. */
  #freest(wanted: number): number {
    const inOrder = Array.from({ length: hueCount }, (_, step) => (wanted + step * 3) % hueCount)
    const costs = inOrder.map((hue) => this.#cost(hue))
    return inOrder[costs.indexOf(Math.min(...costs))] ?? wanted
  }

  /** Sharing a hue is worse than standing beside one, and with who is here worse than all else. */
  #cost(hue: number): number {
    let cost = 0
    for (const [actor, given] of this.#given) {
      const steps = Math.abs(hue - given)
      const apart = Math.min(steps, hueCount - steps)
      const [same, beside] = this.#here.has(actor) ? [1e9, 1e3] : [1e6, 1]
      if (apart === 0) cost += same
      else if (apart === 1) cost += beside
    }
    return cost
  }
}
