/**
 * What a transaction changed, in terms of the tree: the facts that mirror, repair, block ids and
 * authorship start from. Costs O(transaction) (and, like Yjs itself, one step a client), never
 * O(document). Yjs keeps types that are born in a transaction out of `transaction.changed`, so the
 * new structs are scanned. Does not know what a type means.
 */
import * as Y from 'yjs'

export interface Touched {
  /** Texts whose characters or formats changed, and texts born in the transaction. */
  readonly texts: ReadonlySet<Y.XmlText>
  /** Elements whose child list or attributes changed, and elements born in the transaction. */
  readonly elements: ReadonlySet<Y.XmlElement>
  /** The list of top-level blocks changed. */
  readonly root: boolean
}

/**
 * Every living type that this transaction (still running or just ended) changed or made. A type
 * whose parent changed is not touched by that alone. Deleted types are left out.
 */
export function touchedTypes(transaction: Y.Transaction): Touched {
  const texts = new Set<Y.XmlText>()
  const elements = new Set<Y.XmlElement>()
  let root = false
  const touch = (type: unknown) => {
    if (type instanceof Y.XmlText) texts.add(type)
    else if (type instanceof Y.XmlElement) elements.add(type)
  }
  for (const type of transaction.changed.keys()) {
    if (type._item === null) root ||= type instanceof Y.XmlFragment
    else if (!type._item.deleted) touch(type)
  }
  for (const struct of bornStructs(transaction)) {
    if (struct instanceof Y.Item && !struct.deleted && struct.content instanceof Y.ContentType) {
      touch(struct.content.type)
    }
  }
  return { texts, elements, root }
}

/** The structs this transaction added, of every client, in order of their clocks. */
export function* bornStructs(transaction: Y.Transaction): Generator<Y.Item | Y.GC> {
  for (const [client, structs] of transaction.doc.store.clients) {
    const before = transaction.beforeState.get(client) ?? 0
    const last = structs.at(-1)
    if (last === undefined || last.id.clock + last.length <= before) continue
    for (let index = Y.findIndexSS(structs, before); index < structs.length; index++) {
      const struct = structs[index]
      if (struct !== undefined) yield struct
    }
  }
}
