/** The store of a service whose earlier version printed a document otherwise than this one. */
import { decodeHead, encodeHead } from '../../../core/commit/head.ts'
import { docHead, docText } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'

/** The document has one revision; its text was `before`. */
export async function printedBefore(store: Store, slug: Slug, before: string): Promise<void> {
  const head = await store.get(docHead(slug))
  if (head === undefined) throw new Error(`no document ${slug}`)
  const value = encodeHead({ ...decodeHead(slug, head.value), chars: before.length })
  const text = { key: docText(slug, 1), value: Buffer.from(before) }
  await store.commit({ puts: [text, { key: docHead(slug), value }] })
}
