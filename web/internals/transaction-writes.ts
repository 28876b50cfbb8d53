/**
 * What one transaction of Yjs wrote, and which client wrote it. The public events of Yjs say what
 * changed, but not by which client, so this reads the structs that the transaction added.
 */
import * as Y from 'yjs'

/** What one client wrote into one text or element. */
export interface Written {
  readonly from: Y.RelativePosition
  readonly to: Y.RelativePosition
  /** An attribute of the element changed, not its content; both positions are at its start. */
  readonly isSetting: boolean
}

/** The clock at which the client's part of the transaction begins. */
export const clockBefore = ({ beforeState }: Y.Transaction, client: number): number =>
  beforeState.get(client) ?? 0

/** By client. Deletions, ids of blocks and marks of authors do not count as writing. */
export function writtenBy(transaction: Y.Transaction): Map<number, readonly Written[]> {
  const found = new Map<number, readonly Written[]>()
  const { store } = transaction.doc
  for (const [client, after] of transaction.afterState) {
    const before = clockBefore(transaction, client)
    if (before >= after) continue
    const structs = store.clients.get(client) ?? []
    const byParent = new Map<unknown, { readonly first: Y.Item; last: Y.Item }>()
    for (let at = Y.findIndexSS(structs, before); at < structs.length; at++) {
      const item = structs[at]
      if (!(item instanceof Y.Item) || item.deleted || !isWriting(item)) continue
      const known = byParent.get(item.parent)
      if (known) known.last = item
      else byParent.set(item.parent, { first: item, last: item })
    }
    if (byParent.size > 0) found.set(client, [...byParent.values()].map(stretch))
  }
  return found
}

function isWriting({ content, parent, parentSub }: Y.Item): boolean {
  if (parentSub !== null) return parentSub !== 'id' && parent instanceof Y.XmlElement
  if (content instanceof Y.ContentFormat) return content.key !== 'authored'
  if (content instanceof Y.ContentString) return true
  return content instanceof Y.ContentType && content.type instanceof Y.XmlElement && isLeaf(content)
}

/** What holds text is told by its text. */
const isLeaf = ({ type }: Y.ContentType): boolean => type._start === null

function stretch({ first, last }: { readonly first: Y.Item; readonly last: Y.Item }): Written {
  return { from: before(first), to: behind(last), isSetting: first.parentSub !== null }
}

function before(item: Y.Item): Y.RelativePosition {
  if (item.parentSub !== null) {
    return Y.createRelativePositionFromTypeIndex(item.parent as Y.XmlElement, 0)
  }
  return new Y.RelativePosition(null, null, item.id, 0)
}

/** With what is before it. */
function behind(item: Y.Item): Y.RelativePosition {
  if (item.parentSub !== null) return before(item)
  return new Y.RelativePosition(null, null, item.lastId, -1)
}
