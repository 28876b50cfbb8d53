/** What a history row says beside its splices: authors where those tell others, and blocks. */
import type { LeafAuthor } from '../../../schema/markdown/runs.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import { changedBlocks, changedInside } from './changed-blocks.ts'
import { touchedBlocks } from './row-blocks.ts'
import { credit, type Versions } from './row-credits.ts'

/** `versions`: the text before the row's revision, and its own. */
export function describe(row: HistoryRow, versions: Versions, leafAuthor: LeafAuthor): HistoryRow {
  const { before, after } = versions
  const changed = changedInside(before, after, row.splices) ?? changedBlocks(before, after)
  const { stretches } = changed
  const credits = credit(row, versions, { stretches, leafAuthor })
  const blocks = touchedBlocks(changed)
  // Field by field: spread, it took V8 many times as long, with every key.
  return {
    revision: row.revision,
    at: row.at,
    event: row.event,
    actors: row.actors,
    authMethod: row.authMethod,
    ipHash: row.ipHash,
    splices: row.splices,
    credits: credits.length > 0 ? credits : undefined,
    blocks: blocks.length > 0 ? blocks : undefined,
  }
}
