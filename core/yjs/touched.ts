/**
 * What a transaction changed, in terms of the tree: where whatever is derived from it begins.
 * Costs O(transaction) (and, like Yjs itself, one step a client), never
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
  const touched = { texts, elements, root: false }
  for (const type of transaction.changed.keys()) {
    if (type._item === null) touched.root ||= type instanceof Y.XmlFragment
    else if (!type._item.deleted) touch(touched, type)
  }
  eachBorn(transaction, ({ deleted, content }) => {
    if (!deleted && content instanceof Y.ContentType) touch(touched, content.type)
  })
  return touched
}

/** The texts that were typed in, each once, and the characters, in any order. */
export interface Typing {
  readonly texts: readonly Y.XmlText[]
  readonly strings: readonly string[]
}

/**
 * What was typed in this transaction, if it brought nothing but characters and deleted nothing;
 * `touchedTypes` says no more then.
 */
export function typingIn(transaction: Y.Transaction): Typing | undefined {
  const { changed, deleteSet } = transaction
  if (changed.size > fewTexts || deleteSet.clients.size > 0) return undefined
  const texts: Y.XmlText[] = []
  for (const type of changed.keys() as Iterable<unknown>) {
    if (!(type instanceof Y.XmlText) || type._item?.deleted !== false) return undefined
    texts.push(type)
  }
  const strings: string[] = []
  let isTyping = true
  eachBorn(transaction, ({ parent, content }) => {
    if (content instanceof Y.ContentString && texts.includes(parent as Y.XmlText)) {
      strings.push(content.str)
    } else isTyping = false
  })
  return isTyping ? { texts, strings } : undefined
}

/** In which people type at the same time. */
const fewTexts = 8

interface Touching {
  readonly texts: Set<Y.XmlText>
  readonly elements: Set<Y.XmlElement>
}

function touch({ texts, elements }: Touching, type: unknown): void {
  if (type instanceof Y.XmlText) texts.add(type)
  else if (type instanceof Y.XmlElement) elements.add(type)
}

/** Visits the items this transaction added, of every client, in order of their clocks. */
function eachBorn({ doc, beforeState }: Y.Transaction, visit: (item: Y.Item) => void): void {
  doc.store.clients.forEach((structs, client) => {
    const before = beforeState.get(client) ?? 0
    const last = structs[structs.length - 1]
    if (last === undefined || last.id.clock + last.length <= before) return
    for (let index = Y.findIndexSS(structs, before); index < structs.length; index++) {
      const struct = structs[index]
      if (struct instanceof Y.Item) visit(struct)
    }
  })
}
