/**
 * Whose states are shown where not all can be. A full room gives a place to a client from where few
 * are shown, and takes it from the newest where most are: many identities of one network or one
 * link get places from each other, not from everybody else. It knows no states.
 */
import type { Sources } from '../../core/documents/contract.ts'

const shownStatesPerHolderMax = 8

/** In a room. */
export const shownStatesMax = 200

/** A client that wants to be shown. */
export interface Guest {
  /** Names its credential. */
  readonly holder: string
  /** Whom it counts as, on whatever credential. */
  readonly person: string
  readonly sources: Sources
  /** Has written on its present socket. */
  readonly writes: boolean
}

/** What a state from the same network weighs; one that came by the same link weighs 1. */
const networkWeight = 8
/** For the 25 writers of a network that go before every reader. */
const writerBonus = 200

export class ShownStates<G extends Guest> {
  /** Oldest first. */
  readonly #shown = new Set<G>()
  readonly #hidden = new Set<G>()

  isShown(guest: G): boolean {
    return this.#shown.has(guest)
  }

  #hiddenCount: number | undefined

  /** How many people are here of whom nothing is shown. */
  get hiddenCount(): number {
    this.#hiddenCount ??= this.#countHidden()
    return this.#hiddenCount
  }

  #countHidden(): number {
    const shown = new Set(Array.from(this.#shown, ({ person }) => person))
    const hidden = new Set(Array.from(this.#hidden, ({ person }) => person))
    return [...hidden].filter((person) => !shown.has(person)).length
  }

  /** Shows the guest where that may be; returns the guest that is not shown any more for it. */
  admit(guest: G): G | undefined {
    if (this.#shown.has(guest)) return undefined
    this.#hidden.add(guest)
    this.#hiddenCount = undefined
    const all = [...this.#shown]
    const own = all.filter(({ holder }) => holder === guest.holder).length
    if (own >= shownStatesPerHolderMax) return undefined
    const last = all.length < shownStatesMax ? undefined : whoGivesWay(all, guest)
    if (all.length >= shownStatesMax && last === undefined) return undefined
    if (last !== undefined) {
      this.#shown.delete(last)
      this.#hidden.add(last)
    }
    this.#hidden.delete(guest)
    this.#shown.add(guest)
    return last
  }

  remove(guest: G): void {
    this.#hiddenCount = undefined
    this.#shown.delete(guest)
    this.#hidden.delete(guest)
  }
}

/** The newest where most are, if many more are there than where the guest comes from. */
function whoGivesWay<G extends Guest>(shown: readonly G[], guest: G): G | undefined {
  const networks = countsOf(shown.map(({ sources }) => sources.address))
  const links = countsOf(shown.map(({ sources }) => sources.link))
  const weight = ({ sources: { address, link }, writes }: G): number => {
    const crowd = networkWeight * (networks.get(address) ?? 0) + (links.get(link) ?? 0)
    return writes ? crowd - writerBonus : crowd
  }
  const heaviest = Math.max(...shown.map(weight))
  const isFairer = weight(guest) + networkWeight + 1 < heaviest
  return isFairer ? shown.findLast((one) => weight(one) === heaviest) : undefined
}

function countsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
