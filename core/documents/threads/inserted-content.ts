/** What transactions that have just ended brought to the text, as far as anchors look. */
import type * as Y from 'yjs'
import type { BlockId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { type Child, parentElement } from '../../../schema/yjs/children.ts'
import type { InsertedContent } from '../../commit/participant.ts'
import { touchedTypes } from '../../yjs/touched.ts'
import { clocksBefore } from '../../yjs/transactions.ts'
import type { BlockIds } from '../model/block-ids.ts'

/** In their order; undefined: there is none. */
export function insertedBy(
  transactions: readonly Y.Transaction[],
  { blockIds, former }: { readonly blockIds: BlockIds; readonly former: DocumentText },
): InsertedContent | undefined {
  const [first] = transactions
  if (first === undefined) return undefined
  const touched = new Set<BlockId>()
  const seen = new Set<Child>()
  for (const transaction of transactions) {
    const { texts, elements } = touchedTypes(transaction)
    for (const types of [texts, elements]) {
      for (const type of types) {
        for (let at: Child | undefined = type; at && !seen.has(at); at = parentElement(at)) {
          seen.add(at)
          const id = 'nodeName' in at ? blockIds.idOf(at as Y.XmlElement) : undefined
          if (id !== undefined) touched.add(id)
        }
      }
    }
  }
  return { touched, before: clocksBefore(first), former }
}
