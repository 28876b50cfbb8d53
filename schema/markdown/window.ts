/**
 * What a splice of the markdown does to the top-level blocks, without parsing the whole.
 * Invariant: the blocks are those that the full parse of the spliced text gives. It holds because
 * only lists and indented code reach over a blank line, because a block right below another is
 * parsed with it unless one of them cannot be otherwise, and because link definitions are known
 * from elsewhere; where they change, all is parsed. It does not know whether the edit is allowed.
 */
import type { Node } from 'prosemirror-model'
import {
  changedBlocks,
  isHeld,
  isIndented,
  mayContinueList,
  reachesBack,
  splicedText,
  touchedBlocks,
  type Window,
} from './block-span.ts'
import { definitionsIn, holdsDefinition } from './document-definitions.ts'
import type { DocumentText } from './document-text.ts'
import { frontMatterIn, frontMatterMaxChars } from './front-matter.ts'
import { parseClosed, spliceItems } from './item-window.ts'
import { isList } from './node-attributes.ts'
import { parseMarkdown } from './parser.ts'
import { isIndentedCode } from './spelling.ts'
import { type BlockSplice, spliceTextblock, type TextSplice } from './textblock-splice.ts'

/**
 * The blocks that change when the UTF-16 range [from, to) of the text gives way to `insert`. Old
 * nodes that still say the same stay the same objects; parsed ones have no ids and no authors.
 * Throws what the parser throws: INVALID_MARKDOWN over a limit.
 */
export function reparse(text: DocumentText, splice: TextSplice): BlockSplice {
  const index = text.blockCount > 0 ? text.indexAt(splice.from) : undefined
  const long = index !== undefined && text.node(index).childCount >= longListItems
  const local = spliceTextblock(text, splice) ?? (long ? spliceItems(text, splice) : undefined)
  return local ?? reparseWindow(text, splice)
}

/** From this many items on, a list is parsed in part; a shorter one is as quickly parsed whole. */
const longListItems = 16

/** The same, always by parsing whole top-level blocks. */
export function reparseWindow(text: DocumentText, splice: TextSplice): BlockSplice {
  const end = text.blockCount - 1
  let { first, last } = touchedBlocks(text, splice)
  for (let reach = 1; ; ) {
    const md = splicedText(text, splice, { first, last })
    const window = { text, first, last, md }
    if (first > 0 && reachesBack(window)) {
      first--
      continue
    }
    if (last < end && endsInGap(md)) {
      last++
      continue
    }
    if (last === end) return settledBlocks(window, splice, parseToEnd(window))
    const nodes = isHeld(window) ? undefined : parseUpTo(window)
    const before = nodes?.at(-1) ?? (first > 0 ? text.node(first - 1) : undefined)
    if (!nodes) {
      last = Math.min(end, last + reach)
      reach *= 2
    } else if (before && continues(before, text.printed(last + 1).md)) last++
    else if (opensFrontMatter(window, nodes)) last = end
    else return settledBlocks(window, splice, nodes)
  }
}

/** Whether what stands behind a blank line may be more of the block before it. */
function continues(before: Node, md: string): boolean {
  return isList(before) ? mayContinueList(md) : isIndentedCode(before) && isIndented(md)
}

/** Blank lines at the end belong to the block behind them. */
const endsInGap = (md: string): boolean => /(?:^|[\n\r])[ \t]*$/.test(md)

/** Undefined where a block of the window would swallow what follows. */
function parseUpTo({ text, md, first, last }: Window): readonly Node[] | undefined {
  const { definitions } = text
  return parseClosed(md, { start: first === 0, definitions, isEdit: true }, text.lead(last + 1))
}

/** Front matter that does not close in the window may close behind it. */
function opensFrontMatter({ text, md, first, last }: Window, nodes: readonly Node[]): boolean {
  if (first > 0 || nodes[0]?.type.name === 'front_matter') return false
  if (!/^\n?---/.test(md)) return false
  const end = text.end(last)
  return frontMatterIn(md + text.slice(end, end + frontMatterMaxChars)) !== undefined
}

function parseToEnd({ text, md, first }: Window): readonly Node[] {
  const { definitions } = text
  const { children: nodes } = parseMarkdown(md, { start: first === 0, definitions, isEdit: true })
  const needed = first === 0 || (first === 1 && text.node(0).type.name === 'front_matter')
  return /^[ \t\r\n]*$/.test(md) && !needed ? [] : nodes
}

/** What is left to write; where link definitions change, links anywhere may. */
export function settledBlocks(
  window: Window,
  splice: TextSplice,
  nodes: readonly Node[],
): BlockSplice {
  const { text, first, last } = window
  const old = Array.from({ length: last - first + 1 }, (_, at) => text.node(first + at))
  if (definesOtherwise(old, nodes)) {
    const whole = { first: 0, last: text.blockCount - 1 }
    const md = splicedText(text, splice, whole)
    const blocks = changedBlocks(text, whole, parseMarkdown(md, { isEdit: true }).children)
    return { ...blocks, redefines: true }
  }
  return changedBlocks(text, window, nodes)
}

function definesOtherwise(old: readonly Node[], nodes: readonly Node[]): boolean {
  if (!old.some(holdsDefinition) && !nodes.some(holdsDefinition)) return false
  const before = Object.entries(definitionsIn(old).targets)
  const after = definitionsIn(nodes).targets
  const isSame = before.every(([label, { href, title }]) => {
    const now = after[label]
    return now?.href === href && now.title === title
  })
  return !isSame || before.length !== Object.keys(after).length
}
