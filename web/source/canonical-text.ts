/**
 * The markdown of the editor's document, kept in step change by change: only blocks that
 * changed are printed again. It tells each change as splices of the text.
 */
import type { Node } from 'prosemirror-model'
import { commonEnds, textEnds } from '../../schema/diff/ends.ts'
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
    // From the end, so that what is to come keeps its position.
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
  const { front, back } = commonEnds(old, now)
  const offset = old.slice(0, front).reduce((sum, { length }) => sum + length, 0)
  const textOf = (chunks: readonly TextChunk[]) =>
    chunks
      .slice(front, chunks.length - back)
      .map((chunk) => chunk.text)
      .join('')
  return diffStrings(textOf(old), textOf(now), offset)
}

/** The stretch that differs; undefined when nothing does. */
export function diffStrings(old: string, now: string, offset = 0): TextSplice | undefined {
  if (old === now) return undefined
  const { front, back } = textEnds(old, now)
  const [to, insert] = [old.length - back, now.slice(front, now.length - back)]
  return { from: offset + front, to: offset + to, insert }
}
