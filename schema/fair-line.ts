/**
 * A line in which every source of requests gets its turn: addresses one after the other, and of one
 * address the links it comes by. However many wait from one source, another's first is next but
 * one. Knows nothing of what waits but its weight, and no time.
 */

/** What many identities of one caller have in common. */
export interface Source {
  readonly address: string
  readonly link: string
}

export interface InLine {
  readonly source: Source
  readonly weight: number
}

interface Group<T> {
  readonly entries: T[]
  weight: number
}

type Links<T> = Map<string, Group<T>>

export class FairLine<T extends InLine> {
  /** In the order of their turns. */
  readonly #addresses = new Map<string, Links<T>>()
  #weight = 0
  #size = 0

  get weight(): number {
    return this.#weight
  }

  get size(): number {
    return this.#size
  }

  weightOf(address: string): number {
    let weight = 0
    for (const group of this.#addresses.get(address)?.values() ?? []) weight += group.weight
    return weight
  }

  groupWeightOf({ address, link }: Source): number {
    return this.#addresses.get(address)?.get(link)?.weight ?? 0
  }

  add(entry: T): void {
    const { address, link } = entry.source
    const links: Links<T> = this.#addresses.get(address) ?? new Map()
    const group = links.get(link) ?? { entries: [], weight: 0 }
    group.entries.push(entry)
    group.weight += entry.weight
    links.set(link, group)
    this.#addresses.set(address, links)
    this.#weight += entry.weight
    this.#size++
  }

  /** Takes out of line whoever is next and `fits`; who does not fit keeps the turn. */
  takeNext(fits: (entry: T) => boolean): T | undefined {
    for (const [address, links] of this.#addresses) {
      for (const [link, { entries }] of links) {
        const [first] = entries
        if (first === undefined || !fits(first)) continue
        this.remove(first)
        endOfLine(links, link)
        endOfLine(this.#addresses, address)
        return first
      }
    }
    return undefined
  }

  /** The first of each address, in the order of their turns. */
  *heads(): Generator<T> {
    for (const links of this.#addresses.values()) {
      for (const { entries } of links.values()) {
        if (entries[0] !== undefined) yield entries[0]
        break
      }
    }
  }

  /** The newest of those of which most waits, of one address or of all. */
  lastOfHeaviest(address?: string): T | undefined {
    const heaviest = address ?? this.#heaviestAddress()
    const groups = [...(this.#addresses.get(heaviest ?? '')?.values() ?? [])]
    const [group] = groups.sort((a, b) => b.weight - a.weight)
    return group?.entries.at(-1)
  }

  /** False: it is not in line any more. */
  remove(entry: T): boolean {
    const { address, link } = entry.source
    const links = this.#addresses.get(address)
    const group = links?.get(link)
    const at = group?.entries.indexOf(entry) ?? -1
    if (links === undefined || group === undefined || at < 0) return false
    group.entries.splice(at, 1)
    group.weight -= entry.weight
    this.#weight -= entry.weight
    this.#size--
    if (group.entries.length === 0) links.delete(link)
    if (links.size === 0) this.#addresses.delete(address)
    return true
  }

  *[Symbol.iterator](): Generator<T> {
    for (const links of this.#addresses.values()) {
      for (const { entries } of links.values()) yield* entries
    }
  }

  #heaviestAddress(): string | undefined {
    let found: string | undefined
    let most = -1
    for (const address of this.#addresses.keys()) {
      const weight = this.weightOf(address)
      if (weight > most) [found, most] = [address, weight]
    }
    return found
  }
}

function endOfLine<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
