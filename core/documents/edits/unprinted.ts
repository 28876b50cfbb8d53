/**
 * What somebody is typing and markdown cannot spell yet (a blank at the end of a line, a break at
 * the end of a block) is not in the text that an edit was matched against, nor in the blocks parsed
 * from it. Here it is put back, so that an edit of the same block does not delete it. The result
 * prints the same; where that cannot be had, the parsed blocks stand.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { Steps } from '../../../schema/steps.ts'
import { aligning, alignSiblings } from './align.ts'
import { diffInline, type InlineRow, inlineRow, type Kept, keptBetween } from './inline.ts'

/** The top-level blocks [from, to) of `text` give way to `nodes`. */
interface BlockSplice {
  readonly from: number
  readonly to: number
  readonly nodes: readonly Node[]
}

/** `nodes` with what the old blocks held unprinted in the parts that stay. */
export function* keepingUnprinted(
  text: DocumentText,
  { from, to, nodes }: BlockSplice,
): Steps<readonly Node[]> {
  const old = Array.from({ length: to - from }, (_, index) => text.node(from + index))
  const partners = yield* aligning(old, nodes)
  if (!(yield* losesUnprinted(old, nodes, partners))) return nodes
  return nodes.map((node, index) => {
    const partner = partners[index]
    const was = partner === undefined ? undefined : old[partner]
    if (partner === undefined || was === undefined || was === node) return node
    const { md } = text.printed(from + partner)
    const [printed, more] = parseMarkdown(md, { start: from + partner === 0 }).children
    if (printed === undefined || more !== undefined) return node
    const restored = restore(was, printed, node)
    return printsAlike(restored, node) ? restored : node
  })
}

/** Does a textblock that changed hold what may not print? */
function* losesUnprinted(
  old: readonly Node[],
  next: readonly Node[],
  partners: readonly (number | undefined)[],
): Steps<boolean> {
  for (const [index, node] of next.entries()) {
    const was = old[partners[index] ?? -1]
    if (was === undefined || was === node || was.type !== node.type) continue
    if (was.inlineContent) {
      if (!was.type.spec.code && blankAtLineEdge.test(inlineRow(was).chars)) return true
      continue
    }
    const children = yield* aligning(was.children, node.children)
    if (yield* losesUnprinted(was.children, node.children, children)) return true
  }
  return false
}

/** A leaf counts as a break here; it is told from others when the printed text is compared. */
const blankAtLineEdge =
  /^[ \t\n\uFFFC]|[ \t\n\uFFFC]$|[ \t\n\uFFFC][\n\uFFFC]|[\n\uFFFC][ \t\n\uFFFC]/

const printAlone = (node: Node): string => DocumentText.of([node]).toString()

const printsAlike = (a: Node, b: Node): boolean => a === b || printAlone(a) === printAlone(b)

function restore(old: Node, printed: Node, next: Node): Node {
  if (next === old || old.type !== next.type || old.type !== printed.type) return next
  if (next.inlineContent) return next.type.spec.code ? next : weave(old, printed, next)
  if (old.childCount !== printed.childCount) return next
  const partners = alignSiblings(old.children, next.children)
  const children = next.children.map((child, index) => {
    const partner = partners[index]
    return partner === undefined
      ? child
      : restore(old.child(partner), printed.child(partner), child)
  })
  return next.copy(Fragment.fromArray(children))
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
    const place = ends ? nextRow.chars.length : placeOf(extra.at, kept)
    if (place === undefined) continue
    content = content
      .append(next.content.cut(done, place))
      .append(old.content.cut(extra.from, extra.to))
    done = place
  }
  return next.copy(content.append(next.content.cut(done, next.content.size)))
}

/** Where the boundary before printed unit `at` is in the new row: beside a unit that stays. */
function placeOf(at: number, kept: readonly Kept[]): number | undefined {
  const span = kept.find(({ from, to }) => from <= at && at <= to)
  return span && span.nextFrom + at - span.from
}
