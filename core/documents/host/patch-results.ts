/**
 * What a PATCH answers beside the text and its revision (interface §4.5, extensions §4): results of
 * its edits, and a warning where a whole new text removes most blocks. Pure.
 */
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { PatchFields } from '../contract.ts'
import type { Plan } from '../edits/plan/plan.ts'
import { addressedIn } from '../views/block-listing.ts'
import type { TextView } from '../views/text-view.ts'
import type { PatchAsk } from './protocol.ts'

/** What a PATCH answers beside `markdown` and `revision` (interface §4.5), in wire spelling. */
export function resultsOf(plan: Plan, request: PatchAsk, view: TextView): PatchFields {
  return { ...editResults(plan, request, view), ...removalOf(plan, request, view) }
}

/** The least blocks of a document of which a removal is told. */
const reportedFromBlocks = 20

/**
 * A whole new text that removes more than half of the blocks says so, with the revision to revert
 * to: an agent that read only the beginning of a document removes the rest without meaning it.
 */
function removalOf(plan: Plan, { edits, back }: PatchAsk, view: TextView): PatchFields {
  const isWhole = edits.some((edit) => edit['replace_document'] !== undefined)
  if (!isWhole || back !== undefined) return {}
  const before = idsIn(view.text)
  if (before.size < reportedFromBlocks) return {}
  const after = idsIn(plan.text)
  const removed = [...before].filter((id) => !after.has(id)).length
  if (2 * removed <= before.size) return {}
  return { removed_blocks: removed, revert: { revision: view.revision } }
}

function idsIn(text: DocumentText): ReadonlySet<string> {
  const ids = new Set<string>()
  for (let index = 0; index < text.blockCount; index++) {
    for (const { id } of addressedIn(text.printed(index))) if (id !== null) ids.add(id)
  }
  return ids
}

/**
 * Beside `markdown` and `revision`: nothing for one edit on the current base, else per-edit
 * results.
 */
function editResults(plan: Plan, request: PatchAsk, view: TextView): PatchFields {
  const results = { edits: plan.outcomes, failed_edit_indexes: plan.failedIndexes }
  if (!plan.rebased) {
    return request.edits.length === 1 ? {} : { ...results, sequential_reconcile: true }
  }
  const applied = plan.outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.index)
  return {
    ...results,
    rebased: true,
    base_revision: request.baseRevision,
    applied_to_revision: view.revision,
    applied_to_markdown_sha256: view.contentHash(),
    applied,
    failed: plan.failedIndexes,
  }
}
