/**
 * The ids that Yjs gives to characters and elements: who inserted them, and at which clock. Yjs
 * tells no id of content that is in the document by a public function; only ids say whether the
 * service has received a character.
 */
import * as Y from 'yjs'

/** Undefined for a type that stands in no document, or at its top. */
export const idOf = (type: Y.XmlElement | Y.XmlText): Y.ID | undefined => type._item?.id

/** Characters that were inserted one after the other by one client; the first has this id. */
export interface Insertion {
  readonly id: Y.ID
  readonly chars: string
}

/** The text as it is now, in its order. */
export function insertionsOf(text: Y.XmlText): readonly Insertion[] {
  const found: Insertion[] = []
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue
    found.push({ id: item.id, chars: item.content.str })
  }
  return found
}
