/**
 * A document's life (interface §3): from active to archived and back, for as long as it is kept. It
 * says what a change comes to and stores nothing; what purges a document is in core/purge/.
 */
import { purgeDueKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { DocumentFacts, Life } from '../commit/facts.ts'
import type { Extras } from '../commit/pending-commit.ts'
import type { LifeChange } from './contract.ts'

/** An archived document can be brought back for so long (interface §8); then it is purged. */
const archiveRetentionMs = 30 * 24 * 3_600_000

/** Until when a document that was archived at this time can be brought back (interface §8). */
export const restorableUntil = (archivedAt: number): number => archivedAt + archiveRetentionMs

/** Where the sweep finds it when its time is over. */
export const dueKey = (slug: Slug, archivedAt: number): string =>
  purgeDueKey(Math.ceil(restorableUntil(archivedAt) / 1000), slug)

/**
 * The life after this change, and the records that go with it; `undefined`: it is so already.
 * Refuses PURGE_STARTED, and RETENTION_EXPIRED to bring back what was archived too long ago.
 */
export function changedLife(
  facts: DocumentFacts,
  change: LifeChange,
  { now, by }: { readonly now: number; readonly by: ActorId },
): ({ readonly life: Life } & Required<Pick<Extras, 'puts' | 'deletes'>>) | undefined {
  const { life, slug } = facts
  if (life.state === 'purging') throw new Refusal('PURGE_STARTED')
  if ((life.state === 'active') === (change === 'restore')) return undefined
  if (life.state === 'active') {
    const puts = [{ key: dueKey(slug, now), value: new Uint8Array() }]
    return { life: { state: 'archived', at: now, by }, puts, deletes: [] }
  }
  if (now >= restorableUntil(life.at)) throw new Refusal('RETENTION_EXPIRED')
  return { life: { state: 'active' }, puts: [], deletes: [dueKey(slug, life.at)] }
}
