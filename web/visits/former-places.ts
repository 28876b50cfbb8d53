/** Where deleted blocks stood: the service is asked for each, a few at once (interface §4.11). */
import { call } from '../api/http.ts'
import type { FormerPlace } from './change-places.ts'
import type { BlockChange } from './last-visits.ts'

/** Of more nobody wants to see each. */
const askedMax = 24
const atOnce = 4

/** Those of which nothing is known any more are not in the answer. */
export async function formerPlacesOf(
  slug: string,
  changes: readonly BlockChange[],
): Promise<ReadonlyMap<string, FormerPlace>> {
  const gone = changes.filter(({ kind }) => kind === 'deleted').slice(0, askedMax)
  const formerPlaces = new Map<string, FormerPlace>()
  const ask = async () => {
    for (let one = gone.pop(); one !== undefined; one = gone.pop()) {
      const asked = { slug, bid: one.block_id }
      const found = await call('GET /docs/:slug/blocks/:bid', [], asked).catch(() => undefined)
      const tombstone = found?.tombstone
      const near = tombstone?.nearest_survivor_id ?? undefined
      if (near === undefined || tombstone === undefined) continue
      formerPlaces.set(one.block_id, { near, edge: tombstone.nearest_survivor_relation })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return formerPlaces
}
