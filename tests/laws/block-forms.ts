/**
 * Edits of every form that a PATCH has, made up for a text that was read: the blocks are moved,
 * wrapped, converted, written in, inserted and deleted. None divides a block or joins two, so every
 * letter keeps its home.
 */

import type { Chance } from '../chance.ts'
import { lettersOf } from './alphabet.ts'
import type { Edit, Read, ReadBlock } from './rest-writer.ts'

/** An edit, and what is so when it is done. */
export interface Proposal {
  readonly edit: Edit
  /** What it writes. */
  readonly words?: string
  /** A letter in whose block it writes; a new block's words find their home when they are read. */
  readonly beside?: string
  /** The text that it takes out. */
  readonly gone?: string
  /** The blocks that it takes out. */
  readonly deleted?: readonly string[]
}

export class BlockForms {
  readonly #chance: Chance
  readonly #fresh: (count: number) => string
  /** The block that was moved last: it is often the next one, too. */
  #moved: string | undefined

  /** `fresh`: so many letters that nobody has used. */
  constructor(chance: Chance, fresh: (count: number) => string) {
    this.#chance = chance
    this.#fresh = fresh
  }

  /** Words among letters, or in place of them. */
  replace({ markdown }: Read): Proposal | undefined {
    const { old } = this.#stretch(markdown) ?? {}
    if (old === undefined) return undefined
    const words = this.#words()
    const beside = old.charAt(0)
    if (this.#chance.happens(0.3)) {
      return { edit: { old_string: old, new_string: words }, words, beside, gone: old }
    }
    const at = this.#chance.between(0, old.length)
    const text = old.slice(0, at) + words + old.slice(at)
    return { edit: { old_string: old, new_string: text }, words, beside }
  }

  replaceAt({ markdown }: Read): Proposal | undefined {
    const { old, at } = this.#stretch(markdown) ?? {}
    if (old === undefined) return undefined
    const words = this.#words()
    const edit = { old_string: old, new_string: words, at }
    return { edit, words, beside: old.charAt(0), gone: old }
  }

  atAnchor({ markdown }: Read): Proposal | undefined {
    const { old } = this.#stretch(markdown) ?? {}
    if (old === undefined) return undefined
    const words = this.#words()
    const anchor = this.#chance.happens(0.5) ? { after: old } : { before: old }
    return { edit: { ...anchor, new_string: words }, words, beside: old.charAt(0) }
  }

  betweenAnchors({ markdown }: Read): Proposal | undefined {
    const { old } = this.#stretch(markdown) ?? {}
    if (old === undefined) return undefined
    const words = this.#words()
    const edit = { after: old.slice(0, 1), before: old.slice(1), new_string: words }
    return { edit, words, beside: old.charAt(0) }
  }

  atEdge(_: Read): Proposal {
    const words = this.#words()
    const edit = this.#chance.happens(0.5)
      ? { after: null, new_string: `${words}\n\n` }
      : { before: null, new_string: `\n\n${words}` }
    return { edit, words }
  }

  insertBlock({ blocks, markdown }: Read): Proposal {
    const words = this.#words()
    const beside = this.#chance.pick(blocks)
    const text = {
      row: `| ${words} |  |`,
      item: `- ${words}`,
      block: this.#chance.happens(0.5) ? words : `## ${words}`,
    }[beside ? kindOf(beside, markdown) : 'block']
    return { edit: { [this.#side()]: beside?.id ?? null, new_string: text }, words }
  }

  /** Mostly to where blocks of its kind stand. */
  move({ blocks, markdown }: Read): Proposal | undefined {
    const chance = this.#chance
    const again = chance.happens(0.4) && blocks.find(({ id }) => id === this.#moved)
    const block = again || chance.pick(blocks)
    if (block === undefined) return undefined
    this.#moved = block.id
    const kind = kindOf(block, markdown)
    const alike = blocks.filter((other) => kindOf(other, markdown) === kind)
    const target = chance.happens(0.1) ? undefined : chance.pick(alike)
    return { edit: { move_block: block.id, [this.#side()]: target?.id ?? null } }
  }

  /** Makes a heading a paragraph, and a paragraph a heading, an item or a quote. */
  convert({ blocks, markdown }: Read): Proposal | undefined {
    const starts = blocks.flatMap(({ from, to }) => {
      const found = /^(#+ )?[\u4e00-\u9fff]{2,4}/.exec(markdown.slice(from, to))
      return found === null ? [] : [{ old: found[0], marker: found[1] }]
    })
    const start = this.#chance.pick(starts)
    if (start === undefined) return undefined
    const { old, marker } = start
    const other = this.#chance.pick(['## ', '- ', '1. ', '> '])
    const text = marker === undefined ? `${other}${old}` : old.slice(marker.length)
    return { edit: { old_string: old, new_string: text } }
  }

  /** Puts a block of the top level into a quote. */
  wrap({ blocks, markdown }: Read): Proposal | undefined {
    const block = this.#chance.pick(topLevel(blocks))
    if (block === undefined) return undefined
    const old = markdown.slice(block.from, block.to)
    const text = old.replace(/^/gm, '> ').replace(/ $/gm, '')
    return { edit: { old_string: old, new_string: text } }
  }

  delete({ blocks, markdown }: Read): Proposal | undefined {
    const block = this.#chance.pick(blocks)
    if (block === undefined) return undefined
    const { id, from, to } = block
    const within = blocks.filter((other) => from <= other.from && other.to <= to)
    const deleted = within.map((other) => other.id)
    return { edit: { delete_block: id }, gone: markdown.slice(from, to), deleted }
  }

  /** The whole text with two neighbours in each other's place. */
  writeAnew({ blocks, markdown }: Read): Proposal | undefined {
    const tops = topLevel(blocks)
    const index = this.#chance.below(tops.length - 1)
    const [one, other] = [tops[index], tops[index + 1]]
    if (one === undefined || other === undefined) return undefined
    const cuts = [0, one.from, one.to, other.from, other.to, markdown.length]
    const parts = cuts.map((cut, at) => markdown.slice(cut, cuts[at + 1] ?? cut))
    const [before, first, between, second, after] = parts
    return { edit: { replace_document: [before, second, between, first, after].join('') } }
  }

  #words(): string {
    return this.#fresh(this.#chance.between(1, 4))
  }

  #side(): 'after_block' | 'before_block' {
    return this.#chance.happens(0.5) ? 'after_block' : 'before_block'
  }

  /** Two to six letters side by side. */
  #stretch(markdown: string): { readonly old: string; readonly at: number } | undefined {
    for (let tries = 0; tries < 20; tries++) {
      const at = this.#chance.below(markdown.length)
      const old = markdown.slice(at, at + this.#chance.between(2, 6))
      if (old.length >= 2 && lettersOf(old).length === old.length) return { old, at }
    }
    return undefined
  }
}

/** An empty block at the end of another stands where that one ends. */
function topLevel(blocks: readonly ReadBlock[]): ReadBlock[] {
  const tops: ReadBlock[] = []
  for (const block of blocks) {
    if (block.from < block.to && block.from >= (tops.at(-1)?.to ?? 0)) tops.push(block)
  }
  return tops
}

const kindOf = ({ from }: ReadBlock, markdown: string): 'row' | 'item' | 'block' => {
  const start = markdown.slice(from, from + 12)
  if (start.startsWith('|')) return 'row'
  return /^(?:[-*+]|\d{1,9}[.)]) /.test(start) ? 'item' : 'block'
}
