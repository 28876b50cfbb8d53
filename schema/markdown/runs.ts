/**
 * Who wrote which part of the markdown (interface §2.2). Invariants: the runs cover every
 * character, ascend, and no two neighbours have the same author. Markup, prefixes and blank lines
 * belong to the text they precede, those at the end to the text before (a block with nothing to
 * credit is its leaf's author's). It trusts the `authored` marks; keeping them true is not its
 * business.
 */
import type { Node } from 'prosemirror-model'
import { unattributed } from '../ids.ts'
import type { DocumentText } from './document-text.ts'
import type { PrintedBlock } from './printed.ts'
import type { TextChunk } from './text-chunk.ts'

/** UTF-16 offsets, `to` excluded. */
export interface AuthorRun {
  readonly from: number
  readonly to: number
  readonly author: string
}

/** The author of a node without text: an image, a break, a rule, an empty paragraph. */
export type LeafAuthor = (leaf: Node) => string | undefined

interface Credit {
  /** Where the credited text ends; what is before it and has no author yet is its too. */
  readonly to: number
  readonly author: string
}

/** The runs of one printed block, from the start of its markdown to its end. */
export function blockRuns(
  printed: PrintedBlock,
  node: Node,
  leafAuthor: LeafAuthor,
): readonly AuthorRun[] {
  const credits = creditsOf(printed, node, leafAuthor)
  const end = printed.md.length
  if (credits.length === 0) credits.push({ to: end, author: leafAuthor(node) ?? unattributed })
  const list = new RunList()
  for (const { to, author } of credits) list.extend(to, author)
  list.extend(end, credits.at(-1)?.author ?? unattributed)
  return list.runs
}

/** Runs in the making: each extends from where the last one ends. */
class RunList {
  #runs: { readonly from: number; to: number; readonly author: string }[] = []

  get runs(): readonly AuthorRun[] {
    return this.#runs
  }

  extend(to: number, author: string): void {
    const last = this.#runs.at(-1)
    const from = last?.to ?? 0
    if (to <= from) return
    if (last?.author === author) last.to = to
    // Without room to grow: most are the only one, and are kept.
    else if (last === undefined) this.#runs = [{ from, to, author }]
    else this.#runs.push({ from, to, author })
  }
}

interface Holder {
  readonly from: number
  readonly to: number
  readonly author: string
}

/** Text and leaves inside a block by position, with their authors. */
function holdersOf(node: Node, leafAuthor: LeafAuthor): readonly Holder[] {
  const holders: Holder[] = []
  node.descendants((child, pos) => {
    if (!child.isLeaf) return
    const mark = child.marks.find((candidate) => candidate.type.name === 'authored')
    const written = child.isText ? mark?.attrs['by'] : leafAuthor(child)
    const author: string = written ?? unattributed
    holders.push({ from: pos + 1, to: pos + 1 + child.nodeSize, author })
  })
  return holders
}

/** The printed text and leaves in order, each with the author of its every part. */
function creditsOf(printed: PrintedBlock, node: Node, leafAuthor: LeafAuthor): Credit[] {
  const holders = holdersOf(node, leafAuthor)
  const credits: Credit[] = []
  let next = 0
  const units = [...printed.segments, ...blockLeaves(printed, node)].sort((a, b) => a.md - b.md)
  for (const { md, mdLength, pos, length } of units) {
    while ((holders[next]?.to ?? Number.POSITIVE_INFINITY) <= pos) next++
    const plain = mdLength === length
    for (let index = next; ; index++) {
      const holder = holders[index]
      if (!holder || holder.from >= pos + length) break
      const part = plain ? Math.min(holder.to - pos, length) : mdLength
      credits.push({ to: md + part, author: holder.author })
      if (!plain) break
    }
  }
  return credits
}

/** Nested rules and HTML blocks: content that no segment maps. */
function blockLeaves({ blocks }: PrintedBlock, node: Node) {
  return blocks
    .filter(({ type, pos }) => pos > 0 && node.type.schema.nodes[type]?.isLeaf)
    .map(({ from, to, pos }) => ({ md: from, mdLength: to - from, pos, length: 1 }))
}

/**
 * Runs that come from the marks of text alone, which no leaf's author can change. Kept on the chunk
 * or block that they are of: a WeakMap of all documents' would get another entry with every key.
 */
const kept = Symbol('runs')

interface KeepingRuns {
  [kept]?: readonly AuthorRun[]
}

interface KeepingBlock {
  /** Or the author of a block that has one alone: many are kept. */
  [kept]?: string | readonly AuthorRun[]
}

/**
 * The `authorship` of a read: the runs of the whole markdown. Blocks of text alone are worked out
 * once; `leafAuthor` is asked anew in every call.
 */
export function documentRuns(text: DocumentText, leafAuthor: LeafAuthor): readonly AuthorRun[] {
  const list = new RunList()
  let offset = 0
  for (const chunk of text.chunks) {
    for (const { to, author } of runsOfChunk(chunk, leafAuthor)) list.extend(offset + to, author)
    offset += chunk.length
  }
  list.extend(text.length, list.runs.at(-1)?.author ?? unattributed)
  return list.runs
}

/** From the start of the chunk to the end of its last block. */
function runsOfChunk(chunk: TextChunk & KeepingRuns, leafAuthor: LeafAuthor): readonly AuthorRun[] {
  const ready = chunk[kept]
  if (ready !== undefined) return ready
  const list = new RunList()
  let asked = false
  const ask: LeafAuthor = (leaf) => {
    asked = true
    return leafAuthor(leaf)
  }
  let index = 0
  for (const { node, printed } of chunk.blocks) {
    const start = chunk.starts[index++] ?? 0
    const runs = keptRuns(printed, node, ask)
    for (const { to, author } of runs) list.extend(start + to, author)
  }
  if (!asked) chunk[kept] = list.runs
  return list.runs
}

/** `blockRuns` of a block in its place, worked out once where it is of text alone. */
export function keptRuns(
  printed: PrintedBlock & KeepingBlock,
  node: Node,
  leafAuthor: LeafAuthor,
): readonly AuthorRun[] {
  const known = printed[kept]
  if (typeof known === 'string') return [{ from: 0, to: printed.md.length, author: known }]
  if (known !== undefined) return known
  let asked = false
  const runs = blockRuns(printed, node, (leaf) => {
    asked = true
    return leafAuthor(leaf)
  })
  if (!asked) printed[kept] = soleAuthor(runs) ?? runs
  return runs
}

/** Of what has text, and is all by one. */
const soleAuthor = ([first, second]: readonly AuthorRun[]): string | undefined =>
  second === undefined ? first?.author : undefined
