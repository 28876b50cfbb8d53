/**
 * The first step of deleting a document for good (interface §3): its head says that it is being
 * purged, in one commit with the note by which the purge goes on after a crash. The document is not
 * opened for that, since it may be damaged or large.
 */
import { docHead, purgeKey } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId, Slug } from '../../../schema/ids.ts'
import { decodeHead, encodeHead, factsOf } from '../../commit/head.ts'
import type { Retirement } from '../contract.ts'
import { dueKey } from '../life.ts'

/** Who puts away what came back with a backup. */
const nobody = 'unknown:unattributed' as ActorId

/** Again changes nothing. Refuses DOC_NOT_FOUND, and NOT_ARCHIVED unless it is `forced`. */
export async function retireDocument(
  store: Store,
  slug: Slug,
  { permission, forced = false, now }: Retirement & { readonly now: number },
): Promise<void> {
  const key = docHead(slug)
  for (let held = permission; ; held = await held?.renewed()) {
    const stored = await store.get(key)
    if (stored === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    const { view: _view, title: _title, changedBy: _by, ...head } = decodeHead(slug, stored.value)
    held?.assertOn(factsOf(slug, head))
    const { life } = head
    if (life.state === 'purging') return
    if (life.state === 'active' && !forced) throw new Refusal('NOT_ARCHIVED')
    const { at, by } = life.state === 'active' ? { at: now, by: nobody } : life
    const result = await store.commit({
      checks: [{ key, version: stored.version }, ...(held?.checks ?? [])],
      puts: [
        { key, value: encodeHead({ ...head, life: { state: 'purging', at, by } }) },
        { key: purgeKey(slug), value: new Uint8Array() },
      ],
      deletes: life.state === 'archived' ? [dueKey(slug, at)] : [],
    })
    if (result.ok) return
  }
}
