/**
 * What a splice of the markdown does to the top-level blocks, without parsing the whole.
 * Invariant: the blocks are those that the full parse of the spliced text gives. It holds because
 * canonical blocks are closed, begin at column 0 and hold no link definitions, so that only a
 * list reaches over a blank line. It does not know whether the caller may make the edit.
 */
import type { Node } from 'prosemirror-model'
import {
  type BlockSpan,
  changedBlocks,
  mayContinueList,
  splicedText,
  touchedBlocks,
} from './block-span.ts'
import { parseClosed } from './closed-window.ts'
import type { DocumentText } from './document-text.ts'
import { spliceItems } from './item-window.ts'
import { isList } from './node-attributes.ts'
import { parseEnv } from './parse-env.ts'
import { parseMarkdown } from './parser.ts'
import { type BlockSplice, spliceTextblock, type TextSplice } from './textblock-splice.ts'
import { tokenize } from './tokenizer.ts'

/** `definition`: the new text defines a link label, which could change any block. */
export type Reparsed = BlockSplice | { readonly refused: 'definition' }

/**
 * The blocks that change when the UTF-16 range [from, to) of the text gives way to `insert`. Old
 * nodes that still say the same stay the same objects; parsed ones have no ids and no authors.
 * Throws what the parser throws: INVALID_MARKDOWN over a limit.
 */
export function reparse(text: DocumentText, splice: TextSplice): Reparsed {
  const index = text.blockCount > 0 ? text.indexAt(splice.from) : undefined
  const long = index !== undefined && text.node(index).childCount >= longListItems
  const local = spliceTextblock(text, splice) ?? (long ? spliceItems(text, splice) : undefined)
  return local ?? reparseWindow(text, splice)
}

/** From this many items on, a list is parsed in part; a shorter one is as quickly parsed whole. */
const longListItems = 16

/** The same, always by parsing whole top-level blocks. */
export function reparseWindow(text: DocumentText, splice: TextSplice): Reparsed {
  const end = text.blockCount - 1
  let { first, last } = touchedBlocks(text, splice)
  for (let reach = 1; ; ) {
    const md = splicedText(text, splice, { first, last })
    const window = { text, first, last, md }
    if (first > 0 && isList(text.node(first - 1)) && mayContinueList(md)) {
      first--
      continue
    }
    if (last === end) return unlessDefinition(window, parseToEnd(window))
    const nodes = parseClosed(window.md, window.first === 0)
    const before = nodes?.at(-1) ?? (first > 0 ? text.node(first - 1) : undefined)
    if (!nodes) {
      last = Math.min(end, last + reach)
      reach *= 2
    } else if (before && isList(before) && isList(text.node(last + 1))) last++
    else if (opensFrontMatter(window, nodes)) last = end
    else return unlessDefinition(window, nodes)
  }
}

interface Window extends BlockSpan {
  readonly text: DocumentText
  readonly md: string
}

/** Front matter that does not close in the window may close anywhere behind it. */
function opensFrontMatter({ md, first }: Window, nodes: readonly Node[]): boolean {
  return first === 0 && nodes[0]?.type.name !== 'front_matter' && /^---[ \t]*(?:[\r\n]|$)/.test(md)
}

function parseToEnd({ text, md, first }: Window): readonly Node[] {
  const { children: nodes } = parseMarkdown(md, { start: first === 0 })
  const needed = first === 0 || (first === 1 && text.node(0).type.name === 'front_matter')
  return /^[ \t\r\n]*$/.test(md) && !needed ? [] : nodes
}

function unlessDefinition(window: Window, nodes: readonly Node[]): Reparsed {
  if (holdsDefinition(window)) return { refused: 'definition' }
  return changedBlocks(window.text, window, nodes)
}

/** Every definition has these two characters; the tokens tell it from code that shows one. */
function holdsDefinition({ md, first }: Window): boolean {
  if (!md.includes(']:')) return false
  const tokens = tokenize(md, parseEnv(first === 0))
  return tokens.some((token) => token.type === 'link_definition')
}
