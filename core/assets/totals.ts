/**
 * What a document has of what is uploaded to it, counted in the commits that add and delete, and
 * what it may have of each. An addition beyond a bound is refused; nothing else looks at them.
 */
import { assetsKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { type AssetTotals, records } from '../records/records.ts'

export const noTotals: AssetTotals = {
  images: 0,
  imageBytes: 0,
  artifacts: 0,
  artifactBytes: 0,
  posterBytes: 0,
  reports: 0,
  reportImageBytes: 0,
}

/** Of bytes, whose refusal is PAYLOAD_TOO_LARGE. */
const bytesMax: Partial<AssetTotals> = {
  imageBytes: limits.imagesMaxBytes,
  artifactBytes: limits.artifactsMaxBytes,
  posterBytes: limits.postersMaxBytes,
  reportImageBytes: limits.feedbackImagesMaxBytes,
}
/** Of things, whose refusal is LIMIT_REACHED. */
const countMax: Partial<AssetTotals> = {
  images: limits.imagesMax,
  artifacts: limits.artifactsMax,
  reports: limits.feedbackMax,
}

/** Refuses PAYLOAD_TOO_LARGE, LIMIT_REACHED. */
export async function count(
  plan: RecordPlan,
  slug: Slug,
  more: Partial<AssetTotals>,
): Promise<void> {
  const before = (await plan.read(assetsKey(slug), records.assetTotals)) ?? noTotals
  const after: Record<string, number> = { ...before }
  for (const [name, value] of Object.entries(more)) {
    const total = before[name as keyof AssetTotals] + value
    after[name] = total
    if (value <= 0) continue
    const limit = bytesMax[name as keyof AssetTotals]
    if (limit !== undefined && total > limit) {
      const message = 'The uploads of this document would exceed its total size limit.'
      throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size: total }, message)
    }
    const max = countMax[name as keyof AssetTotals]
    if (max !== undefined && total > max) throw new Refusal('LIMIT_REACHED', { limit: name, max })
  }
  plan.write(assetsKey(slug), records.assetTotals, { ...before, ...after })
}
