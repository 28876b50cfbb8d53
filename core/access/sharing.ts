/**
 * The one record that every act writes that gives or takes access to a document: so no two are
 * planned on the same moment, and what they count together is true.
 */
import { sharingKey } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { records, type Sharing } from '../records/records.ts'

/** As it is, to be rested on. */
export const readSharing = async (plan: RecordPlan, slug: Slug): Promise<Sharing> =>
  (await plan.read(sharingKey(slug), records.sharing)) ?? { acts: 0, invited: 0 }

export const writeSharing = (plan: RecordPlan, slug: Slug, sharing: Sharing): void =>
  plan.write(sharingKey(slug), records.sharing, { ...sharing, acts: sharing.acts + 1 })
