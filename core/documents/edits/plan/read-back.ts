/**
 * Verification before commit: what an operation prints must be read again as what was planned, so
 * that nothing is ever stored that would drift. Costs what the touched blocks cost. Pure.
 */

import { Fragment, type Node } from 'prosemirror-model'
import { sameAttributes, sameContent } from '../../../../schema/diff/content.ts'
import { commonEnds } from '../../../../schema/diff/ends.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { rereadMarkdown } from '../../../../schema/markdown/parser.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'
import type { DraftOperation } from './operation.ts'

export function readsBack(before: DocumentText, { parts, text }: DraftOperation): boolean {
  let shift = 0
  for (const part of parts) {
    const at = part.from + shift
    shift += part.nodes.length - (part.to - part.from)
    if (!partReadsBack(before, text, { part, at })) return false
  }
  return true
}

function partReadsBack(
  before: DocumentText,
  text: DocumentText,
  { part: { from, to, nodes }, at }: { readonly part: BlockSplice; readonly at: number },
): boolean {
  if (nodes.length === 0) return true
  const [only] = nodes
  const old = to - from === 1 && nodes.length === 1 ? before.node(from) : undefined
  const part = old && only && changedPart(old, only)
  if (part) {
    const alone = DocumentText.of([part])
    const read = rereadMarkdown(alone.toString(), { start: false })
    if (saysSame([part], read.children, alone)) return true
  }
  const md = text.slice(text.start(at), text.end(at + nodes.length - 1))
  const { children: read } = rereadMarkdown(md, { start: at === 0, definitions: text.definitions })
  const isAllFrontMatter = nodes.at(-1)?.type.name === 'front_matter'
  return saysSame(nodes, isAllFrontMatter ? read.slice(0, -1) : read, text, at)
}

/** Children from which a container is read back by its changed ones only. */
const longContainer = 16

/**
 * A long container with only the children that changed and the one on either side; a table with its
 * header too, which decides how many cells a row has.
 */
function changedPart(old: Node, next: Node): Node | undefined {
  const isLong = !next.inlineContent && next.childCount >= longContainer
  if (!isLong || old.type !== next.type || !sameAttributes(old, next)) return undefined
  const { front, back } = commonEnds(old.children, next.children)
  const first = Math.max(0, front - 1)
  const children = next.children.slice(first, Math.min(next.childCount, next.childCount - back + 1))
  const header = next.type.name === 'table' && first > 0 ? [next.child(0)] : []
  return next.copy(Fragment.fromArray([...header, ...children]))
}

/** Kept nodes may hold what does not print yet (a blank at the end of what is being typed). */
function saysSame(
  nodes: readonly Node[],
  read: readonly Node[],
  ...[text, from = 0]: [text: DocumentText, from?: number]
): boolean {
  if (read.length !== nodes.length) return false
  for (const [index, node] of nodes.entries()) {
    const other = read[index]
    if (other === undefined) return false
    if (sameContent(node, other)) continue
    const printed = text.splice(from + index, from + index + 1, [other])
    if (printed.printed(from + index).md !== text.printed(from + index).md) return false
  }
  return true
}
