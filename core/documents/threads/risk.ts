/**
 * Which threads a planned edit takes words from (interface §4.5, comment preservation): those of
 * which a character goes and that are not anchored to the same words elsewhere. Pure: told from the
 * text before and the text that the plan makes.
 */
import type { Node } from 'prosemirror-model'
import { diffInline } from '../../../schema/diff/inline.ts'
import { inlineRow, keptBetween } from '../../../schema/diff/inline-row.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { plainText } from '../../../schema/plain-text.ts'
import type { Operation } from '../edits/plan/operation.ts'
import type { Anchor, End, RangeAnchor } from './anchor.ts'
import { nodeOf } from './placed.ts'
import type { Thread } from './thread.ts'
import type { Threads } from './threads.ts'

export interface Planned {
  readonly before: DocumentText
  readonly operations: readonly Operation[]
  readonly after: DocumentText
}

/** The newest first; those whose words are gone already are not among them. */
export function threadsAtRisk(planned: Planned, threads: Threads): readonly Thread[] {
  if (threads.isEmpty || planned.operations.length === 0) return []
  const { gone, come } = changedBlocks(planned)
  const concerned = threads.standingIn(gone)
  if (concerned.length === 0) return []
  const words = new Elsewhere(planned.after, come)
  return concerned.filter(({ anchor }) => isAtRisk(anchor, planned, words))
}

function isAtRisk(anchor: Anchor, { before, after }: Planned, words: Elsewhere): boolean {
  if (anchor.scope === 'block') return after.findBlock(anchor.block) === undefined
  const { from, to } = anchor
  const isHere = from.block === to.block && isKept(before, after, from, to)
  return !isHere && !words.hold(anchor)
}

/** Whether every character between two of one block stays in it. */
function isKept(before: DocumentText, after: DocumentText, from: End, to: End): boolean {
  const [old, next] = [blockIn(before, from.block), blockIn(after, from.block)]
  if (old === undefined || next === undefined) return false
  if (old === next) return true
  if (!old.inlineContent || !next.inlineContent) {
    return plainText(next).includes(plainText(old).slice(from.offset, to.offset))
  }
  const [row, other] = [inlineRow(old), inlineRow(next)]
  let at = from.offset
  for (const kept of keptBetween(row, diffInline(row, other))) {
    if (kept.from <= at && at < kept.to) at = kept.to
  }
  return at >= to.offset
}

function blockIn(text: DocumentText, id: BlockId): Node | undefined {
  const block = text.findBlock(id)
  return block && nodeOf(text, block)
}

/** The blocks that the plan changes or brings, in which words may stand that left their own. */
class Elsewhere {
  readonly #texts: readonly string[]

  constructor(after: DocumentText, ids: ReadonlySet<BlockId>) {
    this.#texts = [...ids].slice(0, soughtInMax).flatMap((id) => {
      const node = blockIn(after, id)
      return node === undefined ? [] : [plainText(node)]
    })
  }

  /** They are taken along where they go. */
  hold({ words }: RangeAnchor): boolean {
    return this.#texts.some((text) => text.includes(words))
  }
}

const soughtInMax = 64

/** Blocks that are not as they were, by their ids before and after. */
function changedBlocks({ before, operations }: Planned) {
  const gone = new Set<BlockId>()
  const come = new Set<BlockId>()
  let text = before
  for (const operation of operations) {
    for (const { from, to, nodes } of operation.parts) {
      const old = Array.from({ length: to - from }, (_, n) => text.node(from + n))
      enterChanged(old, nodes, gone)
      enterChanged(nodes, old, come)
    }
    text = operation.text
  }
  return { gone, come }
}

/** The ids of those that are not among the others, at any depth. */
function enterChanged(nodes: readonly Node[], others: readonly Node[], into: Set<BlockId>): void {
  const kept = new Set(others)
  const changed = nodes.filter((node) => !kept.has(node))
  for (const { attrs } of changed) {
    const id: unknown = attrs['id']
    if (isBlockId(id)) into.add(id)
  }
  const inner = (all: readonly Node[]) =>
    all.filter((node) => !node.inlineContent).flatMap(({ children }) => children)
  const children = inner(changed)
  if (children.length > 0) enterChanged(children, inner(others), into)
}
