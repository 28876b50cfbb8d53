/**
 * Threads as readers of one revision see them (interface §2.4): with their ranges in its markdown,
 * and with what of their suggestions is stale. Found when first asked for, of values that do not
 * change any more: a page of a thousand threads shows a few dozen.
 */
import type { Node } from 'prosemirror-model'
import type { CommentId, ThreadId } from '../../../schema/ids.ts'
import type { BlockRange, DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { positionOfOffset, type RangeSide } from '../../../schema/plain-text.ts'
import type { Anchor, End } from './anchor.ts'
import { summaryOf, type ThreadSummary } from './summary.ts'
import type { Comment, Suggestion, Thread } from './thread.ts'

export interface PlacedThread {
  readonly id: ThreadId
  readonly summary: ThreadSummary
  readonly thread: Thread
  /** Undefined: it is orphaned. */
  readonly range: TextRange | undefined
  /** Its pending suggestions whose words do not stand as they were. */
  readonly stale: readonly CommentId[]
  /** The markdown in its range; undefined of a whole block, and of what is orphaned. */
  readonly quote: string | undefined
}

export const placedThreads = (
  text: DocumentText,
  threads: readonly Thread[],
): readonly PlacedThread[] => threads.map((thread) => new ThreadInText(text, thread))

/** One thread alone. */
export const placedThread = (text: DocumentText, thread: Thread): PlacedThread =>
  new ThreadInText(text, thread)

class ThreadInText implements PlacedThread {
  readonly thread: Thread
  readonly #text: DocumentText
  #range: TextRange | undefined | 'unknown' = 'unknown'
  #stale: readonly CommentId[] | undefined
  #summary: ThreadSummary | undefined

  constructor(text: DocumentText, thread: Thread) {
    this.#text = text
    this.thread = thread
  }

  get id(): ThreadId {
    return this.thread.id
  }

  get range(): TextRange | undefined {
    if (this.#range === 'unknown') this.#range = rangeOf(this.#text, this.thread.anchor)
    return this.#range
  }

  get stale(): readonly CommentId[] {
    this.#stale ??= this.thread.comments.filter((one) => this.#isStale(one)).map(({ id }) => id)
    return this.#stale
  }

  get summary(): ThreadSummary {
    this.#summary ??= summaryOf(this.thread, this.stale)
    return this.#summary
  }

  get quote(): string | undefined {
    const { range } = this
    if (range === undefined || this.thread.anchor.scope === 'block') return undefined
    return this.#text.slice(range.from, range.to)
  }

  #isStale({ suggestion, deleted }: Comment): boolean {
    if (suggestion?.status !== 'pending' || deleted) return false
    const { range } = this
    return range === undefined || tracked(this.#text, range, suggestion) === undefined
  }
}

/** The markdown that a suggestion replaces, where it still reads so; undefined: it does not. */
export function tracked(
  text: DocumentText,
  { from, to }: TextRange,
  { oldString, lead, trail }: Pick<Suggestion, 'oldString' | 'lead' | 'trail'>,
): TextRange | undefined {
  const range = { from: from - lead, to: to + trail }
  if (range.from < 0 || range.to - range.from !== oldString.length) return undefined
  return text.slice(range.from, range.to) === oldString ? range : undefined
}

/** Of one anchor; undefined: it is lost. */
export function rangeOf(text: DocumentText, anchor: Anchor): TextRange | undefined {
  if (anchor.isLost) return undefined
  if (anchor.scope === 'block') {
    const block = text.findBlock(anchor.block)
    return block && { from: block.from, to: block.to }
  }
  const from = offsetOf(text, anchor.from, 'start')
  const to = offsetOf(text, anchor.to, 'end')
  return from === undefined || to === undefined || to < from ? undefined : { from, to }
}

function offsetOf(
  text: DocumentText,
  { block: id, offset }: End,
  side: RangeSide,
): number | undefined {
  const block = text.findBlock(id)
  if (block === undefined) return undefined
  const pos = block.pos + 1 + positionOfOffset(nodeOf(text, block), offset, side)
  return text.offsetAt(block.index, pos, side)
}

export function nodeOf(text: DocumentText, { index, pos }: BlockRange): Node {
  const top = text.node(index)
  const node = pos === 0 ? top : top.nodeAt(pos - 1)
  if (node === null) throw new TypeError(`no block at ${pos} of a ${top.type.name}`)
  return node
}
