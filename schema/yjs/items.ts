/**
 * Items, the elements of Yjs's lists: what they hold and where they stand. Outside this folder an
 * item has the fields named here and nothing else; what more there is to know, these functions
 * tell. They cost no more than the fields they read.
 */
import * as Y from 'yjs'
import type { StructId } from './struct-id.ts'

/** What a client made in one piece; its clocks follow each other. */
export interface Struct {
  readonly id: StructId
  /** Clocks, of which each is one character, format, type or value. */
  readonly length: number
  readonly deleted: boolean
}

/** A struct that has a place; what has none any more was collected. */
export interface Item extends Struct {
  readonly left: Item | null
  readonly right: Item | null
  /** The last clock of what was left of it when it was made, the first of what was right. */
  readonly origin: StructId | null
  readonly rightOrigin: StructId | null
  /** Its last clock. */
  readonly lastId: StructId
}

/** Those of documents are fragments, elements and texts; a stranger's may be any other. */
export type SharedType = Y.XmlFragment | Y.XmlElement | Y.XmlText | Y.AbstractType<unknown>

export const isItem = (struct: Struct | undefined): struct is Item => struct instanceof Y.Item

/** Whether an item is a character, or another thing that has an index. */
export const isVisible = (item: Item): boolean => !item.deleted && isCountable(item)

/** Formats are not; what is deleted may have been. */
export const isCountable = (item: Item): boolean => (item as Y.Item).countable

/** Whether what it held was collected and only its place is left. */
export const isErased = (item: Item): boolean =>
  (item as Y.Item).content instanceof Y.ContentDeleted

/** The characters that an item holds, deleted ones too. */
export function charsIn(item: Item): string | undefined {
  const { content } = item as Y.Item
  return content instanceof Y.ContentString ? content.str : undefined
}

/** Holds for what is right of it; the value null ends it. */
export interface Format {
  readonly key: string
  readonly value: unknown
}

export function formatIn(item: Item): Format | undefined {
  const { content } = item as Y.Item
  return content instanceof Y.ContentFormat ? content : undefined
}

/** The shared type that lives in an item. */
export function typeIn(item: Item | null | undefined): SharedType | undefined {
  const content = (item as Y.Item | null | undefined)?.content
  return content instanceof Y.ContentType ? content.type : undefined
}

/** The value that an item gives to an attribute. */
export const valueIn = (item: Item): unknown => (item as Y.Item).content.getContent()[0]

/** The name of the attribute whose value an item is; null: it stands in a list. */
export const attributeOf = (item: Item): string | null => (item as Y.Item).parentSub

/** The shared type in which an item stands; undefined until it is put there. */
export function parentOf(item: Item): SharedType | undefined {
  const { parent } = item as Y.Item
  return parent instanceof Y.AbstractType ? parent : undefined
}

/** What an item that could not be put anywhere, or is not yet, names as its parent. */
export function parentNamedBy(item: Item): StructId | undefined {
  const { parent } = item as Y.Item
  return parent instanceof Y.ID ? parent : undefined
}

/** The text in which an item stands. */
export function textAround(item: Item): Y.XmlText | undefined {
  const { parent } = item as Y.Item
  return parent instanceof Y.XmlText ? parent : undefined
}

/** Whether an item is living characters of a text. */
export const isText = (item: Item): boolean =>
  !item.deleted && charsIn(item) !== undefined && textAround(item) !== undefined

/** The item in which a type lives; null for a root. */
export const itemOf = (type: SharedType): Item | null => type._item

export const idOf = (type: SharedType): StructId | undefined => type._item?.id

/** The item that holds the type in which this one stands. */
export const itemAround = (item: Item): Item | null => parentOf(item)?._item ?? null

/** The type in which a type stands; undefined for a root. */
export function typeAround(type: SharedType): SharedType | undefined {
  const item = type._item
  return item === null ? undefined : parentOf(item)
}

/** The first of a type's list, deleted ones included. */
export const firstItem = (type: SharedType): Item | null => type._start

/** The first that was ever written as a value of an attribute. */
export function firstValue(type: SharedType, attribute: string): Item | null {
  let item = type._map.get(attribute) ?? null
  while (item !== null && item.left !== null) item = item.left
  return item
}

/** Whether a type is deleted; a root never is. */
export const isGone = (type: SharedType): boolean => type._item?.deleted === true

/** The next in document order, into types and out of them, deleted ones included. */
export function nextInDocument(item: Item): Item | null {
  const inner = typeIn(item)?._start ?? null
  if (inner !== null) return inner
  let at: Item | null = item
  while (at !== null && at.right === null) at = itemAround(at)
  return at?.right ?? null
}
