/**
 * What a PATCH does to a document's text (interface §4.5): which positions the edits name, and the
 * operations that make them. With a current base, edits apply one after the other, and each sees
 * what the ones before it made; with a stale base, all are matched against the text as it is now.
 * Pure: no Yjs, no clock; nothing happens until the operations are applied.
 */
import type { Node } from 'prosemirror-model'
import { byWords } from '../../../../schema/diff/comparing.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { type ActorId, type BlockId, isBlockId } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { TextChange } from '../../../text/text-change.ts'
import { bytesOf, bytesOver } from '../../../text/text-size.ts'
import type { Tombstones } from '../../model/tombstones.ts'
import { type Edit, needsBase } from '../request/edit.ts'
import { type EditOutcome, failure, rolledBack } from '../request/outcomes.ts'
import { applyInTurn } from './batching.ts'
import { durableId, isPositional } from './block-targets.ts'
import { Draft } from './draft.ts'
import { InsertedSince } from './inserted-since.ts'
import type { Operation } from './operation.ts'
import { applyRebased, requireRebasable } from './rebasing.ts'

export type { EditOutcome } from '../request/outcomes.ts'
export type { Operation } from './operation.ts'

export interface PlanInput {
  readonly text: DocumentText
  readonly revision: number
  /** Absent: the edits are meant for the text as it is. */
  readonly baseRevision?: number
  readonly edits: readonly Edit[]
  readonly actor: ActorId
  /** From the text of the base to `text`; without it inserts go right beside their anchors. */
  readonly changeSinceBase?: TextChange
  readonly tombstones?: Pick<Tombstones, 'resolve'>
  /** Words of a block that comments are anchored to: they stay where the new text has them. */
  readonly commented?: (block: BlockId) => readonly string[]
  /** UTF-8 bytes of markdown that the document may have. */
  readonly maxBytes?: number
}

export interface Plan {
  readonly operations: readonly Operation[]
  /** The text after all operations. */
  readonly text: DocumentText
  readonly outcomes: readonly EditOutcome[]
  readonly failedIndexes: readonly number[]
  /** The base was stale and every edit was matched anew. */
  readonly rebased: boolean
}

/**
 * At least one edit of the plan applies (or none was asked for). Throws Refusal, with nothing to
 * commit: EDIT_STALE_FUTURE, EDIT_STALE, BASE_REVISION_REQUIRED, INVALID_REQUEST, BROAD_REWRITE,
 * PAYLOAD_TOO_LARGE for the request; a single failing edit's own code, ALL_EDITS_FAILED for
 * several. Where edits were tried, details carry `edits` and `failed_edit_indexes`; the caller adds
 * the text and its revision.
 */
export function planEdits(input: PlanInput): Plan {
  const { text, tombstones = { resolve: () => undefined } } = input
  const isStale = isBehind(input)
  requireFields(input)
  if (isStale) requireRebasable(input.edits)
  const edits = input.edits.map((edit) => withDurableIds(text, edit))
  const draft = new Draft(text, {
    isBatch: edits.length > 1,
    comparing: { ...byWords, commented: wordsOf(input) },
  })
  if (isStale) {
    const since = new InsertedSince(input.changeSinceBase ?? [])
    const behindOthers = (offset: number) => since.endAt(offset, text)
    applyRebased(draft, edits, { tombstones, behindOthers })
  } else applyInTurn(draft, edits, tombstones)
  const outcomes = draft.outcomes()
  const failedIndexes = outcomes.filter(({ ok }) => !ok).map(({ index }) => index)
  if (failedIndexes.length === edits.length && edits.length > 0) throw failure(outcomes)
  requireSize(input, draft.text, outcomes)
  return {
    operations: draft.operations,
    text: draft.text,
    outcomes,
    failedIndexes,
    rebased: isStale,
  }
}

const wordsOf =
  ({ commented }: PlanInput) =>
  ({ attrs }: Node): readonly string[] => {
    const id: unknown = attrs['id']
    return commented !== undefined && isBlockId(id) ? commented(id) : []
  }

/** Refuses a base that is ahead. */
function isBehind({ revision, baseRevision = revision }: PlanInput): boolean {
  if (baseRevision > revision) throw new Refusal('EDIT_STALE_FUTURE')
  return baseRevision < revision
}

function requireFields({ edits, baseRevision }: PlanInput): void {
  for (const [index, edit] of edits.entries()) {
    if (edit.form === 'replace' && edit.oldString === '') {
      const issues = [{ path: `/edits/${index}/old_string`, message: 'empty text matches nothing' }]
      throw new Refusal('INVALID_REQUEST', { issues })
    }
    if (baseRevision === undefined && needsBase(edit)) {
      throw new Refusal('BASE_REVISION_REQUIRED', { edits: [{ index }] })
    }
  }
}

/** Blocks named by their position in the current revision are meant by that alone. */
function withDurableIds(text: DocumentText, edit: Edit): Edit {
  const durable = <Id extends string | null>(id: Id): Id | string =>
    id !== null && isPositional(id) ? (durableId(text, id) ?? id) : id
  if (edit.form === 'delete_block') return { ...edit, block: durable(edit.block) }
  if (edit.form !== 'move_block' && edit.form !== 'block_insert') return edit
  return {
    ...edit,
    ...(edit.form === 'move_block' && { block: durable(edit.block) }),
    ...(edit.afterBlock !== undefined && { afterBlock: durable(edit.afterBlock) }),
    ...(edit.beforeBlock !== undefined && { beforeBlock: durable(edit.beforeBlock) }),
  }
}

/** The text may not grow past its bounds, whatever its canonical form adds. */
function requireSize(
  { text, maxBytes: limit = limits.markdownMaxBytes }: PlanInput,
  after: DocumentText,
  outcomes: readonly EditOutcome[],
): void {
  const size = bytesOver(after, limit)
  if (size !== undefined && size > bytesOf(text)) {
    throw rolledBack('PAYLOAD_TOO_LARGE', outcomes, { limit, size })
  }
  const [count, max] = [after.nodeCount, limits.blocksMax]
  if (count <= max || count <= text.nodeCount) return
  throw rolledBack('PAYLOAD_TOO_LARGE', outcomes, { limit: 'blocks', max, size: count })
}
