/**
 * What a start does about blocks of records that are damaged: it puts their keys out of service for
 * good, then lets LevelDB see empty blocks in their place. In this order, so that whenever it is
 * cut short the next start ends with the same quarantine.
 */

import { isSlug, type Slug } from '../schema/ids.ts'
import { docRange, kindRange } from './keys.ts'
import { blankBlocks, readQuarantine, writeQuarantine } from './level-files/quarantine-file.ts'
import { wrongBlock } from './level-files/table-file.ts'
import type { DamagedTable } from './level-files/verify.ts'
import { type KeySpan, Quarantine, touchesPrefix } from './quarantine.ts'
import { DamagedFile } from './store-errors.ts'

/** What the store as a whole cannot do without: its own records, and those about it. */
const indispensable = ['\u0000', kindRange('meta').gte ?? '']

/**
 * The quarantine with these tables' damage taken in, durable when it resolves. Throws `DamagedFile`
 * and changes nothing when the store cannot do without a span.
 */
export async function extendQuarantine(
  directory: string,
  damagedTables: readonly DamagedTable[],
): Promise<Quarantine> {
  const kept = await readQuarantine(directory)
  for (const { path, blocks, spans } of damagedTables) {
    for (const [at, span] of spans.entries()) {
      if (!indispensable.some((prefix) => touchesPrefix(span, prefix))) continue
      const problem = wrongBlock(blocks[at] ?? { offset: 0, size: 0 })
      throw new DamagedFile(path, problem)
    }
  }
  const quarantine = new Quarantine([...kept, ...damagedTables.flatMap(({ spans }) => spans)])
  if (damagedTables.length === 0) return quarantine
  await writeQuarantine(directory, quarantine.spans)
  for (const { path, blocks } of damagedTables) await blankBlocks(path, blocks)
  return quarantine
}

interface KeysAround {
  /** The nearest keys on both sides of a span, and those in it that can be read. */
  keysAround(span: KeySpan): Promise<readonly string[]>
}

/**
 * The documents whose keys the span overlaps and of which any record is left in it or beside it.
 * One that lay in it with all its records has left no trace to be named by.
 */
export async function documentsTouched(store: KeysAround, span: KeySpan): Promise<Slug[]> {
  const ends = [span.from, span.to].map((key) => Buffer.from(key).toString())
  const slugs = new Set<Slug>()
  for (const key of [...ends, ...(await store.keysAround(span))]) {
    const [kind, slug = ''] = key.split('/')
    if (kind === 'doc' && isSlug(slug) && key.startsWith(`doc/${slug}/`)) slugs.add(slug)
  }
  const only = new Quarantine([span])
  return [...slugs].filter((slug) => only.within(docRange(slug)).length > 0).sort()
}
