/**
 * Makes the `authored` marks of a document say the truth after a transaction. Invariant: where
 * every mark was true before the transaction, every mark is true after `projectMarks`. Only the
 * places the transaction disturbed are visited, so a key in a long text costs no walk through it.
 *
 * Why that is enough: a mark can only become false at a new or newly credited string, or behind an
 * `authored` format that is new or deleted ("disturbed" items). To the left of such a place stands
 * a string that was not disturbed, whose mark is its author (or will be made so when the
 * disturbance further left is visited). From there the walk goes right, setting each gap between
 * two strings to what the next one needs, up to the first undisturbed string: behind it all is as
 * it was before.
 */
import type * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { firstItem, formatIn, type Item, isText, textAround } from '../../../schema/yjs/items.ts'
import { insertBefore, newFormat } from '../../yjs/inserting.ts'
import {
  deletedItems,
  deletedRanges,
  deleteItem,
  dividedAt,
  isNew,
  newItems,
} from '../../yjs/transactions.ts'
import type { AuthorSpan } from './exceptions.ts'

export const markName = 'authored'

/** The authors of an item's characters, in order; never empty. */
export type AuthorsOf = (item: Item) => AuthorSpan[]

export interface Disturbance {
  readonly transaction: Y.Transaction
  /** Clients that have new structs in this transaction. */
  readonly clients: Iterable<number>
  /** Older items whose author this transaction changed. */
  readonly credited: Iterable<Item>
}

/**
 * Whether all that the transaction brought is a few characters right behind others of the same
 * author, as typing does: every mark is true then as it is.
 */
export function goesOn({ transaction, clients }: Disturbance, authorsOf: AuthorsOf): boolean {
  if (deletedRanges(transaction).size > 0) return false
  let looked = 0
  for (const client of clients) {
    for (const item of newItems(transaction, client)) {
      const { left } = item
      if (++looked > fewItems || left === null || !isText(item) || !isText(left)) return false
      const [only, ...others] = authorsOf(item)
      if (others.length > 0 || authorsOf(left).at(-1)?.author !== only?.author) return false
    }
  }
  return true
}

/** With more the marks are projected. */
const fewItems = 64

export function projectMarks(disturbance: Disturbance, authorsOf: AuthorsOf): void {
  const { transaction } = disturbance
  const disturbed = findDisturbed(disturbance)
  const visited = new Set<Item>()
  for (const item of disturbed) {
    if (visited.has(item)) continue
    let left = item.left
    while (left !== null && !isSettled(transaction, disturbed, left)) left = left.left
    const start = left === null ? startOf(item) : left.right
    let current = left === null ? undefined : authorsOf(left).at(-1)?.author
    let formats: Item[] = []
    for (let next = start; next !== null; next = next.right) {
      if (disturbed.has(next)) visited.add(next)
      if (isAuthoredFormat(next)) formats.push(next)
      if (!isText(next)) continue
      const settled = isSettled(transaction, disturbed, next)
      const settling = { transaction, formats, current, runs: authorsOf(next) }
      next = settle(next, settling)
      if (settled) break
      current = authorsOf(next).at(-1)?.author
      formats = []
    }
  }
}

const isSettled = (transaction: Y.Transaction, disturbed: ReadonlySet<Item>, item: Item): boolean =>
  isText(item) && !isNew(transaction, item) && !disturbed.has(item)

interface Settling {
  readonly transaction: Y.Transaction
  /** The `authored` formats alive between the previous string and this one. */
  readonly formats: readonly Item[]
  /** The author whose mark is in force before them. */
  readonly current: ActorId | undefined
  readonly runs: readonly AuthorSpan[]
}

/** Puts each run of a string under its author's mark; returns the last piece of the string. */
function settle(item: Item, { transaction, formats, current, runs }: Settling): Item {
  const wanted = runs[0]?.author
  const last = formats.at(-1)
  const keep = wanted !== current && last !== undefined && says(last, wanted) ? last : undefined
  for (const format of formats) if (format !== keep) deleteItem(transaction, format)
  if (wanted !== current && keep === undefined) insertMark(transaction, item, wanted)
  let piece = item
  let offset = 0
  for (const [index, run] of runs.entries()) {
    if (index > 0) {
      piece = dividedAt(transaction, item.id.client, item.id.clock + offset)
      insertMark(transaction, piece, run.author)
    }
    offset += run.length
  }
  return piece
}

function insertMark(transaction: Y.Transaction, right: Item, by: ActorId | undefined): void {
  insertBefore(transaction, right, newFormat(markName, { by }))
}

function findDisturbed(disturbance: Disturbance): Set<Item> {
  const { transaction, clients, credited } = disturbance
  const disturbed = new Set<Item>()
  for (const client of clients) {
    for (const item of newItems(transaction, client)) {
      if (hasOtherSpelling(item)) deleteItem(transaction, item)
      else if (isText(item) || isAuthoredFormat(item)) disturbed.add(item)
    }
  }
  for (const item of deletedItems(transaction)) {
    if (formatIn(item)?.key === markName && textAround(item)) disturbed.add(item)
  }
  for (const item of credited) if (isText(item)) disturbed.add(item)
  return disturbed
}

const isAuthoredFormat = (item: Item): boolean =>
  !item.deleted && formatIn(item)?.key === markName && textAround(item) !== undefined

/**
 * y-prosemirror reads `authored--<hash>` as another mark of the same type: never legitimate here.
 */
const hasOtherSpelling = (item: Item): boolean =>
  formatIn(item)?.key.startsWith(`${markName}--`) === true

function says(format: Item, author: ActorId | undefined): boolean {
  const value = formatIn(format)?.value
  if (typeof value !== 'object' || value === null) return false
  return 'by' in value && value.by === author && Object.keys(value).length === 1
}

function startOf(item: Item): Item | null {
  const text = textAround(item)
  return text === undefined ? null : firstItem(text)
}
