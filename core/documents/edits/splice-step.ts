/**
 * One splice of the canonical markdown as a change of blocks: re-parsed in its window, judged, and
 * read back before anyone applies it. Pure; an edit that cannot be made is an outcome, not an
 * error.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { type ErrorCode, Refusal } from '../../../schema/errors.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { reparse } from '../../../schema/markdown/window.ts'
import { sameContent } from './content.ts'
import { contentFault } from './content-checks.ts'
import { withUnprinted } from './unprinted.ts'

/** The top-level blocks [from, to) give way to `nodes`, which makes `text`. */
export interface EditStep {
  readonly from: number
  readonly to: number
  readonly nodes: readonly Node[]
  readonly text: DocumentText
}

export interface Splice {
  readonly from: number
  readonly to: number
  readonly insert: string
}

export type SpliceOutcome =
  | { readonly kind: 'step'; readonly step: EditStep }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string }

const invalid = (reason: string): SpliceOutcome => ({
  kind: 'refused',
  code: 'INVALID_MARKDOWN',
  reason,
})

/** What the splice makes of the document. Refuses INVALID_MARKDOWN and EDIT_VERIFICATION_FAILED. */
export function spliceStep(text: DocumentText, splice: Splice): SpliceOutcome {
  try {
    return parsedStep(text, splice)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_MARKDOWN') {
      return invalid(String(error.details['reason']))
    }
    throw error
  }
}

function parsedStep(text: DocumentText, splice: Splice): SpliceOutcome {
  const blocks = reparse(text, splice)
  if ('refused' in blocks) return invalid('link_definition')
  const fault = contentFault({ text, ...splice, blocks })
  if (fault) return invalid(fault)
  const { from, to } = blocks
  if (from === to && blocks.nodes.length === 0) return { kind: 'unchanged' }
  const nodes = withUnprinted(text, blocks)
  const step = { from, to, nodes, text: text.splice(from, to, nodes) }
  if (!readsBack(text, step)) {
    return { kind: 'refused', code: 'EDIT_VERIFICATION_FAILED', reason: 'does_not_read_back' }
  }
  return { kind: 'step', step }
}

/** What is printed must be read as what was planned: nothing is ever committed that would drift. */
function readsBack(before: DocumentText, { from, to, nodes, text }: EditStep): boolean {
  if (nodes.length === 0) return true
  const [only] = nodes
  const old = to - from === 1 && nodes.length === 1 ? before.node(from) : undefined
  const part = old && only && changedPart(old, only)
  if (part) {
    const alone = DocumentText.of([part])
    if (saysSame([part], parseMarkdown(alone.toString(), { start: false }).children, alone)) {
      return true
    }
  }
  const md = text.slice(text.start(from), text.end(from + nodes.length - 1))
  const read = parseMarkdown(md, { start: from === 0 }).children
  const isAllFrontMatter = nodes.at(-1)?.type.name === 'front_matter'
  return saysSame(nodes, isAllFrontMatter ? read.slice(0, -1) : read, text, from)
}

/** Children from which a container is read back by its changed ones only. */
const longContainer = 16

/** A long list or quote with only the children that changed. */
function changedPart(old: Node, next: Node): Node | undefined {
  const comparable = !next.inlineContent && next.childCount >= longContainer
  const isTable = next.type.name === 'table'
  if (!comparable || isTable || old.type !== next.type || old.childCount !== next.childCount) {
    return undefined
  }
  const changed = next.children.filter((child, index) => child !== old.child(index))
  return next.copy(Fragment.fromArray(changed))
}

/** Kept nodes may hold what does not print yet (a blank at the end of what is being typed). */
function saysSame(
  nodes: readonly Node[],
  read: readonly Node[],
  ...[text, from = 0]: [text: DocumentText, from?: number]
): boolean {
  if (read.length !== nodes.length) return false
  return nodes.every((node, index) => {
    const other = read[index]
    if (other === undefined) return false
    if (sameContent(node, other)) return true
    const printed = text.splice(from + index, from + index + 1, [other])
    return printed.printed(from + index).md === text.printed(from + index).md
  })
}
