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
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { isNew } from '../../yjs/children.ts'
import type { AuthorRun } from './exceptions.ts'

export const markName = 'authored'

/** The authors of an item's characters, in order; never empty. */
export type AuthorsOf = (item: Y.Item) => AuthorRun[]

export interface Disturbance {
  readonly transaction: Y.Transaction
  /** Clients that have new structs in this transaction. */
  readonly clients: Iterable<number>
  /** Older items whose author this transaction changed. */
  readonly credited: Iterable<Y.Item>
}

export function projectMarks(disturbance: Disturbance, authorsOf: AuthorsOf): void {
  const { transaction } = disturbance
  const disturbed = disturbedItems(disturbance)
  const visited = new Set<Y.Item>()
  for (const item of disturbed) {
    if (visited.has(item)) continue
    let left = item.left
    while (left !== null && !isSettled(transaction, disturbed, left)) left = left.left
    const start = left === null ? startOf(item) : left.right
    let current = left === null ? undefined : authorsOf(left).at(-1)?.author
    let formats: Y.Item[] = []
    for (let next = start; next !== null; next = next.right) {
      visited.add(next)
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

const isSettled = (
  transaction: Y.Transaction,
  disturbed: ReadonlySet<Y.Item>,
  item: Y.Item,
): boolean => isText(item) && !isNew(transaction, item) && !disturbed.has(item)

interface Settling {
  readonly transaction: Y.Transaction
  /** The `authored` formats alive between the previous string and this one. */
  readonly formats: readonly Y.Item[]
  /** The author whose mark is in force before them. */
  readonly current: ActorId | undefined
  readonly runs: readonly AuthorRun[]
}

/** Puts each run of a string under its author's mark; returns the last piece of the string. */
function settle(item: Y.Item, { transaction, formats, current, runs }: Settling): Y.Item {
  const wanted = runs[0]?.author
  const last = formats.at(-1)
  const keep = wanted !== current && last !== undefined && says(last, wanted) ? last : undefined
  for (const format of formats) if (format !== keep) format.delete(transaction)
  if (wanted !== current && keep === undefined) insertMark(transaction, item, wanted)
  let piece = item
  let offset = 0
  for (const [index, run] of runs.entries()) {
    if (index > 0) {
      const id = Y.createID(item.id.client, item.id.clock + offset)
      piece = Y.getItemCleanStart(transaction, id)
      insertMark(transaction, piece, run.author)
    }
    offset += run.length
  }
  return piece
}

function insertMark(transaction: Y.Transaction, right: Y.Item, by: ActorId | undefined): void {
  const { doc } = transaction
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID))
  const { left, parent } = right
  const content = new Y.ContentFormat(markName, { by })
  const origin = left === null ? null : left.lastId
  new Y.Item(id, left, origin, right, right.id, parent, null, content).integrate(transaction, 0)
}

function disturbedItems({ transaction, clients, credited }: Disturbance): Set<Y.Item> {
  const disturbed = new Set<Y.Item>()
  const { store } = transaction.doc
  for (const client of clients) {
    const from = transaction.beforeState.get(client) ?? 0
    for (const item of itemsOf(store, client, from, Y.getState(store, client))) {
      if (hasOtherSpelling(item)) item.delete(transaction)
      else if (isText(item) || isAuthoredFormat(item)) disturbed.add(item)
    }
  }
  for (const [client, ranges] of transaction.deleteSet.clients) {
    for (const { clock, len } of ranges) {
      for (const item of itemsOf(store, client, clock, clock + len)) {
        if (item.content instanceof Y.ContentFormat && item.content.key === markName) {
          if (item.parent instanceof Y.XmlText) disturbed.add(item)
        }
      }
    }
  }
  for (const item of credited) if (isText(item)) disturbed.add(item)
  return disturbed
}

/** The items of a client between two clocks; both must be ends of structs, or 0 or the state. */
export function* itemsOf(
  store: Y.Doc['store'],
  client: number,
  ...[from, to]: [from: number, to: number]
): Generator<Y.Item> {
  const structs = store.clients.get(client)
  if (structs === undefined || from >= to) return
  for (let index = Y.findIndexSS(structs, from); index < structs.length; index += 1) {
    const struct = structs[index]
    if (struct === undefined || struct.id.clock >= to) return
    if (struct instanceof Y.Item) yield struct
  }
}

/** A living string in a text: what has an author. */
export const isText = (item: Y.Item): boolean =>
  !item.deleted && item.content instanceof Y.ContentString && item.parent instanceof Y.XmlText

const isAuthoredFormat = (item: Y.Item): boolean =>
  !item.deleted &&
  item.content instanceof Y.ContentFormat &&
  item.content.key === markName &&
  item.parent instanceof Y.XmlText

/**
 * y-prosemirror reads `authored--<hash>` as another mark of the same type: never legitimate here.
 */
const hasOtherSpelling = (item: Y.Item): boolean =>
  item.content instanceof Y.ContentFormat && item.content.key.startsWith(`${markName}--`)

function says(format: Y.Item, author: ActorId | undefined): boolean {
  const value: unknown = format.content instanceof Y.ContentFormat ? format.content.value : null
  if (typeof value !== 'object' || value === null) return false
  return 'by' in value && value.by === author && Object.keys(value).length === 1
}

const startOf = (item: Y.Item): Y.Item | null =>
  item.parent instanceof Y.XmlText ? item.parent._start : null
