/**
 * The blocks of the text that an edit would make, as places to which comments can go (interface
 * §4.5, comment preservation): by their index among its `content_blocks`, by a quote, and those
 * about where a block stood. New blocks are among them, although they have no ids yet.
 */
import type { BlockId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { BlockRange, DocumentText } from '../../../schema/markdown/document-text.ts'
import { occurs } from '../../../schema/occurrences.ts'
import { shortened } from '../../../schema/shortened.ts'
import { addressedIn } from '../views/block-listing.ts'
import type { TextView } from '../views/text-view.ts'

const candidateQuoteMaxChars = 500

export interface CandidateBlock {
  readonly idx: number
  readonly block_id: BlockId | null
  readonly quote: string
}

/** A block that comments can go to, with its whole markdown and where it stands. */
interface LocatedBlock extends CandidateBlock {
  readonly from: number
  readonly to: number
}

export class CandidateBlocks {
  readonly #places: readonly LocatedBlock[]
  /** Where each stands among the places. */
  readonly #byIndex: ReadonlyMap<number, number>
  readonly #byId: ReadonlyMap<BlockId, number>
  readonly #view: TextView
  #former: ReadonlyMap<BlockId, number> | undefined
  #left: number = limits.wordsSoughtMaxChars

  constructor(view: TextView, text: DocumentText) {
    this.#view = view
    this.#places = placesIn(text)
    this.#byIndex = new Map(this.#places.map(({ idx }, at) => [idx, at]))
    const named = this.#places.flatMap(({ block_id: id }, at) => (id === null ? [] : [{ id, at }]))
    this.#byId = new Map(named.map(({ id, at }) => [id, at]))
  }

  /** None: there is no block with this index that comments can go to. */
  at(idx: number | undefined): readonly CandidateBlock[] {
    const place = idx === undefined ? undefined : this.#places[this.#byIndex.get(idx) ?? -1]
    return place === undefined ? [] : [place]
  }

  /** Those that have the text, but not those that hold another one that has it. */
  quoted(quote: string): readonly CandidateBlock[] {
    const having = this.#places.filter((place) => occurs(place.quote, quote))
    return having.filter((place, at) => {
      const next = having[at + 1]
      return next === undefined || next.from >= place.to
    })
  }

  /**
   * First the new block to which the words went, where it is one; then the block itself where it
   * stands, and those about where it stood, the nearest first.
   */
  near(id: BlockId, words: string, count: number): CandidateBlock[] {
    const middle = this.#byId.get(id) ?? this.#formerPlace(id)
    const found: CandidateBlock[] = []
    const add = (place: LocatedBlock | undefined) => {
      if (place === undefined || found.length === count) return
      const { idx, block_id, quote } = place
      if (found.some((other) => other.idx === idx)) return
      found.push({ idx, block_id, quote: shortened(quote, candidateQuoteMaxChars) })
    }
    add(this.#newWith(words))
    add(this.#places[middle])
    for (let far = 1; found.length < count && far <= this.#places.length; far++) {
      add(this.#places[middle - far])
      add(this.#places[middle + far])
    }
    return found
  }

  /** The only new block that has the words; past a bound none is sought. */
  #newWith(words: string): LocatedBlock | undefined {
    if (words.trim() === '') return undefined
    const having = this.#places.filter(({ block_id: id, quote }) => {
      if (id !== null || this.#left < 0) return false
      this.#left -= quote.length
      return occurs(quote, words)
    })
    const innermost = having.filter((place, at) => (having[at + 1]?.from ?? place.to) >= place.to)
    return innermost.length === 1 ? innermost[0] : undefined
  }

  /** That of the last block before it that still stands. */
  #formerPlace(id: BlockId): number {
    this.#former ??= this.#formerPlaces()
    return this.#former.get(id) ?? 0
  }

  #formerPlaces(): ReadonlyMap<BlockId, number> {
    const places = new Map<BlockId, number>()
    let last = 0
    for (const { id } of this.#view.contentBlocks()) {
      if (id === null) continue
      last = this.#byId.get(id) ?? last
      places.set(id, last)
    }
    return places
  }
}

function placesIn(text: DocumentText): LocatedBlock[] {
  const places: LocatedBlock[] = []
  let idx = 0
  for (let index = 0; index < text.blockCount; index++) {
    const start = text.start(index)
    for (const { id, hasAddress, from, to } of addressedIn(text.printed(index))) {
      const range = { from: start + from, to: start + to }
      const quote = hasAddress ? text.slice(range.from, range.to) : ''
      if (hasAddress) places.push({ idx, block_id: id, quote, ...range })
      idx++
    }
  }
  return places
}

/** The block at an index among `content_blocks`. */
export function blockAt(text: DocumentText, idx: number): BlockRange | undefined {
  let at = 0
  for (const block of text.blocks()) if (at++ === idx) return block
  return undefined
}
