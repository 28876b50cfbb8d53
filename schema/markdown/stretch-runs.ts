/**
 * Who wrote some stretches of the markdown, without reading the blocks they lie in: the same as the
 * runs of the whole text say of text and leaves. Markup goes with what it precedes in its stretch,
 * at the end with what is before it; a stretch of markup alone is nobody's and has no runs.
 */
import type { Node } from 'prosemirror-model'
import { unattributed } from '../ids.ts'
import type { DocumentText } from './document-text.ts'
import type { NestedRange, PrintedBlock } from './printed.ts'
import { type AuthorRun, blockRuns, type LeafAuthor } from './runs.ts'

/** UTF-16 offsets in the markdown, `to` excluded. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** So often a block is asked for single stretches; then it is read whole, once. */
const looksMax = 64

/** Of a longer part of one block nobody is named: it would take a tenth of a second and more. */
const partMax = 256 * 1024

/** `stretches` ascend and do not overlap. */
export function findStretchRuns(
  text: DocumentText,
  stretches: readonly Stretch[],
  leafAuthor: LeafAuthor,
): readonly AuthorRun[] {
  const runs: AuthorRun[] = []
  let [last, looks] = [-1, 0]
  let whole: readonly AuthorRun[] | undefined
  for (const { from, to } of stretches) {
    if (to <= from) continue
    const until = text.indexAt(to - 1)
    const within: AuthorRun[] = []
    for (let index = text.indexAt(from); index <= until; index++) {
      const printed = text.printed(index)
      const start = text.start(index)
      if (index !== last) [last, looks, whole] = [index, 0, undefined]
      const part = {
        from: Math.max(0, from - start),
        to: Math.min(printed.md.length, to - start),
      }
      if (part.to - part.from > partMax) {
        within.push({ from: start + part.from, to: start + part.to, author: unattributed })
        continue
      }
      const isMost = 4 * (part.to - part.from) > printed.md.length
      if (isMost || ++looks > looksMax) whole ??= blockRuns(printed, text.node(index), leafAuthor)
      const found = whole
        ? clipped(whole, part)
        : partRuns({ printed, node: text.node(index) }, part, leafAuthor)
      for (const run of found) {
        within.push({ from: start + run.from, to: start + run.to, author: run.author })
      }
    }
    append(runs, { from, to }, within)
  }
  return runs
}

/** Each run reaches back to the one before it, the last one to the end. */
function append(runs: AuthorRun[], { from, to }: Stretch, within: readonly AuthorRun[]): void {
  let start = from
  for (const [index, { to: end, author }] of within.entries()) {
    const next = within[index + 1]
    if (next?.author === author) continue
    const until = next === undefined ? to : end
    runs.push({ from: start, to: until, author })
    start = until
  }
}

function clipped(runs: readonly AuthorRun[], { from, to }: Stretch): AuthorRun[] {
  const found: AuthorRun[] = []
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.to ?? 0) <= from) low = middle + 1
    else high = middle
  }
  for (let run = runs[low]; run !== undefined && run.from < to; run = runs[++low]) {
    found.push({ ...run, from: Math.max(from, run.from), to: Math.min(to, run.to) })
  }
  return found
}

interface PartBlock {
  readonly printed: PrintedBlock
  readonly node: Node
}

/** Text and leaves of a part of a block, found from its end on. */
function partRuns(
  { printed, node }: PartBlock,
  { from, to }: Stretch,
  leafAuthor: LeafAuthor,
): AuthorRun[] {
  const runs: AuthorRun[] = []
  const unit = (start: number, end: number, leaf: Node | null): void => {
    const author = (leaf && authorOf(leaf, leafAuthor)) ?? unattributed
    runs.push({ from: Math.max(from, start), to: Math.min(to, end), author })
  }
  for (let end = to; end > from; ) {
    const segment = printed.lastSegment('md', end - 1)
    const leaf = lastLeaf({ printed, node }, end - 1, segment?.md ?? -1)
    if (leaf !== undefined) {
      unit(leaf.from, leaf.to, leaf.pos === 0 ? node : node.nodeAt(leaf.pos - 1))
      end = leaf.from
      continue
    }
    if (segment === undefined || segment.md + segment.mdLength <= from) break
    const { md, mdLength, pos, length } = segment
    if (mdLength === length) {
      const [first, last] = [Math.max(from, md) - md, Math.min(end, md + length) - md]
      const texts: [number, Node][] = []
      node.nodesBetween(pos - 1 + first, pos - 1 + last, (child, at) => {
        if (child.isLeaf) texts.push([at, child])
        return !child.isLeaf
      })
      for (const [at, child] of texts.reverse()) {
        const start = md + at - (pos - 1)
        const [least, most] = [md + first, md + last]
        unit(Math.max(least, start), Math.min(most, start + child.nodeSize), child)
      }
    } else unit(md, md + mdLength, node.nodeAt(pos - 1))
    end = md
  }
  return runs.reverse()
}

const authorOf = (leaf: Node, leafAuthor: LeafAuthor): string | undefined =>
  leaf.isText
    ? leaf.marks.find(({ type }) => type.name === 'authored')?.attrs['by']
    : leafAuthor(leaf)

/** A rule or HTML, which no segment maps, between `after` and `at`. */
function lastLeaf({ printed, node }: PartBlock, at: number, after: number) {
  const isLeaf = ({ type }: NestedRange) => node.type.schema.nodes[type]?.isLeaf === true
  let block = printed.lastBlock('from', at)
  while (block !== undefined && block.from > after) {
    if (isLeaf(block)) return block
    block = block.from === 0 ? undefined : printed.lastBlock('from', block.from - 1)
  }
  return undefined
}
