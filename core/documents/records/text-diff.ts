/**
 * The change between two versions of a document's text as one minimal splice. Versions share their
 * unchanged chunks by identity, so only the chunks that differ are compared.
 */
import type { DocumentText, TextChunk } from '../../../schema/markdown/document-text.ts'
import { joinedText, type PlacedBlock, separator } from '../../../schema/markdown/text-chunk.ts'
import type { TextSplice } from './text-change.ts'

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * Undefined when the texts are equal. Never cuts a surrogate pair. `spliced`: the one block that was
 * put in another's place, where it was no more than that.
 */
export function diffTexts(
  before: DocumentText,
  after: DocumentText,
  spliced?: number,
): TextSplice | undefined {
  if (before === after) return undefined
  if (spliced !== undefined && isAlone(before, after, spliced)) {
    const [old, now] = [before.printed(spliced).md, after.printed(spliced).md]
    return diffStrings(old, now, before.start(spliced))
  }
  const chunks = shared(before.chunks, after.chunks, Object.is)
  const old = partOf(before.chunks, chunks)
  const now = partOf(after.chunks, chunks)
  const blocks = shared(old.blocks, now.blocks, printsAlike)
  // The last block that both have stays, so that each side has a blank line behind what is skipped.
  const head = Math.min(blocks.head, Math.max(0, Math.min(shownIn(old), shownIn(now)) - 1))
  const tail = old.end === now.end ? blocks.tail : 0
  let offset = 0
  for (let index = 0; index < chunks.head; index++) offset += before.chunks[index]?.length ?? 0
  for (let index = 0; index < head; index++) {
    offset += (old.blocks[index]?.printed.md.length ?? 0) + separator.length
  }
  return diffStrings(textOf(old, { head, tail }), textOf(now, { head, tail }), offset)
}

/**
 * Whether only this block prints otherwise: a change of context ends at the first block that prints
 * as before. A block that prints nothing has no blank line behind it, so that it never is alone.
 */
function isAlone(before: DocumentText, after: DocumentText, index: number): boolean {
  const count = before.blockCount
  if (after.blockCount !== count) return false
  if (before.printed(index).md === '' || after.printed(index).md === '') return false
  for (let beside = Math.max(0, index - 1); beside < Math.min(count, index + 2); beside++) {
    if (beside !== index && before.printed(beside) !== after.printed(beside)) return false
  }
  return true
}

/** How many items two lists have in common at their ends, none counted twice. */
interface Shared {
  readonly head: number
  readonly tail: number
}

function shared<T>(old: readonly T[], now: readonly T[], same: (a: T, b: T) => boolean): Shared {
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && same(old[head] as T, now[head] as T)) head++
  let tail = 0
  const isSame = (back: number) => same(old[old.length - back] as T, now[now.length - back] as T)
  while (tail < most - head && isSame(tail + 1)) tail++
  return { head, tail }
}

const printsAlike = (a: PlacedBlock, b: PlacedBlock): boolean => a.printed === b.printed

/** Consecutive blocks, and what follows the last of them. */
interface Part {
  readonly blocks: readonly PlacedBlock[]
  readonly end: string
}

function partOf(all: readonly TextChunk[], { head, tail }: Shared): Part {
  const last = all[all.length - tail - 1]
  if (last === undefined || all.length === head + tail) return { blocks: [], end: '' }
  const end = last.terminator
  if (all.length === head + tail + 1) return { blocks: last.blocks, end }
  const chunks = all.slice(head, all.length - tail)
  return { blocks: chunks.flatMap(({ blocks }) => blocks), end }
}

/** How many blocks print something; only the last may not. */
const shownIn = ({ blocks }: Part): number =>
  blocks.length - (blocks.at(-1)?.printed.md === '' ? 1 : 0)

function textOf({ blocks, end }: Part, { head, tail }: Shared): string {
  const kept = blocks.slice(head, blocks.length - tail)
  if (kept.length === 0) return tail > 0 ? '' : end
  return joinedText(kept) + (tail > 0 ? separator : end)
}

const comparedAtOnce = 4096

export function diffStrings(old: string, now: string, offset = 0): TextSplice | undefined {
  if (old === now) return undefined
  const most = Math.min(old.length, now.length)
  let start = 0
  // Stretches are compared much faster than characters.
  for (let to = comparedAtOnce; to <= most; to += comparedAtOnce) {
    if (old.slice(start, to) !== now.slice(start, to)) break
    start = to
  }
  while (start < most && old.charCodeAt(start) === now.charCodeAt(start)) start++
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start--
  let end = 0
  for (let to = comparedAtOnce; to <= most - start; to += comparedAtOnce) {
    const [a, b] = [old.length - to, now.length - to]
    if (old.slice(a, a + comparedAtOnce) !== now.slice(b, b + comparedAtOnce)) break
    end = to
  }
  while (
    end < most - start &&
    old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end)
  ) {
    end++
  }
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end--
  return {
    at: offset + start,
    remove: old.length - start - end,
    insert: now.slice(start, now.length - end),
  }
}
