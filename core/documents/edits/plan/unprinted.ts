/**
 * What somebody is typing and markdown cannot spell yet (a blank at the end of a line, a break at
 * the end of a block) is not in the text that an edit was matched against, nor in the blocks parsed
 * from it. Here it is put back, so that an edit of the same block does not delete it. The result
 * prints the same; where that cannot be had, the parsed blocks stand.
 */
import { Fragment, type Node } from 'prosemirror-model'
import {
  type BlockRow,
  remake,
  type StayingBlock,
  staysOf,
  withNode,
} from '../../../../schema/diff/blocks.ts'
import type { Part } from '../../../../schema/diff/correspondence.ts'
import { diffInline } from '../../../../schema/diff/inline.ts'
import {
  type InlineRow,
  inlineRow,
  keptBetween,
  mappedUnit,
} from '../../../../schema/diff/inline-row.ts'
import { isChangedText } from '../../../../schema/diff/passages.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'

/** The part with what the old blocks held unprinted in what stays. */
export function keepUnprinted(text: DocumentText, part: Part): Part {
  if (!losesUnprinted(part.row)) return part
  const row = remake(part.row, (block, at): StayingBlock => {
    const index = part.from + at
    const { definitions } = text
    const options = { start: index === 0, definitions }
    const [printed, more] = parseMarkdown(text.printed(index).md, options).children
    if (block.isKept || printed === undefined || more !== undefined) return block
    const restored = restore(block, printed)
    return printsAlike(restored.node, block.node) ? restored : block
  })
  return { ...part, row }
}

/** Does a textblock that changed hold what may not print? */
function losesUnprinted(row: BlockRow): boolean {
  for (const [block] of staysOf(row)) {
    const { old } = block
    if (isChangedText(block) && !old.type.spec.code && blankAtLineEdge.test(inlineRow(old).chars)) {
      return true
    }
    if (block.row && losesUnprinted(block.row)) return true
  }
  return false
}

/** A leaf counts as a break here; it is told from others when the printed text is compared. */
const blankAtLineEdge =
  /^[ \t\n\uFFFC]|[ \t\n\uFFFC]$|[ \t\n\uFFFC][\n\uFFFC]|[\n\uFFFC][ \t\n\uFFFC]/

const printAlone = (node: Node): string => DocumentText.of([node]).toString()

const printsAlike = (a: Node, b: Node): boolean => a === b || printAlone(a) === printAlone(b)

function restore(block: StayingBlock, printed: Node): StayingBlock {
  const { old, node, isKept, row } = block
  if (isKept || old.type !== printed.type) return block
  if (node.inlineContent) {
    return node.type.spec.code ? block : withNode(block, weave(old, printed, node))
  }
  if (row === undefined || old.childCount !== printed.childCount) return block
  const restored = remake(row, (child, at) => restore(child, printed.child(at)))
  const children = restored.next.map((child) => child.node)
  return withNode({ ...block, row: restored }, node.copy(Fragment.fromArray(children)))
}

/**
 * Units [from, to) of the old row that are not printed; they stand before the printed unit `at`.
 */
interface Extra {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Undefined where printing changed more than it left out. */
function unprintedIn(old: InlineRow, printed: InlineRow): Extra[] | undefined {
  const extras: Extra[] = []
  let at = 0
  for (let from = 0; from < old.chars.length; from++) {
    if (old.chars[from] === printed.chars[at]) at++
    else if (!/[ \t\n\uFFFC]/.test(old.chars.charAt(from))) return undefined
    else {
      const last = extras.at(-1)
      if (last?.at === at && last.to === from) extras[extras.length - 1] = { ...last, to: from + 1 }
      else extras.push({ at, from, to: from + 1 })
    }
  }
  return at === printed.chars.length ? extras : undefined
}

function weave(old: Node, printed: Node, next: Node): Node {
  const [oldRow, printedRow, nextRow] = [inlineRow(old), inlineRow(printed), inlineRow(next)]
  const extras = unprintedIn(oldRow, printedRow)
  if (extras === undefined || extras.length === 0 || nextRow.chars === '') return next
  const kept = keptBetween(printedRow, diffInline(printedRow, nextRow))
  let content = Fragment.empty
  let done = 0
  for (const extra of extras) {
    const ends = extra.at === printedRow.chars.length
    const position = ends ? nextRow.chars.length : mappedUnit(kept, extra.at)
    if (position === undefined) continue
    content = content
      .append(next.content.cut(done, position))
      .append(old.content.cut(extra.from, extra.to))
    done = position
  }
  return next.copy(content.append(next.content.cut(done, next.content.size)))
}
