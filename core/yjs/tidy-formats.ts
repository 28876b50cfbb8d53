/**
 * Takes away formats that mean nothing any more after a transaction, as Yjs itself does behind
 * every change of a formatted text, and as every copy does: of formats beside each other with
 * nothing in between only the last one of a name counts. Yjs looks over a whole gap again for each
 * deleted piece in it (20,000 pieces: 2.7 s); here each gap is looked over once.
 */
import * as Y from 'yjs'
import type { Steps } from '../../schema/steps.ts'
import { LongTransaction } from './long-transaction.ts'
import { disturbsFormats } from './touched.ts'

export class FormatTidying {
  /** While a long transaction ends. */
  #later: Later[] | undefined

  /** To be called when any transaction has ended, before Yjs collects what it deleted. */
  ended(transaction: Y.Transaction): void {
    if (!transaction._needFormattingCleanup) return
    // Yjs would open a second transaction for it, for every key typed into a text with formats.
    transaction._needFormattingCleanup = false
    if (!disturbsFormats(transaction)) return
    const untidy = untidyIn(transaction)
    if (this.#later === undefined) tidyFormats(transaction.doc, untidy)
    else this.#later.push({ doc: transaction.doc, untidy })
  }

  /** Ends it; what it leaves is tidied up in steps of its own. */
  *ending(long: LongTransaction): Steps<void> {
    const later: Later[] = []
    this.#later = later
    yield* long.ending()
    this.#later = undefined
    for (const { doc, untidy } of later) {
      yield
      yield* tidying(doc, untidy)
    }
  }
}

interface Later {
  readonly doc: Y.Doc
  readonly untidy: Untidy
}

/** Texts and gaps looked over between two places at which the work may be interrupted. */
const tidiedAtOnce = 32

/** The same as `tidyFormats` in steps, still one transaction. */
function* tidying(doc: Y.Doc, untidy: Untidy): Steps<void> {
  const long = new LongTransaction(doc, null)
  // As what is written here is: Yjs does not look for what there is to clean up behind it.
  long.transaction.local = true
  const works = tidyWorks(untidy)
  for (let isDone = false; !isDone; ) {
    long.write((transaction) => {
      for (let left = tidiedAtOnce; left > 0 && !isDone; left--) {
        const next = works.next()
        if (next.done === true) isDone = true
        else next.value(transaction)
      }
    })
    yield
  }
  yield* long.ending()
}

/** What has to be looked over. Holds also after Yjs has merged or collected what was deleted. */
interface Untidy {
  readonly texts: ReadonlySet<unknown>
  /** Deleted pieces of texts. */
  readonly gaps: readonly Y.Item[]
}

function untidyIn(transaction: Y.Transaction): Untidy {
  const texts = textsWithNewFormats(transaction)
  const gaps: Y.Item[] = []
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || !(struct.parent instanceof Y.XmlText)) return
    if (struct.content instanceof Y.ContentFormat) texts.add(struct.parent)
    else gaps.push(struct)
  })
  return { texts, gaps }
}

/** In place of Yjs's own. */
function tidyFormats(doc: Y.Doc, untidy: Untidy): void {
  Y.transact(doc, (tidying) => {
    for (const work of tidyWorks(untidy)) work(tidying)
  })
}

function* tidyWorks({ texts, gaps }: Untidy): Generator<(tidying: Y.Transaction) => void, void> {
  const unseen = new Set(gaps)
  for (const item of gaps) {
    if (texts.has(item.parent) || !unseen.has(item)) continue
    yield (tidying) => tidyGap(tidying, item, unseen)
  }
  for (const text of texts) {
    if (text instanceof Y.XmlText) yield () => void Y.cleanupYTextFormatting(text)
  }
}

/** In these all formats are looked at: what one means depends on those before it. */
function textsWithNewFormats({ doc, beforeState, afterState }: Y.Transaction): Set<unknown> {
  const texts = new Set<unknown>()
  for (const [client, after] of afterState) {
    const before = beforeState.get(client) ?? 0
    const structs = doc.store.clients.get(client)
    if (after === before || structs === undefined) continue
    for (let index = Y.findIndexSS(structs, before); index < structs.length; index++) {
      const struct = structs[index]
      if (!(struct instanceof Y.Item) || struct.deleted) continue
      if (struct.content instanceof Y.ContentFormat) texts.add(struct.parent)
    }
  }
  return texts
}

function tidyGap(tidying: Y.Transaction, within: Y.Item, unseen: Set<Y.Item>): void {
  let last = within
  while (last.right !== null && isInGap(last.right)) last = last.right
  const names = new Set<string>()
  for (let item: Y.Item | null = last; item !== null && isInGap(item); item = item.left) {
    unseen.delete(item)
    if (item.deleted || !(item.content instanceof Y.ContentFormat)) continue
    const { key } = item.content
    if (names.has(key)) item.delete(tidying)
    else names.add(key)
  }
}

const isInGap = ({ deleted, countable }: Y.Item): boolean => deleted || !countable
