/**
 * What planned edits do to whatever is anchored in the text: which blocks are gone and which say
 * something else afterwards, so that it can be asked whether a quote still stands in its block. The
 * one place where this is computed. Pure; costs what the touched blocks cost.
 */
import type { Node } from 'prosemirror-model'
import type { BlockRange, DocumentText } from '../../../../schema/markdown/document-text.ts'
import { nodesIn, type Operation } from './operation.ts'

/** A block that stays, with its markdown. */
export interface ChangedBlock {
  readonly before: string
  readonly after: string
}

export interface AnchorEffect {
  /** Ids that stood before and do not stand after. */
  readonly gone: ReadonlySet<string>
  readonly changed: ReadonlyMap<string, ChangedBlock>
}

/** `operations` lead from `before` to the text of the last one. */
export function anchorEffect(before: DocumentText, operations: readonly Operation[]): AnchorEffect {
  const touched = new Set<string>()
  let text = before
  for (const operation of operations) {
    for (const { from, to } of operation.parts) {
      for (const node of nodesIn(text, from, to)) collectIds(node, touched)
    }
    text = operation.text
  }
  const gone = new Set<string>()
  const changed = new Map<string, ChangedBlock>()
  const [find, findNow] = [finder(before, touched.size), finder(text, touched.size)]
  for (const id of touched) {
    const [was, is] = [find(id), findNow(id)]
    if (was === undefined) continue
    if (is === undefined) {
      gone.add(id)
      continue
    }
    const [old, now] = [before.slice(was.from, was.to), text.slice(is.from, is.to)]
    if (old !== now) changed.set(id, { before: old, after: now })
  }
  return { gone, changed }
}

function collectIds(node: Node, into: Set<string>): void {
  const add = ({ attrs }: Node): void => {
    if (typeof attrs['id'] === 'string') into.add(attrs['id'])
  }
  add(node)
  node.descendants((child) => {
    add(child)
    return !child.inlineContent
  })
}

/** For many ids one walk over the document is cheaper than a search each. */
const searchedMax = 200

function finder(text: DocumentText, wanted: number): (id: string) => BlockRange | undefined {
  if (wanted <= searchedMax) return (id) => text.findBlock(id)
  const ranges = new Map<string, BlockRange>()
  for (const block of text.blocks()) if (block.id !== null) ranges.set(block.id, block)
  return (id) => ranges.get(id)
}
