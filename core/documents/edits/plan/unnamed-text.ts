/**
 * The text that a splice does not name although it changes its blocks: what stands before it in its
 * first textblock and behind it in its last. No letter there is anybody's but its author's.
 */
import type { Node } from 'prosemirror-model'
import type { Stretch } from '../../../../schema/diff/inline-row.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'

/** By textblocks of the text before the splice, in units of their content. */
export function unnamedBy(
  text: DocumentText,
  { from, to }: TextSplice,
): (block: Node) => readonly Stretch[] {
  if (text.blockCount === 0) return () => []
  const isInsert = from === to
  const first = spotAt(text, from, 'start')
  const last = isInsert ? first : spotAt(text, to, 'end')
  const end = Number.MAX_SAFE_INTEGER
  return (block) => {
    if (isInsert && block !== first?.block) return [{ from: 0, to: end }]
    const before = block === first?.block ? [{ from: 0, to: first.offset }] : []
    const behind = block === last?.block ? [{ from: last.offset, to: end }] : []
    return [...before, ...behind]
  }
}

function spotAt(text: DocumentText, offset: number, side: 'start' | 'end') {
  const { index, pos } = text.positionAt(offset, side)
  const top = text.node(index)
  if (pos < 1 || pos - 1 > top.content.size) return undefined
  const { parent, parentOffset } = top.resolve(pos - 1)
  return parent.inlineContent ? { block: parent, offset: parentOffset } : undefined
}
