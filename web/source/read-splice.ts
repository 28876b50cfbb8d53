/**
 * What a splice of the source does to the top-level blocks while somebody is typing it. The touched
 * blocks are read by themselves, so that what is half typed (a fence that nothing closes yet) says
 * nothing about the blocks behind it: every text means a document, and a change stays where it was
 * made. Only lists reach to their neighbours.
 */
import type { Node } from 'prosemirror-model'
import {
  type BlockSpan,
  changedBlocks,
  mayContinueList,
  splicedText,
  touchedBlocks,
} from '../../schema/markdown/block-span.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import { spliceItems } from '../../schema/markdown/item-window.ts'
import { isList } from '../../schema/markdown/node-attributes.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import {
  type BlockSplice,
  spliceTextblock,
  type TextSplice,
} from '../../schema/markdown/textblock-splice.ts'

/**
 * The blocks that change. Old nodes that still say the same stay the same objects; others have
 * neither ids nor authors. Throws what the parser throws, over a limit.
 */
export function readSplice(text: DocumentText, splice: TextSplice): BlockSplice {
  return spliceTextblock(text, splice) ?? spliceItems(text, splice) ?? readWindow(text, splice)
}

function readWindow(text: DocumentText, splice: TextSplice): BlockSplice {
  const end = text.blockCount - 1
  let { first, last } = touchedBlocks(text, splice)
  for (;;) {
    const md = splicedText(text, splice, { first, last })
    const before = first > 0 ? text.node(first - 1) : undefined
    if (before !== undefined && isList(before) && mayContinueList(md)) {
      first--
      continue
    }
    const nodes = readAlone(text, md, { first, last })
    const closing = nodes.at(-1) ?? before
    const next = last < end ? text.node(last + 1) : undefined
    if (closing !== undefined && next !== undefined && isList(closing) && isList(next)) {
      last++
      continue
    }
    return changedBlocks(text, { first, last }, nodes)
  }
}

/** Nothing where nothing is written, but for the block without which there is no document. */
function readAlone(text: DocumentText, md: string, { first, last }: BlockSpan): readonly Node[] {
  const nodes = parseMarkdown(md, { start: first === 0 }).children
  if (!/^[ \t\r\n]*$/.test(md)) return nodes
  const hasFrontMatter = text.node(0).type.name === 'front_matter'
  const isOutside = hasFrontMatter && first > 0
  const others = text.blockCount - (last - first + 1) - (isOutside ? 1 : 0)
  return others === 0 ? nodes : []
}
