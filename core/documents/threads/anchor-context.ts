/** Whether words stand where an anchor's did, told by what stands beside them. Knows no structs. */
import type { RangeAnchor } from './anchor.ts'

export interface AnchorContext {
  /** How many characters beside the words are those that stood there. */
  readonly likeness: number
  /** One side reads as it did. */
  readonly isLikely: boolean
  /** Both do, up to where what was put there ends. */
  readonly isAlike: boolean
}

/** Read alike by so many, a side is the same. */
export const tellingChars = 8

export interface Occurrence {
  readonly at: number
  readonly length: number
  readonly isNew: (at: number) => boolean
}

export function contextOf(
  { before, after }: RangeAnchor,
  text: string,
  { at, length, isNew }: Occurrence,
): AnchorContext {
  const end = at + length
  let [left, right] = [0, 0]
  while (left < before.length && text[at - left - 1] === before.at(-left - 1)) left += 1
  while (right < after.length && text[end + right] === after[right]) right += 1
  const isLeft = before === '' ? at === 0 : left >= Math.min(tellingChars, before.length)
  const isRight = after === '' ? end === text.length : right >= Math.min(tellingChars, after.length)
  const isLeftAlike = isLeft || left === at || !isNew(at - left - 1)
  const isRightAlike = isRight || end + right === text.length || !isNew(end + right)
  return {
    likeness: left + right,
    isLikely: isLeft || isRight,
    isAlike: isLeftAlike && isRightAlike,
  }
}
