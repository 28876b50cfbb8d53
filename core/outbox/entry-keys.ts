/** The keys of one entry of an inbox: its own, and that by which its document finds it. */
import { inboxKey, inboxOfDocument } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import type { EntryRecord } from '../records/records.ts'

export function entryKeys(actor: string, id: number, { slug }: Pick<EntryRecord, 'slug'>) {
  const key = inboxKey(actor, id)
  return slug === undefined ? [key] : [key, inboxOfDocument(slug as Slug, actor, id)]
}
