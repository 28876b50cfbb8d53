/**
 * What a thread is anchored to (interface §2.5), as it is kept: a range of characters between two
 * ends, each told by its block, its offset in that block's plain text and the struct that holds it;
 * or a whole block. An anchor whose words are gone keeps where and what they were. Immutable.
 */
import type { BlockId } from '../../../schema/ids.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'

/** A character: the first of a range, or its last. */
export interface End {
  /** The innermost addressed block around it. */
  readonly block: BlockId
  /** In the plain text of that block; of the last character, behind it. */
  readonly offset: number
  readonly id: StructId
}

export interface RangeAnchor {
  readonly scope: 'range'
  /** The innermost addressed block that holds all of it; else that of its first character. */
  readonly block: BlockId
  readonly from: End
  readonly to: End
  /** The plain text of it; blocks are joined by line breaks. */
  readonly words: string
  /** What stood beside it in its blocks, at most `contextChars` on each side. */
  readonly before: string
  readonly after: string
  /** The words as they were before a part of them was deleted. */
  readonly whole?: string
  /** The words are gone; all else says what they were. */
  readonly isLost: boolean
}

export interface BlockAnchor {
  readonly scope: 'block'
  readonly block: BlockId
  /** The beginning of its plain text when it was anchored, or of a lost one when it went. */
  readonly words: string
  /** What kind of node a lost one was. */
  readonly kind?: string
  readonly isLost: boolean
}

export type Anchor = RangeAnchor | BlockAnchor

export const contextChars = 32

/** What is kept of the words of a whole block, and of its markdown. */
export const blockWordsChars = 2_000

/** The blocks in which something that happens may concern it. */
export function blocksOf(anchor: Anchor): readonly BlockId[] {
  if (anchor.scope === 'block') return [anchor.block]
  const { from, to } = anchor
  return from.block === to.block ? [from.block] : [from.block, to.block]
}

/** Whether the same is stored of both; what stands beside them is not worth a record. */
export function isStoredAlike(a: Anchor, b: Anchor): boolean {
  if (a.isLost !== b.isLost || a.block !== b.block) return false
  if (a.scope === 'block' || b.scope === 'block') return a.scope === b.scope
  return (
    a.words === b.words && a.whole === b.whole && isSameEnd(a.from, b.from) && isSameEnd(a.to, b.to)
  )
}

/** Offsets follow from the structs. */
const isSameEnd = (a: End, b: End): boolean =>
  a.block === b.block && a.id.client === b.id.client && a.id.clock === b.id.clock
