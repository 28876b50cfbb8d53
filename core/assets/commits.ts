/**
 * Commits of what is uploaded to a document: no revision, since its text stays as it is. Each rests
 * on the head, so that nothing is added to a document that was archived or is being deleted, on its
 * writer's permission, and on what it counts.
 */
import { docHead } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import {
  type AttachedRecords,
  assertNoAttachedConflict,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { decodeHead, factsOf } from '../commit/head.ts'
import type { Permission } from '../commit/permission.ts'
import { RecordPlan } from '../records/record-plan.ts'

/**
 * `plan` says what to write and what to answer; it is asked again where something it rests on was
 * written meanwhile. `attached` is stored with it. Refuses what `plan` and the permission refuse,
 * DOC_NOT_FOUND and UNAVAILABLE; throws `AttachedConflict`.
 */
export async function commitUpload<T>(
  store: Store,
  {
    slug,
    permission,
    attached = noAttachedRecords,
  }: {
    readonly slug: Slug
    readonly permission: Permission | undefined
    readonly attached?: AttachedRecords<T> | undefined
  },
  plan: (records: RecordPlan) => Promise<T>,
): Promise<T> {
  let held = permission
  for (let tries = 0; tries < limits.assetCommitsMax; tries++) {
    const key = docHead(slug)
    const head = await store.get(key)
    if (head === undefined) throw new Refusal('DOC_NOT_FOUND', { slug })
    held?.assertOn(factsOf(slug, decodeHead(slug, head.value)))
    const records = new RecordPlan(store)
    const answer = await plan(records)
    records.restOn([{ key, version: head.version }, ...(held?.checks ?? []), ...attached.checks])
    records.put(attached.puts(answer))
    const planned = records.done(answer)
    if (planned.records === undefined) return answer
    const result = await store.commit(planned.records)
    if (result.ok) return answer
    assertNoAttachedConflict(attached, result)
    held = await held?.renewed()
  }
  throw new Refusal('UNAVAILABLE')
}
