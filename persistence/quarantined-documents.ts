/** Which documents a span of keys that is out of service touches, as far as that can be told. */
import { isSlug, type Slug } from '../schema/ids.ts'
import { docRange } from './keys.ts'
import type { LevelStore } from './level-store.ts'
import { type KeySpan, Quarantine } from './quarantine.ts'

/**
 * The documents whose keys the span overlaps and of which any record is left in it or beside it.
 * One that lay in it with all its records has left no trace to be named by.
 */
export async function documentsTouched(store: LevelStore, span: KeySpan): Promise<Slug[]> {
  const ends = [span.from, span.to].map((key) => Buffer.from(key).toString())
  const slugs = new Set<Slug>()
  for (const key of [...ends, ...(await store.keysAround(span))]) {
    const [kind, slug = ''] = key.split('/')
    if (kind === 'doc' && isSlug(slug) && key.startsWith(`doc/${slug}/`)) slugs.add(slug)
  }
  const only = new Quarantine([span])
  return [...slugs].filter((slug) => only.within(docRange(slug)).length > 0).sort()
}
