/**
 * The change between two versions of a document's text as one minimal splice. Versions share their
 * unchanged chunks by identity, so only the chunks that differ are compared.
 */
import { commonEnds, type Ends, textEnds } from '../../schema/diff/ends.ts'
import type { DocumentText, TextChunk } from '../../schema/markdown/document-text.ts'
import { type ChunkBlock, joinedText } from '../../schema/markdown/text-chunk.ts'
import type { TextReplacement } from './text-change.ts'

/**
 * Undefined when the texts are equal. Never cuts a surrogate pair. `spliced`: the one block that was
 * put in another's place, where it was no more than that.
 */
export function diffTexts(
  before: DocumentText,
  after: DocumentText,
  spliced?: number,
): TextReplacement | undefined {
  if (before === after) return undefined
  if (spliced !== undefined && isAlone(before, after, spliced)) {
    const [old, now] = [before.printed(spliced).md, after.printed(spliced).md]
    return diffStrings(old, now, before.start(spliced))
  }
  const chunks = commonEnds(before.chunks, after.chunks)
  const old = partOf(before.chunks, chunks)
  const now = partOf(after.chunks, chunks)
  const blocks = commonEnds(old.blocks, now.blocks, printsAlike)
  const { front } = blocks
  const back = old.end === now.end ? blocks.back : 0
  let offset = 0
  for (let index = 0; index < chunks.front; index++) offset += before.chunks[index]?.length ?? 0
  for (let index = 0; index < front; index++) {
    const block = old.blocks[index]
    offset += (block?.lead.length ?? 0) + (block?.printed.md.length ?? 0)
  }
  return diffStrings(textOf(old, { front, back }), textOf(now, { front, back }), offset)
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
    if (before.lead(beside) !== after.lead(beside)) return false
    if (beside !== index && before.printed(beside) !== after.printed(beside)) return false
  }
  return true
}

const printsAlike = (a: ChunkBlock, b: ChunkBlock): boolean =>
  a.printed === b.printed && a.lead === b.lead

/** Consecutive blocks, and what follows the last of them. */
interface Part {
  readonly blocks: readonly ChunkBlock[]
  readonly end: string
}

function partOf(all: readonly TextChunk[], { front, back }: Ends): Part {
  const last = all[all.length - back - 1]
  if (last === undefined || all.length === front + back) return { blocks: [], end: '' }
  const end = last.terminator
  if (all.length === front + back + 1) return { blocks: last.blocks, end }
  const chunks = all.slice(front, all.length - back)
  return { blocks: chunks.flatMap(({ blocks }) => blocks), end }
}

function textOf({ blocks, end }: Part, { front, back }: Ends): string {
  const kept = joinedText(blocks.slice(front, blocks.length - back))
  return back > 0 ? kept : kept + end
}

/** Undefined when the texts are equal. `offset`: where they begin. */
export function diffStrings(old: string, now: string, offset = 0): TextReplacement | undefined {
  if (old === now) return undefined
  const { front, back } = textEnds(old, now)
  const [remove, insert] = [old.length - front - back, now.slice(front, now.length - back)]
  return { at: offset + front, remove, insert }
}
