/**
 * The blocks of the text that an edit would make, as places to which comments can go (interface
 * §4.5, comment preservation): by their index among its `content_blocks`, by a quote, and those
 * about where a block stood.
 */
import type { BlockId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import { occurs } from '../../schema/occurrences.ts'
import { addressedIn } from './views/block-listing.ts'
import type { TextView } from './views/text-view.ts'

export interface CandidateBlock {
  readonly idx: number
  readonly block_id: BlockId | null
  readonly quote: string
}

export class CandidateBlocks {
  readonly #all: readonly CandidateBlock[]
  /** Those with an address, and where each stands among them. */
  readonly #addressed: readonly CandidateBlock[]
  readonly #places: ReadonlyMap<BlockId, number>
  readonly #view: TextView
  #former: ReadonlyMap<BlockId, number> | undefined

  constructor(view: TextView, text: DocumentText) {
    this.#view = view
    this.#all = blocksOf(text)
    this.#addressed = this.#all.filter(({ block_id: id }) => id !== null)
    this.#places = new Map(
      this.#addressed.flatMap(({ block_id: id }, at) => (id === null ? [] : [[id, at]])),
    )
  }

  /** None: there is no block with this index. */
  at(idx: number | undefined): readonly CandidateBlock[] {
    const block = idx === undefined ? undefined : this.#all[idx]
    return block === undefined ? [] : [block]
  }

  /** Those that have the text, but not as a part of one that has it. */
  quoted(quote: string): readonly CandidateBlock[] {
    const holding = this.#addressed.filter((block) => occurs(block.quote, quote))
    return holding.filter((block, at) => {
      const next = holding[at + 1]
      return next === undefined || !block.quote.includes(next.quote) || next.idx > block.idx + 1
    })
  }

  /** The block itself where it stands, then those about where it stood, the nearest first. */
  near(id: BlockId, count: number): CandidateBlock[] {
    const middle = this.#places.get(id) ?? this.#formerPlace(id)
    const found: CandidateBlock[] = []
    const add = (at: number) => {
      const block = this.#addressed[at]
      if (block === undefined || found.length === count) return
      found.push({ ...block, quote: block.quote.slice(0, limits.candidateQuoteMaxChars) })
    }
    add(middle)
    for (let far = 1; found.length < count && far <= this.#addressed.length; far++) {
      add(middle - far)
      add(middle + far)
    }
    return found
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
      last = this.#places.get(id) ?? last
      places.set(id, last)
    }
    return places
  }
}

function blocksOf(text: DocumentText): CandidateBlock[] {
  const blocks: CandidateBlock[] = []
  for (let index = 0; index < text.blockCount; index++) {
    const start = text.start(index)
    for (const { id, from, to } of addressedIn(text.printed(index))) {
      const quote = text.slice(start + from, start + to)
      blocks.push({ idx: blocks.length, block_id: id, quote })
    }
  }
  return blocks
}
