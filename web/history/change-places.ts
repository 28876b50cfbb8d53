/**
 * Where the changes of a revision are in its document: stretches that came, blocks of which only
 * the markup changed, and points at which something is gone. From offsets of the markdown, which
 * the document's own printing relates to positions. Pure; draws nothing.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import type { WordChange } from '../api/history.ts'

export type ChangePlace =
  | { readonly kind: 'came'; readonly from: number; readonly to: number; readonly author: string }
  /** Of the top-level block at this position something that is no text. */
  | { readonly kind: 'shaped'; readonly from: number; readonly to: number; readonly author: string }
  /** Words that stood in a text, or whole blocks that stood before the one at this position. */
  | {
      readonly kind: 'gone'
      readonly pos: number
      readonly text: string
      readonly isBlock: boolean
      readonly author: string
    }

/** The changes count in `text`, which is what the document prints. */
export function placesOfChanges(
  doc: Node,
  text: DocumentText,
  changes: readonly WordChange[],
): readonly ChangePlace[] {
  const places = new Places(doc, text)
  const found: ChangePlace[] = []
  // What was taken out counts in the old text: so much longer is the new one up to there.
  let shift = 0
  for (const change of changes) {
    if (change.kind === 'insert') {
      found.push(...places.came(change.to, change.to + change.text.length, change.author))
      shift += change.text.length
    } else {
      found.push(places.gone(change.from + shift, change.text, change.author))
      shift -= change.text.length
    }
  }
  return found
}

class Places {
  readonly #doc: Node
  readonly #text: DocumentText
  /** Where each top-level block begins in the document. */
  readonly #starts: readonly number[]

  constructor(doc: Node, text: DocumentText) {
    this.#doc = doc
    this.#text = text
    const starts: number[] = []
    doc.forEach((_, offset) => {
      starts.push(offset)
    })
    this.#starts = starts
  }

  came(from: number, to: number, author: string): readonly ChangePlace[] {
    const [start, end] = [this.#at(from, 'start'), this.#at(to, 'end')]
    if (start < end) return [{ kind: 'came', from: start, to: end, author }]
    const index = this.#text.indexAt(from)
    const pos = this.#starts[index] ?? 0
    const size = this.#doc.maybeChild(index)?.nodeSize ?? 0
    return size === 0 ? [] : [{ kind: 'shaped', from: pos, to: pos + size, author }]
  }

  gone(at: number, text: string, author: string): ChangePlace {
    const index = this.#text.indexAt(at)
    const isInCode = this.#doc.maybeChild(index)?.type.name === 'code_block'
    const isWithin = at > this.#text.start(index) && at < this.#text.end(index)
    const hasLines = /^\n|\n$/.test(text) && text.trim() !== ''
    if (!hasLines || (isInCode && isWithin)) {
      return { kind: 'gone', pos: this.#within(at, text), text, isBlock: false, author }
    }
    return { kind: 'gone', pos: this.#blockAt(at, index), text: text.trim(), isBlock: true, author }
  }

  /** Behind what stands before it, if that is in the same text; else where the next begins. */
  #within(at: number, text: string): number {
    const [before, behind] = [this.#at(at, 'end'), this.#at(at, 'start')]
    const isSame = this.#doc.resolve(before).sameParent(this.#doc.resolve(behind))
    return isSame || text.startsWith('\n') ? before : behind
  }

  /** Before the block, item or row that begins there; else behind the one that ended before. */
  #blockAt(at: number, index: number): number {
    const start = this.#text.start(index)
    const base = this.#starts[index] ?? 0
    const { blocks } = this.#text.printed(index)
    const begins = blocks.find(({ from }) => from === at - start)
    if (begins !== undefined) return base + begins.pos
    if (at <= start) return base
    const size = this.#doc.maybeChild(index)?.nodeSize ?? 0
    return at >= this.#text.end(index) ? base + size : base
  }

  #at(offset: number, side: 'start' | 'end'): number {
    const { index, pos } = this.#text.positionAt(offset, side)
    return (this.#starts[index] ?? 0) + pos
  }
}
