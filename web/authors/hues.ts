/**
 * Which of the ten author hues an actor has on the page: the one that the service gave to who has
 * written in the document, and until then the one that everybody guesses.
 */
import { ownHue } from '../../schema/hues.ts'

/** How many `--author-N` there are in the tokens. */
export { hueCount } from '../../schema/hues.ts'

/**
 * Of more than ten authors some share a hue: all of them but the first by id, who need a second
 * sign. `hueOf` says the hue of each.
 */
export function sharingHues(
  actors: Iterable<string>,
  hueOf: (actor: string) => number,
): ReadonlySet<string> {
  const first = new Map<number, string>()
  const sharing = new Set<string>()
  for (const actor of [...actors].sort()) {
    if (first.has(hueOf(actor))) sharing.add(actor)
    else first.set(hueOf(actor), actor)
  }
  return sharing
}

export class Hues {
  readonly #given = new Map<string, number>()

  of(actor: string): number {
    return this.#given.get(actor) ?? ownHue(actor)
  }

  isGiven(actor: string): boolean {
    return this.#given.has(actor)
  }

  /** Whether that is news. */
  learn(actor: string, hue: number): boolean {
    if (this.#given.get(actor) === hue) return false
    this.#given.set(actor, hue)
    return true
  }
}
