/**
 * Where a text stands in the document: within one text block, across marks and soft breaks. What is
 * looked for is text, never a pattern. Each block is searched once for a query, nodes being
 * immutable, so that after a change only changed blocks are searched.
 */
import type { Node } from 'prosemirror-model'

export interface Query {
  readonly text: string
  readonly matchesCase: boolean
  readonly wholeWords: boolean
}

export interface Match {
  readonly from: number
  readonly to: number
}

const texts = new WeakMap<Node, string>()

/** One character a position: a leaf is one that nobody can type, a soft break is a blank. */
export function textOf(textblock: Node): string {
  const known = texts.get(textblock)
  if (known !== undefined) return known
  const text = textblock.textBetween(0, textblock.content.size, undefined, '\ufffc')
  const plain = text.replaceAll('\n', ' ')
  texts.set(textblock, plain)
  return plain
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

export class Search {
  readonly query: Query
  readonly #pattern: RegExp | undefined
  /** By top-level block, from its own start. */
  readonly #found = new WeakMap<Node, readonly Match[]>()

  constructor(query: Query) {
    this.query = query
    const quoted = query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    const flags = query.matchesCase ? 'gu' : 'giu'
    this.#pattern = quoted === '' ? undefined : new RegExp(quoted, flags)
  }

  /** In order, none overlapping another. */
  matchesIn(doc: Node): readonly Match[] {
    const matches: Match[] = []
    if (this.#pattern === undefined) return matches
    doc.forEach((block, offset) => {
      for (const { from, to } of this.#inBlock(block)) {
        matches.push({ from: offset + from, to: offset + to })
      }
    })
    return matches
  }

  #inBlock(block: Node): readonly Match[] {
    const known = this.#found.get(block)
    if (known !== undefined) return known
    const matches: Match[] = []
    if (block.isTextblock) this.#inText(block, 1, matches)
    else {
      block.descendants((node, pos) => {
        if (node.isTextblock) this.#inText(node, pos + 2, matches)
        return !node.isTextblock
      })
    }
    this.#found.set(block, matches)
    return matches
  }

  #inText(textblock: Node, start: number, matches: Match[]): void {
    const pattern = this.#pattern
    const text = textOf(textblock)
    if (pattern === undefined || text === '') return
    pattern.lastIndex = 0
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const [from, to] = [found.index, found.index + found[0].length]
      if (this.query.wholeWords && (joins(text, from) || joins(text, to))) {
        pattern.lastIndex = from + 1
      } else matches.push({ from: start + from, to: start + to })
    }
  }
}

/** Whether the offset is inside a word. */
function joins(text: string, at: number): boolean {
  const before = String.fromCodePoint(text.codePointAt(at - (isLow(text, at - 1) ? 2 : 1)) ?? 32)
  const behind = String.fromCodePoint(text.codePointAt(at) ?? 32)
  return at > 0 && at < text.length && wordCharacter.test(before) && wordCharacter.test(behind)
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00

/** The first match at or behind a position; the first of all when none is. */
export function matchFrom(matches: readonly Match[], pos: number): number {
  let [low, high] = [0, matches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((matches[middle]?.from ?? 0) >= pos) high = middle
    else low = middle + 1
  }
  return low === matches.length ? 0 : low
}
