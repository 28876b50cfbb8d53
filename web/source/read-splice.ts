/**
 * What a splice of the source does to the top-level blocks while somebody is typing it. The touched
 * blocks are read by themselves, so that what is half typed (a fence that nothing closes yet) says
 * nothing about the blocks behind it: every text means a document, and a change stays where it was
 * made. Only lists reach to their neighbours.
 */
import type { Node } from 'prosemirror-model'
import {
  isHeld,
  reachesBack,
  splicedText,
  touchedBlocks,
  type Window,
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
import { settledBlocks } from '../../schema/markdown/window.ts'

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
    const window = { text, first, last, md }
    if (first > 0 && reachesBack(window)) {
      first--
      continue
    }
    const nodes = readAlone(window)
    const closing = nodes.at(-1) ?? (first > 0 ? text.node(first - 1) : undefined)
    const next = last < end ? text.node(last + 1) : undefined
    const joins = closing !== undefined && next !== undefined && isList(closing) && isList(next)
    if (joins || (last < end && isHeld(window))) {
      last++
      continue
    }
    return settledBlocks(window, splice, nodes)
  }
}

/** Nothing where nothing is written, but for the block without which there is no document. */
function readAlone({ text, md, first, last }: Window): readonly Node[] {
  const { definitions } = text
  const nodes = parseMarkdown(md, { start: first === 0, definitions }).children
  if (!/^[ \t\r\n]*$/.test(md)) return nodes
  const hasFrontMatter = text.node(0).type.name === 'front_matter'
  const isOutside = hasFrontMatter && first > 0
  const others = text.blockCount - (last - first + 1) - (isOutside ? 1 : 0)
  return others === 0 ? nodes : []
}
