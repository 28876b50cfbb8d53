/** Which documents have files that wait to be sent (`kept-uploads.ts`), to be read at once. */
import { readList, writeItem } from '../platform/device-storage.ts'

const markKey = 'uploads-waiting'
const isSlug = (value: unknown): value is string => typeof value === 'string'

/** Whether the device may have some for this document. */
export const mayHaveUploads = (slug: string): boolean => readList(markKey, isSlug).includes(slug)

export function markUploads(slug: string, has: boolean): void {
  const others = readList(markKey, isSlug).filter((other) => other !== slug)
  if (has || mayHaveUploads(slug))
    writeItem(markKey, JSON.stringify(has ? [...others, slug] : others))
}
