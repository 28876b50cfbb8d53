/**
 * The canonical markdown of the editor's document, kept in step change by change: only blocks that
 * changed are printed again. It tells each change as splices of the text.
 */
import type { Node } from 'prosemirror-model'
import { DocumentText, type TextChunk } from '../../schema/markdown/document-text.ts'
import type { TextSplice } from '../../schema/markdown/textblock-splice.ts'
import { matchChildren } from '../editor/binding/matching.ts'

export class CanonicalText {
  #doc: Node
  #text: DocumentText

  constructor(doc: Node) {
    this.#doc = doc
    this.#text = DocumentText.of(doc.children)
  }

  get doc(): Node {
    return this.#doc
  }

  get text(): DocumentText {
    return this.#text
  }

  /** Goes over to `doc`. Each splice counts in the text that those before it left. */
  follow(doc: Node): readonly TextSplice[] {
    const splices: TextSplice[] = []
    // From the end, so that what is to come keeps its place.
    for (const change of [...matchChildren(this.#doc, doc)].reverse()) {
      const isPair = change.kind === 'pair'
      const to = isPair ? change.from + 1 : change.to
      const end = isPair ? change.start + 1 : change.end
      const before = this.#text
      this.#text = before.splice(change.from, to, doc.children.slice(change.start, end))
      const splice = diffTexts(before, this.#text)
      if (splice !== undefined) splices.push(splice)
    }
    this.#doc = doc
    return splices
  }
}

/** Versions share the chunks that did not change, so only the others are compared. */
function diffTexts(before: DocumentText, after: DocumentText): TextSplice | undefined {
  const [old, now] = [before.chunks, after.chunks]
  const least = Math.min(old.length, now.length)
  let [head, tail, offset] = [0, 0, 0]
  while (head < least && old[head] === now[head]) offset += old[head++]?.length ?? 0
  while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const textOf = (chunks: readonly TextChunk[]) =>
    chunks
      .slice(head, chunks.length - tail)
      .map((chunk) => chunk.text)
      .join('')
  return diffStrings(textOf(old), textOf(now), offset)
}

/** The stretch that differs; undefined when nothing does. Never cuts a surrogate pair. */
export function diffStrings(old: string, now: string, offset = 0): TextSplice | undefined {
  if (old === now) return undefined
  const least = Math.min(old.length, now.length)
  let head = 0
  while (head < least && old.charCodeAt(head) === now.charCodeAt(head)) head++
  if (head > 0 && isHigh(old.charCodeAt(head - 1))) head--
  let tail = 0
  const isSame = (back: number) =>
    old.charCodeAt(old.length - back) === now.charCodeAt(now.length - back)
  while (tail < least - head && isSame(tail + 1)) tail++
  if (tail > 0 && isLow(old.charCodeAt(old.length - tail))) tail--
  const [to, end] = [old.length - tail, now.length - tail]
  return { from: offset + head, to: offset + to, insert: now.slice(head, end) }
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00
