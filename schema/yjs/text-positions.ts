/** Characters of texts by index and by id, both ways. Walks through the text. */
import type * as Y from 'yjs'
import { isVisible, textAround } from './items.ts'
import type { StructId, StructRange } from './struct-id.ts'
import { itemAt } from './structs.ts'

export interface TextPosition {
  readonly text: Y.XmlText
  readonly index: number
}

/**
 * Where a character stands in its text, `behind` 1 for behind it; also where a deleted one stood.
 */
export function textPositionOf(doc: Y.Doc, id: StructId, behind: 0 | 1): TextPosition | undefined {
  const item = itemAt(doc, id)
  const text = item && textAround(item)
  if (item === undefined || text === undefined) return undefined
  let index = isVisible(item) ? id.clock - item.id.clock + behind : 0
  for (let left = item.left; left !== null; left = left.left) {
    if (isVisible(left)) index += left.length
  }
  return { text, index }
}

/** What stands left of a position in a text: its character, or the text itself at the start. */
export function characterLeftOf({ text, index }: TextPosition): StructId | undefined {
  let left: StructId | undefined = text._item?.id
  let passed = 0
  for (let item = text._start; item !== null && passed < index; item = item.right) {
    if (!isVisible(item)) continue
    const length = Math.min(item.length, index - passed)
    left = { client: item.id.client, clock: item.id.clock + length - 1 }
    passed += length
  }
  return left
}

/** The structs that hold the visible units of `text` in [from, to), in order. */
export function structsOfText(text: Y.XmlText, from: number, to: number): StructRange[] {
  const ranges: StructRange[] = []
  let at = 0
  for (let item = text._start; item !== null && at < to; item = item.right) {
    if (!isVisible(item)) continue
    const start = Math.max(from, at)
    const end = Math.min(to, at + item.length)
    if (start < end) {
      const { client, clock } = item.id
      ranges.push({ client, clock: clock + start - at, length: end - start })
    }
    at += item.length
  }
  return ranges
}

/** The ids of the characters at these offsets, which are in order, in one walk. */
export function idsAt(text: Y.XmlText, offsets: readonly number[]): StructId[] {
  const ids: StructId[] = []
  let [end, next] = [0, 0]
  for (let item = text._start; item !== null && next < offsets.length; item = item.right) {
    if (!isVisible(item)) continue
    const start = end
    end += item.length
    for (; (offsets[next] ?? end) < end; next++) {
      const within = (offsets[next] ?? start) - start
      ids.push({ client: item.id.client, clock: item.id.clock + within })
    }
  }
  return ids
}
