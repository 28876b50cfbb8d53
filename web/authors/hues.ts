/**
 * Which of the ten author hues an actor has: by the hash of its id, so that everybody sees it in
 * the same one, save that two who are seen together get hues that can be told apart while there
 * are such. Invariant: whoever has been given a hue keeps it.
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

  /** The hue of an actor; who is asked for later avoids the hues of those before. */
  of(actor: string): number {
    const known = this.#given.get(actor)
    if (known !== undefined) return known
    const hue = freeHue(ownHue(actor), new Set(this.#given.values()))
    this.#given.set(actor, hue)
    return hue
  }
}

/** The wanted hue, or the nearest thing to it: beside no taken one, else not taken itself. */
function freeHue(wanted: number, taken: ReadonlySet<number>): number {
  const inOrder = Array.from({ length: hueCount }, (_, step) => (wanted + step * 3) % hueCount)
  const isTaken = (hue: number) => taken.has((hue + hueCount) % hueCount)
  const isApart = (hue: number) => [hue - 1, hue, hue + 1].every((near) => !isTaken(near))
  return inOrder.find(isApart) ?? inOrder.find((hue) => !isTaken(hue)) ?? wanted
}
