/**
 * A list whose items know their positions: a new array after each change, and `indexOf` without a
 * search. Each item keeps the position it last had; how far that can be off is known, so the look
 * starts there, and all positions are renewed before the drift makes looking slow.
 */
const driftMax = 128

/** So many splices are done by copying the list in blocks; more of them in one pass. */
const spliceMax = 8

/**
 * Items [from, to), counted after the splices before this one were applied, give way to `items`.
 */
export interface Splice<Item> {
  readonly from: number
  readonly to: number
  readonly items: readonly Item[]
}

export class IndexedList<Item> {
  #list: readonly Item[] = []
  #indexes = new Map<Item, number>()
  #drift = 0

  constructor(list: readonly Item[]) {
    this.#renew(list)
  }

  get list(): readonly Item[] {
    return this.#list
  }

  /** The position of `item`, or -1. */
  indexOf(item: Item): number {
    const index = this.#indexes.get(item)
    if (index === undefined) return -1
    for (let distance = 0; distance <= this.#drift; distance++) {
      if (this.#list[index - distance] === item) return index - distance
      if (this.#list[index + distance] === item) return index + distance
    }
    throw new TypeError('an item is further from its index than anything has moved')
  }

  splice(splices: readonly Splice<Item>[]): void {
    if (splices.length === 0) return
    let shift = 0
    for (const { from, to, items } of splices) {
      for (let read = from - shift; read < to - shift; read++) {
        this.#indexes.delete(this.#list[read] as Item)
      }
      for (const [offset, item] of items.entries()) this.#indexes.set(item, from + offset)
      shift += items.length - (to - from)
      this.#drift += Math.abs(items.length - (to - from))
    }
    const list = spliced(this.#list, splices)
    if (this.#drift > driftMax) this.#renew(list)
    else this.#list = list
  }

  #renew(list: readonly Item[]): void {
    this.#list = list
    this.#drift = 0
    this.#indexes = new Map(list.map((item, index) => [item, index]))
  }
}

/** A copy of `list` with the splices applied. */
export function spliced<Item>(
  list: readonly Item[],
  splices: readonly Splice<Item>[],
): readonly Item[] {
  if (splices.length > spliceMax) return rebuilt(list, splices)
  let copy: readonly Item[] = list
  for (const { from, to, items } of splices) {
    if (items.length === to - from) {
      const next = copy === list ? list.slice() : (copy as Item[])
      for (const [offset, item] of items.entries()) next[from + offset] = item
      copy = next
    } else copy = copy.slice(0, from).concat(items, copy.slice(to))
  }
  return copy
}

function rebuilt<Item>(list: readonly Item[], splices: readonly Splice<Item>[]): Item[] {
  const result: Item[] = []
  let read = 0
  for (const { from, to, items } of splices) {
    for (; result.length < from; read++) result.push(list[read] as Item)
    for (const item of items) result.push(item)
    read += to - from
  }
  for (; read < list.length; read++) result.push(list[read] as Item)
  return result
}
