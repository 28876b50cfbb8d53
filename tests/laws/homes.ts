/**
 * Which block each letter belongs to. A letter is at home in the block in which its typist saw it,
 * beside the letters that an edit named, or where it was first read; from then on it stands there,
 * wherever the block goes, until one of them is taken out.
 */
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { lettersWithin } from './alphabet.ts'
import type { Read, ReadBlock } from './rest-writer.ts'

export class Homes {
  readonly #blockOf = new Map<string, string>()
  /** Letters that were typed by hand, so that they may come late. */
  readonly #typed = new Set<string>()
  readonly #deleted = new Set<string>()
  /** Of a block that was made by hand: those around it and in the same list. */
  readonly #around = new Map<string, readonly string[]>()

  /** Typed by hand. */
  type(letter: string, text: Y.XmlText): void {
    const [block] = holdersOf(text)
    if (block === undefined) throw new Error('a text outside of all blocks')
    this.#blockOf.set(letter, block)
    this.#typed.add(letter)
  }

  /** A new block in a list; it goes with the list, which goes with the last that is in it. */
  make(block: string, list: Y.XmlElement): void {
    const inside = [...list.createTreeWalker((type) => type instanceof Y.XmlElement)]
    const ids = inside.map((type) => (type as Y.XmlElement).getAttribute('id') ?? '')
    this.#around.set(
      block,
      [...holdersOf(list), ...ids].filter((id) => id !== block),
    )
  }

  /** Written into the block in which a letter stands. */
  join(words: string, neighbour: string): void {
    const block = this.#blockOf.get(neighbour)
    if (block === undefined) throw new Error(`${neighbour} has not been seen`)
    for (const letter of words) this.#blockOf.set(letter, block)
  }

  delete(blocks: Iterable<string>): void {
    for (const id of blocks) this.#deleted.add(id)
  }

  /** Whether it may have been on its way into a block that was deleted. */
  mayBeGone(letter: string): boolean {
    const block = this.#blockOf.get(letter)
    return block !== undefined && this.#typed.has(letter) && this.#isDeleted(block)
  }

  #isDeleted(block: string): boolean {
    const around = this.#around.get(block) ?? []
    return [block, ...around].some((id) => this.#deleted.has(id))
  }

  /** Every letter of a text stands where it is at home. */
  see({ markdown, blocks }: Pick<Read, 'markdown' | 'blocks'>): void {
    const strangers: string[] = []
    for (const { letter, at } of lettersWithin(markdown)) {
      const block = blocks.findLast(({ from, to }) => from <= at && at < to)?.id ?? 'no block'
      const home = this.#blockOf.get(letter) ?? block
      this.#blockOf.set(letter, home)
      if (home !== block) strangers.push(`${letter} of ${home} stands in ${block}`)
    }
    assert.equal(strangers, [], `${markdown}\n${JSON.stringify(blocks)}`)
  }

  /** Every block in which anything was ever written stands, but for those that were deleted. */
  assertStand(blocks: readonly ReadBlock[]): void {
    const standing = new Set(blocks.map(({ id }) => id))
    const written = new Set(this.#blockOf.values())
    const gone = [...written].filter((id) => !standing.has(id) && !this.#isDeleted(id))
    assert.equal(gone, [], 'blocks that nobody took out')
  }
}

/**
 * The blocks that hold something, itself included, the innermost first. A table's header row has no
 * address: what is in it belongs to the table.
 */
function* holdersOf(held: Y.XmlText | Y.XmlElement): Generator<string> {
  for (let at: unknown = held; at instanceof Y.XmlText || at instanceof Y.XmlElement; ) {
    if (at instanceof Y.XmlElement) {
      const first = at.length > 0 ? at.get(0) : undefined
      const isHeader = first instanceof Y.XmlElement && first.nodeName === 'table_header'
      const id = at.getAttribute('id')
      if (id !== undefined && !isHeader) yield id
    }
    at = at.parent
  }
}
