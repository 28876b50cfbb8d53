/**
 * Which top-level blocks are not the same in two versions of a document, and which stretches of the
 * text have another block before or behind them. Versions share what stays by identity, so that
 * this costs what changed, and a look at each chunk.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText, TextChunk } from '../../../schema/markdown/document-text.ts'
import type { PrintedBlock } from '../../../schema/markdown/printed.ts'
import type { TextChange } from '../../text/text-change.ts'

export interface VersionBlock {
  readonly node: Node
  readonly printed: PrintedBlock
  /** What stands before it. */
  readonly lead: string
}

/** A stretch of the later text whose author depends on this block alone. */
export interface ChangedStretch extends VersionBlock {
  /** `head` is the blank line before a block, `tail` what is behind the last one. */
  readonly what: 'whole' | 'head' | 'tail'
  readonly from: number
  readonly to: number
  /** Where the block begins. */
  readonly start: number
}

export interface ChangedBlocks {
  /** Blocks of the earlier version that are not in the later one. */
  readonly gone: readonly VersionBlock[]
  /** Of the later version, ascending. */
  readonly stretches: readonly ChangedStretch[]
}

export function changedBlocks(before: DocumentText, after: DocumentText): ChangedBlocks {
  const { from, beforeTo, afterTo } = windowOf(before.chunks, after.chunks)
  const next = new Set(after.chunks.slice(from, afterTo))
  const old = new Map<TextChunk, TextChunk | undefined>()
  const oldBlocks = new Map<PrintedBlock, Neighbour>()
  const [firstOld, firstNew] = [before.chunks[from], after.chunks[from]]
  const isOneChunk = beforeTo === afterTo && afterTo <= from + 2
  const same = isOneChunk && firstOld && firstNew ? sameBlocks(firstOld, firstNew) : 0
  let last = same > 0 ? firstOld?.blocks[same - 1]?.printed : lastOf(before.chunks[from - 1])
  for (let index = from; index < beforeTo; index++) {
    const chunk = before.chunks[index]
    if (chunk === undefined) break
    old.set(chunk, before.chunks[index - 1])
    const first = index === from ? same : 0
    for (const { node, printed, lead } of next.has(chunk) ? [] : chunk.blocks.slice(first)) {
      oldBlocks.set(printed, { node, printed, lead, previous: last })
      last = printed
    }
    last = lastOf(chunk)
  }
  const isKept = new Set<PrintedBlock>()
  const stretches: ChangedStretch[] = []
  const walk = new Walk(after)
  for (let index = 0; index < afterTo; index++) {
    const chunk = after.chunks[index]
    if (chunk === undefined) break
    if (index < from) {
      walk.pass(chunk)
      continue
    }
    const isOld = old.has(chunk)
    if (isOld && after.chunks[index - 1] === old.get(chunk)) {
      walk.pass(chunk)
      continue
    }
    const first = index === from ? same : 0
    for (const { block, previous, from: begins, to: ends, start } of walk.over(chunk, first)) {
      const { printed, lead } = block
      const known = oldBlocks.get(printed)
      if (known !== undefined) isKept.add(printed)
      if (printed.md === '') continue
      const isNew = !isOld && known === undefined
      if (isNew) stretches.push({ ...block, what: 'whole', from: begins, to: ends, start })
      else {
        if (isOld || known?.previous !== previous || known?.lead !== lead) {
          stretches.push({ ...block, what: 'head', from: begins, to: start, start })
        }
        const end = start + printed.md.length
        if (ends > end) stretches.push({ ...block, what: 'tail', from: end, to: ends, start })
      }
      if (isOld) break
    }
    if (isOld) walk.pass(chunk)
  }
  const gone = [...oldBlocks.values()].filter(({ printed }) => !isKept.has(printed))
  return { gone, stretches: stretches.filter(({ from, to }) => to > from) }
}

/**
 * The same where a few blocks read otherwise, each in its place, as after typing; undefined where
 * it is not so, or where a change is not known to be inside one of them. What is around them is
 * then as it was.
 */
export function changedInside(
  before: DocumentText,
  after: DocumentText,
  splices: TextChange,
): ChangedBlocks | undefined {
  const places = othersIn(before, after)
  if (places === undefined) return undefined
  const gone: VersionBlock[] = []
  const stretches: ChangedStretch[] = []
  let next = 0
  for (const { old, now, index } of places) {
    const [first, end] = [before.start(index), before.end(index)]
    for (let splice = splices[next]; splice !== undefined; splice = splices[++next]) {
      if (splice.at < first || splice.at + splice.remove > end) break
    }
    const start = after.start(index)
    const isLast = index + 1 === after.blockCount || after.printed(index + 1).md === ''
    const from = index === 0 ? 0 : after.end(index - 1)
    const to = isLast ? after.length : start + now.printed.md.length
    gone.push(old)
    stretches.push({ ...now, what: 'whole', from, to, start })
  }
  return next === splices.length ? { gone, stretches } : undefined
}

/** More are looked for in the general way. */
const fewBlocks = 8

interface Other {
  readonly old: VersionBlock
  readonly now: VersionBlock
  /** From 0, of all blocks. */
  readonly index: number
}

/**
 * The blocks that are not the very same in both, where each stands for one of the other; undefined
 * where there are none or many, or one of them is empty.
 */
function othersIn(before: DocumentText, after: DocumentText): readonly Other[] | undefined {
  const others: Other[] = []
  if (before.chunks.length !== after.chunks.length) return undefined
  let index = 0
  for (const [at, { blocks }] of after.chunks.entries()) {
    const was = before.chunks[at]?.blocks ?? []
    if (was === blocks) {
      index += blocks.length
      continue
    }
    if (was.length !== blocks.length) return undefined
    for (let block = 0; block < blocks.length; block++, index++) {
      const [old, now] = [was[block], blocks[block]]
      if (old === undefined || now === undefined) continue
      if (old.lead !== now.lead) return undefined
      if (old.printed === now.printed) continue
      if (old.printed.md === '' || now.printed.md === '') return undefined
      if (others.push({ old, now, index }) > fewBlocks) return undefined
    }
  }
  return others.length > 0 ? others : undefined
}

type Chunks = readonly TextChunk[]

/** Where the two differ, with the first chunk behind, since that has another before it. */
function windowOf(before: Chunks, after: Chunks) {
  const least = Math.min(before.length, after.length)
  let from = 0
  while (from < least && before[from] === after[from]) from++
  let same = 0
  while (same < least - from && before.at(-1 - same) === after.at(-1 - same)) same++
  const to = (chunks: Chunks) => Math.min(chunks.length, chunks.length - same + 1)
  return { from, beforeTo: to(before), afterTo: to(after) }
}

/**
 * How many blocks both begin with that need no look: another stands behind each in both, so that
 * what is before and behind it is the same too.
 */
function sameBlocks({ blocks: before }: TextChunk, { blocks: after }: TextChunk): number {
  const isSame = (index: number) => {
    const [old, now] = [before[index], after[index]]
    if (old === undefined || now === undefined || now.printed.md === '') return false
    return old.printed === now.printed && old.lead === now.lead
  }
  let count = 0
  while (isSame(count) && isSame(count + 1)) count++
  return count
}

const lastOf = (chunk: TextChunk | undefined): PrintedBlock | undefined =>
  chunk?.blocks.at(-1)?.printed

interface Neighbour extends VersionBlock {
  readonly previous: PrintedBlock | undefined
}

interface Passed {
  readonly block: VersionBlock
  readonly previous: PrintedBlock | undefined
  readonly from: number
  readonly to: number
  readonly start: number
}

/** From chunk to chunk, with the end of the block before. */
class Walk {
  readonly #text: DocumentText
  #offset = 0
  #end = 0
  #previous: PrintedBlock | undefined

  constructor(text: DocumentText) {
    this.#text = text
  }

  /** Without looking at its blocks. */
  pass(chunk: TextChunk): void {
    const last = chunk.blocks.at(-1)?.printed
    this.#previous = last ?? this.#previous
    this.#end = this.#offset + (chunk.starts.at(-1) ?? 0) + (last?.md.length ?? 0)
    this.#offset += chunk.length
  }

  /** From its block `first` on. The whole chunk is to be gone over, or passed then. */
  *over(chunk: TextChunk, first: number): Generator<Passed> {
    const { length } = this.#text
    let [end, previous] = [this.#end, this.#previous]
    const before = chunk.blocks[first - 1]
    if (before !== undefined) {
      previous = before.printed
      end = this.#offset + (chunk.starts[first - 1] ?? 0) + before.printed.md.length
    }
    for (let index = first; index < chunk.blocks.length; index++) {
      const block = chunk.blocks[index]
      if (block === undefined) break
      const start = this.#offset + (chunk.starts[index] ?? 0)
      const stop = start + block.printed.md.length
      const next = chunk.blocks[index + 1]?.printed
      const isLast = next === undefined ? stop + 1 >= length : next.md === ''
      yield { block, previous, from: end, to: isLast ? length : stop, start }
      ;[end, previous] = [stop, block.printed]
    }
    this.pass(chunk)
  }
}
