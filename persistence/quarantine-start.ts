/**
 * What a start does about blocks of records that are damaged: it puts their keys out of service for
 * good, then lets LevelDB see empty blocks in their place. In this order, so that whenever it is
 * cut short the next start ends with the same quarantine.
 */

import { kindRange } from './keys.ts'
import { blankBlocks, readQuarantine, writeQuarantine } from './level-files/quarantine-file.ts'
import { wrongBlock } from './level-files/table-file.ts'
import type { DamagedTable } from './level-files/verify.ts'
import { Quarantine, touchesPrefix } from './quarantine.ts'
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
