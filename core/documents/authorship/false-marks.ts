/** Whether the marks in a document are what the truth projects to: for who verifies a store. */
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { firstItem, formatIn, type Item, isText } from '../../../schema/yjs/items.ts'
import type { AuthorSpan } from './exceptions.ts'
import { markName } from './projection.ts'

/** The first character under a mark that is not its author's, in words; undefined: none. */
export function falseMark(
  type: Y.XmlFragment | Y.XmlText,
  authorsOf: (item: Item) => readonly AuthorSpan[],
): string | undefined {
  if (!(type instanceof Y.XmlText)) {
    for (const child of type.toArray()) {
      const found = falseMark(child as Y.XmlElement | Y.XmlText, authorsOf)
      if (found !== undefined) return found
    }
    return undefined
  }
  let marked: ActorId | undefined
  for (let item = firstItem(type); item !== null; item = item.right) {
    const format = item.deleted ? undefined : formatIn(item)
    if (format?.key === markName) marked = (format.value as { by?: ActorId } | null)?.by
    if (!isText(item)) continue
    const wrong = authorsOf(item).find(({ author }) => author !== marked)
    if (wrong !== undefined) {
      const { client, clock } = item.id
      return `${client}/${clock} is ${wrong.author}'s and marked as ${marked ?? 'nobody'}'s`
    }
  }
  return undefined
}
