/**
 * Putting items into texts where one stands already: Yjs's own methods walk from the start of a
 * text to an index, each time. Written under the clientID that the document has.
 */
import * as Y from 'yjs'
import type { Item } from '../../schema/yjs/items.ts'

/** What is not in a document yet. */
export type NewContent = Y.ContentString | Y.ContentFormat

export const newChars = (chars: string): NewContent => new Y.ContentString(chars)

/** The value null ends the format. */
export const newFormat = (key: string, value: object | null): NewContent =>
  new Y.ContentFormat(key, value as object)

export function insertBefore(transaction: Y.Transaction, right: Item, content: NewContent): void {
  const { left, parent } = right as Y.Item
  const origin = left === null ? null : left.lastId
  const id = nextId(transaction)
  const item = new Y.Item(
    id,
    left,
    origin,
    right as Y.Item,
    (right as Y.Item).id,
    parent,
    null,
    content,
  )
  item.integrate(transaction, 0)
}

/** The end of a text that nobody else writes to. */
export class TextEnd {
  readonly #text: Y.XmlText
  #last: Y.Item | null = null

  /** Of an empty text. */
  constructor(text: Y.XmlText) {
    this.#text = text
  }

  append(transaction: Y.Transaction, content: NewContent): void {
    const last = this.#last
    const origin = last === null ? null : last.lastId
    const id = nextId(transaction)
    const item = new Y.Item(id, last, origin, null, null, this.#text, null, content)
    item.integrate(transaction, 0)
    this.#last = item
  }
}

const nextId = ({ doc }: Y.Transaction): Y.ID =>
  Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID))
