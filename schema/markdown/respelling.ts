/**
 * A new text in the spelling of the place it goes to. Where the old text was found although its
 * escapes differ from those of the document, what the new text keeps of it is written as it stands
 * there, and in code, where nothing is escaped, the new words lose their escapes as the old did.
 * Knows no structure: blocks and marks are read from the result.
 */
import { commonSubsequence } from '../diff/subsequence.ts'
import type { DocumentText } from './document-text.ts'
import { type EscapeView, markdownOffset, viewOf, viewOfRange } from './escape-view.ts'
import type { TextRange } from './printed.ts'

/** A text that was found, and what takes its place or goes beside it. */
export interface Respelling {
  readonly wanted: string
  /** Whether the escapes of `wanted` were resolved to find it. */
  readonly isUnescaped: boolean
  readonly range: TextRange
  readonly insert: string
  /** Nothing is replaced: all of it is new, and goes to one end of the range. */
  readonly beside?: 'from' | 'to'
}

/** Undefined where it cannot be told which part of the new text is code. */
export function respelled(text: DocumentText, asked: Respelling): string | undefined {
  const { wanted, isUnescaped, range, insert } = asked
  const stands = viewOfRange(text, range)
  const quoted = isUnescaped ? viewOf(wanted) : { text: wanted, units: [] }
  if (stands.text !== quoted.text || wanted.length + insert.length > comparedMaxChars) return insert
  const place = new RangeText(text, range, stands)
  const isEscapedInCode = quoted.units.some(({ at }) => place.isCode(at, 'start'))
  if (asked.beside !== undefined) {
    const last = stands.text.length - 1
    const isCode = asked.beside === 'from' ? place.isCode(0, 'start') : place.isCode(last, 'end')
    return isEscapedInCode && isCode ? viewOf(insert).text : insert
  }
  const [old, next] = [tokensOf(wanted, quoted), tokensOf(insert, viewOf(insert))]
  const kept = new Map(
    commonSubsequence(
      old.map(({ md }) => md),
      next.map(({ md }) => md),
    ).map(([from, to]) => [to, old[from] as Token]),
  )
  const isCode = isEscapedInCode ? codeNextTo(next, kept, place) : () => false
  let written = ''
  for (const [index, token] of next.entries()) {
    const stays = kept.get(index)
    const isEscape = token.md !== token.meaning
    const inCode = isEscape && stays === undefined && isCode(index)
    if (inCode === undefined) return undefined
    if (stays !== undefined) written += place.markdown(stays)
    else written += inCode ? token.meaning : token.md
  }
  return written
}

/** Longer texts are written as they are given. */
const comparedMaxChars = 256 * 1024

/** A word, another character, or an escape. */
interface Token {
  readonly md: string
  readonly meaning: string
  /** In the view. */
  readonly from: number
  readonly to: number
}

function tokensOf(md: string, { units }: EscapeView): readonly Token[] {
  const tokens: Token[] = []
  let [done, at] = [0, 0]
  const plain = (to: number): void => {
    for (const [word] of md.slice(done, to).matchAll(/[\p{L}\p{N}\p{M}]+|[\s\S]/gu)) {
      tokens.push({ md: word, meaning: word, from: at, to: at + word.length })
      at += word.length
    }
  }
  for (const { from, to, length, at: place } of units) {
    plain(from)
    const meaning = viewOf(md.slice(from, to)).text
    tokens.push({ md: md.slice(from, to), meaning, from: place, to: place + length })
    at = place + length
    done = to
  }
  plain(md.length)
  return tokens
}

/** The text as it stands in a range, by offsets in its view. */
class RangeText {
  readonly #text: DocumentText
  readonly #range: TextRange
  readonly #view: EscapeView

  constructor(text: DocumentText, range: TextRange, view: EscapeView) {
    this.#text = text
    this.#range = range
    this.#view = view
  }

  markdown({ from, to }: Pick<Token, 'from' | 'to'>): string {
    const start = this.#range.from
    const [first, last] = [
      markdownOffset(this.#view, from, 'from'),
      markdownOffset(this.#view, to - 1, 'to'),
    ]
    return this.#text.slice(start + first, start + last)
  }

  /**
   * Whether a character of the view stands for itself: in code, HTML or front matter. Of a marker
   * the text behind it is looked at (`start`), or the text before it (`end`).
   */
  isCode(at: number, side: 'start' | 'end'): boolean {
    const within = markdownOffset(this.#view, at, side === 'start' ? 'from' : 'to')
    const { index, pos } = this.#text.positionAt(this.#range.from + within, side)
    const top = this.#text.node(index)
    if (pos === 0 || pos > top.content.size + 1) return top.isLeaf
    const { parent, nodeAfter, nodeBefore } = top.resolve(pos - 1)
    const node = side === 'start' ? nodeAfter : nodeBefore
    if (parent.type.spec.code === true || node?.type.name === 'html_block') return true
    return node?.marks.some(({ type }) => type.name === 'code') === true
  }
}

/** Whether what stays on both sides of a new token is code; undefined where one side is. */
function codeNextTo(
  tokens: readonly Token[],
  kept: ReadonlyMap<number, Token>,
  place: RangeText,
): (index: number) => boolean | undefined {
  const beside = (order: readonly number[], isCode: (token: Token) => boolean) => {
    const known = new Map<number, boolean>()
    let side: boolean | undefined
    for (const index of order) {
      const token = kept.get(index)
      if (token !== undefined) side = isCode(token)
      else if (side !== undefined) known.set(index, side)
    }
    return known
  }
  const order = [...tokens.keys()]
  const before = beside(order, ({ from }) => place.isCode(from, 'start'))
  const behind = beside(order.toReversed(), ({ to }) => place.isCode(to - 1, 'end'))
  return (index) => {
    const [left, right] = [before.get(index), behind.get(index)]
    if (left === undefined || right === undefined) return left ?? right
    return left === right ? left : undefined
  }
}
