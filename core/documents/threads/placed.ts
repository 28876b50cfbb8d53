/**
 * Threads as readers of one revision see them (interface §2.4): with their ranges in its markdown,
 * and with what of their suggestions is stale. Made once for a revision, of values that do not
 * change any more.
 */
import type { Node } from 'prosemirror-model'
import type { BlockId, CommentId } from '../../../schema/ids.ts'
import type { BlockRange, DocumentText } from '../../../schema/markdown/document-text.ts'
import { positionOfOffset, type RangeSide } from '../../../schema/plain-text.ts'
import { type Anchor, blocksOf, type RangeAnchor } from './anchor.ts'
import type { Suggestion, Thread } from './thread.ts'

export interface Range {
  readonly from: number
  readonly to: number
}

export interface PlacedThread {
  readonly thread: Thread
  /** Undefined: it is orphaned. */
  readonly range: Range | undefined
  /** Its pending suggestions whose words do not stand as they were. */
  readonly stale: readonly CommentId[]
}

export function placedThreads(
  text: DocumentText,
  threads: readonly Thread[],
): readonly PlacedThread[] {
  const blocks = new Blocks(text, threads)
  return threads.map((thread) => placed(thread, blocks))
}

/** One thread alone. */
export const placedThread = (text: DocumentText, thread: Thread): PlacedThread =>
  placed(thread, new Blocks(text, [thread]))

/** Of one anchor; undefined: it is lost. */
export const rangeOf = (text: DocumentText, anchor: Anchor): Range | undefined =>
  new Blocks(text, [{ anchor }]).rangeOf({ anchor })

function placed(thread: Thread, blocks: Blocks): PlacedThread {
  const range = blocks.rangeOf(thread)
  const stale = thread.comments
    .filter(({ suggestion, deleted }) => {
      if (suggestion?.status !== 'pending' || deleted) return false
      return range === undefined || tracked(blocks.text, range, suggestion) === undefined
    })
    .map(({ id }) => id)
  return { thread, range, stale }
}

/** The markdown that a suggestion replaces, where it still reads so; undefined: it does not. */
export function tracked(
  text: DocumentText,
  { from, to }: Range,
  { oldString, lead, trail }: Pick<Suggestion, 'oldString' | 'lead' | 'trail'>,
): Range | undefined {
  const range = { from: from - lead, to: to + trail }
  if (range.from < 0 || range.to - range.from !== oldString.length) return undefined
  return text.slice(range.from, range.to) === oldString ? range : undefined
}

type Anchored = Pick<Thread, 'anchor'>

/** The blocks that threads are anchored to, looked up together. */
class Blocks {
  readonly text: DocumentText
  readonly #found: ReadonlyMap<string, BlockRange>

  constructor(text: DocumentText, threads: readonly Anchored[]) {
    this.text = text
    const wanted = new Set<string>()
    for (const { anchor } of threads) {
      if (!anchor.isLost) for (const id of blocksOf(anchor)) wanted.add(id)
    }
    this.#found = wanted.size < fewBlocks ? oneByOne(text, wanted) : allOf(text, wanted)
  }

  rangeOf({ anchor }: Anchored): Range | undefined {
    if (anchor.isLost) return undefined
    if (anchor.scope === 'block') {
      const block = this.#found.get(anchor.block)
      return block && { from: block.from, to: block.to }
    }
    return this.#rangeOf(anchor)
  }

  #rangeOf({ from, to }: RangeAnchor): Range | undefined {
    const start = this.#offset(from.block, from.offset, 'start')
    const end = this.#offset(to.block, to.offset, 'end')
    return start === undefined || end === undefined || end < start
      ? undefined
      : { from: start, to: end }
  }

  #offset(id: BlockId, offset: number, side: RangeSide): number | undefined {
    const block = this.#found.get(id)
    if (block === undefined) return undefined
    const node = nodeOf(this.text, block)
    const pos = block.pos + 1 + positionOfOffset(node, offset, side)
    return this.text.offsetAt(block.index, pos, side)
  }
}

/** More are found by one walk over all blocks. */
const fewBlocks = 16

function oneByOne(text: DocumentText, ids: ReadonlySet<string>): Map<string, BlockRange> {
  const found = new Map<string, BlockRange>()
  for (const id of ids) {
    const block = text.findBlock(id)
    if (block !== undefined) found.set(id, block)
  }
  return found
}

function allOf(text: DocumentText, ids: ReadonlySet<string>): Map<string, BlockRange> {
  const found = new Map<string, BlockRange>()
  for (const block of text.blocks()) {
    if (block.id !== null && ids.has(block.id)) found.set(block.id, block)
  }
  return found
}

export function nodeOf(text: DocumentText, { index, pos }: BlockRange): Node {
  const top = text.node(index)
  const node = pos === 0 ? top : top.nodeAt(pos - 1)
  if (node === null) throw new TypeError(`no block at ${pos} of a ${top.type.name}`)
  return node
}
