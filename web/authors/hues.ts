/**
 * Which of the ten author hues an actor has: by the hash of its id, so that everybody sees it in
 * the same one, save that of those who are present two never share one while there is another.
 * Invariant: whoever has been given a hue keeps it.
 */

/** How many `--author-N` there are in the tokens. */
export const hueCount = 10

/** The hue of an actor by itself. */
export function ownHue(actor: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < actor.length; at++) {
    hash = Math.imul(hash ^ actor.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) >>> 16) % hueCount
}

export class Hues {
  readonly #given = new Map<string, number>()

  /** The hue of an actor; one that is asked for first among `present` avoids the others' hues. */
  of(actor: string, present: Iterable<string> = []): number {
    const known = this.#given.get(actor)
    if (known !== undefined) return known
    const taken = new Set<number>()
    for (const other of present) {
      const hue = this.#given.get(other)
      if (hue !== undefined && other !== actor) taken.add(hue)
    }
    const hue = freeHue(ownHue(actor), taken)
    this.#given.set(actor, hue)
    return hue
  }
}

/** The wanted hue, or the first free one in steps that lead far away first. */
function freeHue(wanted: number, taken: ReadonlySet<number>): number {
  for (let step = 0; step < hueCount; step++) {
    const hue = (wanted + step * 3) % hueCount
    if (!taken.has(hue)) return hue
  }
  return wanted
}
