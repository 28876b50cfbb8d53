/**
 * What an edit may not do to the structure around it (interface §4.5): reach into blocks it does
 * not name, break a table or delete the only one, shuffle rows or items. Judged on the old and the
 * new blocks, at the cost of those that changed; gives a code and a reason, never throws.
 */
import type { Node } from 'prosemirror-model'
import { type BlockRow, oldBlocks } from '../../../../schema/diff/blocks.ts'
import { contentKey } from '../../../../schema/diff/content.ts'
import { commonEnds } from '../../../../schema/diff/ends.ts'
import type { ErrorCode } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { isList } from '../../../../schema/markdown/node-attributes.ts'
import type { TextRange } from '../../../../schema/markdown/printed.ts'
import type { BlockSplice, TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { unspelled } from '../../../../schema/markdown/unspelled.ts'
import { surplus } from './content-checks.ts'
import { nodesIn } from './operation.ts'
import { tableFault } from './table-changes.ts'

export interface StructureFault {
  readonly code: ErrorCode
  readonly reason: string
}

interface MatchedSplice {
  readonly text: DocumentText
  readonly splice: TextSplice
  readonly blocks: BlockSplice
  /** What became of them. */
  readonly row: BlockRow
}

const fault = (code: ErrorCode, reason: string): StructureFault => ({ code, reason })

export function judgeStructure(asked: MatchedSplice): StructureFault | undefined {
  const { text } = asked
  if (text.blockCount === 0) return undefined
  if (saysTheSame(asked)) return numberFault(asked)
  if (reachesOthers(asked)) return fault('INVALID_MARKDOWN', 'reaches_other_blocks')
  const pairs = pairsOf(asked.row)
  const lost = pairs.every(({ next }) => next) ? undefined : lostTables(asked)
  for (const { old, next } of pairs) {
    if (!next && !lost?.has(meaningKey(old))) continue
    const broken = next ? pairFault(old, next) : tableGone(asked, old)
    if (broken) return broken
  }
  return losesOthers(asked) ? fault('INVALID_MARKDOWN', 'reaches_other_blocks') : undefined
}

/** Equal for blocks that differ in nothing but how they are written. */
const meaningKey = (node: Node): string => contentKey(unspelled(node))

/** Whether nothing changes but how it is written. */
function saysTheSame({ text, blocks: { from, to, nodes } }: MatchedSplice): boolean {
  return (
    nodes.length === to - from &&
    nodes.every((node, index) => meaningKey(node) === meaningKey(text.node(from + index)))
  )
}

/**
 * Blocks in front of or behind the splice may change only as the list that it joins, or where a
 * link definition changes that they use.
 */
function reachesOthers({ text, splice, blocks }: MatchedSplice): boolean {
  if (blocks.redefines === true) return false
  const first = text.indexAt(splice.from)
  const end = text.indexAt(splice.to)
  const last = splice.to > text.end(end) ? end + 1 : end
  const isForeign = (index: number): boolean =>
    !isList(text.node(index)) && !staysBehind(text, blocks, index)
  for (let index = blocks.from; index < first; index++) if (isForeign(index)) return true
  for (let index = last + 1; index < blocks.to; index++) if (isForeign(index)) return true
  return false
}

/** Whether a block says what it said, behind other blank lines. */
function staysBehind(text: DocumentText, { to, nodes }: BlockSplice, index: number): boolean {
  const next = nodes[nodes.length - (to - index)]
  return (
    next !== undefined && contentKey(unspelled(next)) === contentKey(unspelled(text.node(index)))
  )
}

/** Old and new siblings without those that stay, at the depth where they begin to differ. */
interface Changed {
  readonly old: readonly Node[]
  readonly next: readonly Node[]
}

function changedWithin({ old, next }: Changed): Changed {
  const change = trimmedEqual(old, next)
  const [was, now] = [change.old[0], change.next[0]]
  const isOne = change.old.length === 1 && change.next.length === 1 && was?.type === now?.type
  if (!isOne || was === undefined || now === undefined || !isHolder(was)) return change
  return changedWithin({ old: was.children, next: now.children })
}

const isHolder = (node: Node): boolean =>
  !node.isLeaf && !node.inlineContent && node.type.name !== 'table'

interface Pair {
  readonly old: Node
  readonly next: Node | undefined
}

/** Lists and tables that changed with what they became, at any depth. */
function pairsOf(row: BlockRow): Pair[] {
  const pairs: Pair[] = []
  for (const block of oldBlocks(row)) {
    if (block.kind === 'goes') {
      pairs.push(...tablesIn(block.node).map((old) => ({ old, next: undefined })))
      continue
    }
    const { old, node, row: inner } = block
    if (inner === undefined) continue
    if (old.type.name === 'table') pairs.push({ old, next: node })
    else {
      if (isList(old)) pairs.push({ old, next: node })
      pairs.push(...pairsOf(inner))
    }
  }
  return pairs
}

function tablesIn(node: Node): Node[] {
  if (node.type.name === 'table') return [node]
  return node.isLeaf || node.inlineContent ? [] : node.children.flatMap(tablesIn)
}

function pairFault(old: Node, next: Node): StructureFault | undefined {
  if (old.type.name === 'table') {
    const reason = tableFault(old, next)
    return reason && fault('AMBIGUOUS_STRUCTURE', reason)
  }
  return isReordered(old, next) ? fault('AMBIGUOUS_STRUCTURE', 'items_reordered') : undefined
}

/** The same items in another order: which of them was meant to move cannot be told. */
function isReordered(old: Node, next: Node): boolean {
  const { old: was, next: now } = trimmedEqual(old.children, next.children)
  if (was.length !== now.length || was.length < 2) return false
  const counts = new Map<string, number>()
  for (const key of was.map(contentKey)) counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const key of now.map(contentKey)) {
    const left = counts.get(key) ?? 0
    if (left === 0) return false
    counts.set(key, left - 1)
  }
  return true
}

function trimmedEqual(old: readonly Node[], next: readonly Node[]): Changed {
  const { front, back } = commonEnds(old, next)
  return {
    old: old.slice(front, old.length - back),
    next: next.slice(front, next.length - back),
  }
}

/** What the tables said of which there are fewer now; others only stand somewhere else. */
function lostTables({ text, blocks }: MatchedSplice): ReadonlySet<string> {
  const keysOf = (nodes: readonly Node[]) => nodes.flatMap(tablesIn).map(meaningKey)
  const old = nodesIn(text, blocks.from, blocks.to)
  return new Set(surplus(keysOf(blocks.nodes), keysOf(old)))
}

/** A table goes only as a whole, and not when it is all there is (tables rule 4). */
function tableGone(
  { text, splice, blocks }: MatchedSplice,
  table: Node,
): StructureFault | undefined {
  const range = rangesOf(text, blocks, new Set([table])).get(table)
  if (range === undefined) return undefined
  const isWhole = splice.from <= range.from && range.to <= splice.to
  if (!isWhole) return fault('INVALID_MARKDOWN', 'table_broken')
  const rest = text.slice(0, splice.from) + splice.insert + text.slice(splice.to, text.length)
  return rest.trim() === '' ? fault('EDIT_FAILED', 'only_content') : undefined
}

/** Every leaf block that the splice does not touch must still be there. */
function losesOthers({ text, splice, blocks }: MatchedSplice): boolean {
  if (blocks.redefines === true) return false
  const whole = { old: nodesIn(text, blocks.from, blocks.to), next: blocks.nodes }
  const { old, next } = changedWithin(whole)
  const leaves = next.flatMap(leavesOf)
  const present = new Set(leaves)
  const all = old.flatMap(leavesOf)
  const gone = all.filter((leaf) => !present.has(leaf))
  const ranges = rangesOf(text, blocks, new Set(gone))
  const isTouched = (leaf: Node): boolean => {
    const range = ranges.get(leaf)
    return range === undefined || (range.from <= splice.to && splice.from <= range.to)
  }
  if (gone.every(isTouched)) return false
  const left = new Map<string, number>()
  const before = new Set(all)
  for (const leaf of leaves) {
    if (before.has(leaf)) continue
    const key = meaningKey(leaf)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return gone.some((leaf) => {
    const key = meaningKey(leaf)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0 && !isTouched(leaf)
  })
}

/** Blocks without blocks in them; a table counts as one. */
function leavesOf(node: Node): Node[] {
  return isHolder(node) ? node.children.flatMap(leavesOf) : [node]
}

/**
 * Where blocks of the changed ones stand in the markdown; one walk finds all of them, past what the
 * new blocks begin and end with too.
 */
function rangesOf(
  text: DocumentText,
  { from, to, nodes }: BlockSplice,
  wanted: ReadonlySet<Node>,
): ReadonlyMap<Node, TextRange> {
  const found = new Map<Node, TextRange>()
  const only = to - from === 1 && nodes.length === 1 ? nodes[0] : undefined
  for (let index = from; index < to && found.size < wanted.size; index++) {
    const start = text.start(index)
    const printed = text.printed(index)
    const visit = (node: Node, pos: number, other: Node | undefined): void => {
      if (wanted.has(node)) {
        const range = printed.lastBlock('pos', pos)
        if (range?.pos === pos) found.set(node, { from: start + range.from, to: start + range.to })
      }
      if (node.inlineContent || node.isLeaf) return
      const [was, now] = [node.children, other?.children ?? []]
      const { front, back } = commonEnds(was, now)
      const isOne = was.length - front - back === 1 && now.length === was.length
      let inner = pos + 1
      for (const [at, child] of was.slice(0, was.length - back).entries()) {
        if (at >= front) visit(child, inner, isOne ? now[at] : undefined)
        inner += child.nodeSize
      }
    }
    visit(text.node(index), 0, only)
  }
  return found
}

/** The number of a later list item follows from the first one's: it cannot be set by itself. */
function numberFault({ text, splice }: MatchedSplice): StructureFault | undefined {
  const { from, to, insert } = splice
  if (insert === text.slice(from, to)) return undefined
  const head = text.slice(Math.max(0, from - numberedMaxChars), from)
  const tail = text.slice(to, to + numberedMaxChars)
  const lead = head.slice(head.lastIndexOf('\n') + 1)
  const [was, asked] = [lead + text.slice(from, to) + tail, lead + insert + tail].map(numberOf)
  if (was === undefined || asked === undefined || was === asked) return undefined
  return fault('UNSUPPORTED_ATTR_CHANGE', 'list_number')
}

const numberedMaxChars = 200

const numberOf = (line: string): string | undefined =>
  /^(?:[ \t>]|[-*+] )*(\d{1,9})[.)]\s/.exec(line)?.[1]
