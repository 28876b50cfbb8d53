/**
 * Whose states are shown where not all can be. A full room gives a place to who comes where few are
 * shown, and takes it from the newest where most are: many identities of one network or one link
 * get places from each other, not from everybody else. It neither knows states nor tells anybody.
 */
import type { Sources } from '../../core/documents/contract.ts'
import { limits } from '../../schema/limits.ts'

/** One who wants to be shown. */
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

class Tally {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, by: 1 | -1): void {
    const count = this.of(key) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

export class ShownStates<G extends Guest> {
  /** Oldest first. */
  readonly #shown = new Set<G>()
  readonly #hidden = new Set<G>()
  readonly #networks = new Tally()
  readonly #links = new Tally()
  readonly #holders = new Tally()
  readonly #shownOf = new Tally()
  readonly #hiddenOf = new Tally()
  #hiddenPersons = 0

  isShown(guest: G): boolean {
    return this.#shown.has(guest)
  }

  /** How many people are here of whom nothing is shown. */
  get hiddenCount(): number {
    return this.#hiddenPersons
  }

  /** Shows the guest where that may be; returns who is not shown any more for it. */
  admit(guest: G): G | undefined {
    if (this.#shown.has(guest)) return undefined
    const isFull = this.#shown.size >= limits.shownStatesMax
    const last = isFull ? this.#whoGivesWay() : undefined
    const { holder } = guest
    if (this.#holders.of(holder) >= limits.shownStatesPerHolderMax) this.#hide(guest)
    else if (last === undefined) this.#show(guest)
    else if (this.#weight(guest) + networkWeight + 1 < this.#weight(last)) {
      this.#leaveShown(last)
      this.#hide(last)
      this.#show(guest)
      return last
    } else this.#hide(guest)
    return undefined
  }

  remove(guest: G): void {
    this.#leaveShown(guest)
    this.#leaveHidden(guest)
  }

  /** One look at all who are shown, a bounded number: of the heaviest the newest. */
  #whoGivesWay(): G | undefined {
    let [most, found]: [number, G | undefined] = [-Infinity, undefined]
    for (const guest of this.#shown) {
      const weight = this.#weight(guest)
      if (weight >= most) [most, found] = [weight, guest]
    }
    return found
  }

  #weight({ sources: { address, link }, writes }: G): number {
    const crowd = networkWeight * this.#networks.of(address) + this.#links.of(link)
    return writes ? crowd - writerBonus : crowd
  }

  #show(guest: G): void {
    this.#leaveHidden(guest)
    this.#shown.add(guest)
    this.#countShown(guest, 1)
  }

  #leaveShown(guest: G): void {
    if (this.#shown.delete(guest)) this.#countShown(guest, -1)
  }

  #hide(guest: G): void {
    if (this.#hidden.has(guest)) return
    this.#hidden.add(guest)
    this.#count(this.#hiddenOf, guest, 1)
  }

  #leaveHidden(guest: G): void {
    if (this.#hidden.delete(guest)) this.#count(this.#hiddenOf, guest, -1)
  }

  #countShown(guest: G, by: 1 | -1): void {
    this.#networks.add(guest.sources.address, by)
    this.#links.add(guest.sources.link, by)
    this.#holders.add(guest.holder, by)
    this.#count(this.#shownOf, guest, by)
  }

  #count(tally: Tally, { person }: G, by: 1 | -1): void {
    if (this.#isUnseen(person)) this.#hiddenPersons--
    tally.add(person, by)
    if (this.#isUnseen(person)) this.#hiddenPersons++
  }

  #isUnseen(person: string): boolean {
    return this.#hiddenOf.of(person) > 0 && this.#shownOf.of(person) === 0
  }
}
