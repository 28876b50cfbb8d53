/** What a document has of what is uploaded to it, where nothing was. */
import type { AssetTotals } from '../records/records.ts'

export const noTotals: AssetTotals = { images: 0, imageBytes: 0 }
