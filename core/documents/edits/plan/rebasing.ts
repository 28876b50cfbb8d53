/**
 * Edits on a stale base (interface §4.5, stale rules): which may be matched anew, and all of them
 * matched against the captured current text. They are made from its end towards its start, so that
 * positions hold; where printing moved one nevertheless, it is followed.
 */

import { assertNever, Refusal } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { readingOf } from '../../../../schema/markdown/matching.ts'
import { onlyOccurrence } from '../../../../schema/occurrences.ts'
import { diffTexts } from '../../../text/text-diff.ts'
import type { Edit } from '../request/edit.ts'
import { failed } from '../request/outcomes.ts'
import { isPositional } from './block-targets.ts'
import type { Draft } from './draft.ts'
import { type Failed, noPosition, type Position, type PositionContext } from './position.ts'
import { findPosition } from './positioning.ts'

type RebaseContext = Omit<PositionContext, 'text' | 'isStale' | 'shifted' | 'reading'>

/** Refuses EDIT_STALE when one of the edits means the base revision itself. */
export function requireRebasable(edits: readonly Edit[]): void {
  const index = edits.findIndex((edit) => !isRebasable(edit))
  if (index < 0) return
  throw new Refusal('EDIT_STALE', failed([{ ok: false, index, code: 'EDIT_STALE' }]))
}

/** Stale rules 1 to 4. */
function isRebasable(edit: Edit): boolean {
  switch (edit.form) {
    case 'replace':
      return edit.at === undefined
    case 'anchor_insert':
      return (edit.after === undefined) !== (edit.before === undefined)
    case 'block_insert': {
      const { afterBlock, beforeBlock } = edit
      const isSingle = (afterBlock === undefined) !== (beforeBlock === undefined)
      return isSingle && !isPositional(afterBlock ?? beforeBlock ?? '')
    }
    case 'delete_block':
    case 'move_block':
    case 'replace_document':
      return false
    default:
      return assertNever(edit)
  }
}

interface Target {
  readonly index: number
  readonly position: Exclude<Position, Failed>
  readonly from: number
  readonly to: number
}

/** Stale rule 5: all matching is against the text as it is now; touching edits do not overlap. */
export function applyRebased(draft: Draft, edits: readonly Edit[], given: RebaseContext): void {
  const captured = draft.text
  const shifted = (offset: number) => offset
  const context = { ...given, isStale: true, shifted, reading: readingOf() }
  const targets: Target[] = []
  for (const [index, edit] of edits.entries()) {
    const position = findPosition({ ...context, text: captured }, edit)
    if (position.kind === 'failed') {
      draft.fail(index, position)
      continue
    }
    const range = rangeOf(position)
    if (targets.some((other) => overlaps(other, range)))
      draft.fail(index, noPosition('EDIT_OVERLAP'))
    else targets.push({ index, position, ...range })
  }
  const make = (index: number, now: Position) => {
    if (now.kind === 'failed') draft.fail(index, now)
    else draft.make(index, now)
  }
  const isLast = ({ index }: Target) => goesToEnd(edits[index])
  for (const target of targets.filter((one) => !isLast(one)).sort(lastFirst)) {
    make(target.index, positionNow(draft.text, captured, target.position))
  }
  // What goes to the end comes behind what the edits before it in the request put there.
  for (const { index, position } of targets.filter(isLast)) {
    const edit = edits[index]
    make(index, edit ? findPosition({ ...context, text: draft.text }, edit) : position)
  }
}

/** Stale rule 2: it is appended at the current end. */
function goesToEnd(edit: Edit | undefined): boolean {
  if (edit?.form === 'anchor_insert') return edit.before === null && edit.after === undefined
  return edit?.form === 'block_insert' && edit.beforeBlock === null
}

function rangeOf(position: Exclude<Position, Failed>): {
  readonly from: number
  readonly to: number
} {
  if (position.kind === 'splice') return position.splice
  const at = position.kind === 'command' ? position.at : 0
  return { from: at, to: at }
}

const overlaps = (a: Omit<Target, 'index' | 'position'>, b: typeof a): boolean =>
  a.from < b.to && b.from < a.to

/**
 * At one position, what the request has later is made first, and so comes to stand behind; but of
 * what goes before a block, each comes to stand behind what was made before it.
 */
function lastFirst(a: Target, b: Target): number {
  const [isPushing, pushes] = [goesBefore(a), goesBefore(b)]
  const inRequest = isPushing ? a.index - b.index : b.index - a.index
  return b.from - a.from || b.to - a.to || Number(isPushing) - Number(pushes) || inRequest
}

function goesBefore({ position }: Target): boolean {
  if (position.kind !== 'command' || position.command.kind !== 'insert') return false
  return position.command.to.side === 'before'
}

/** The position in the text as the edits behind it have left it. */
function positionNow(
  text: DocumentText,
  captured: DocumentText,
  position: Target['position'],
): Position {
  const change = diffTexts(captured, text)
  if (change === undefined || position.kind === 'document') return position
  if (position.kind === 'command') return rebasedInsert(text, position)
  const { from, to, insert } = position.splice
  if (to <= change.at) return position
  const moved = onlyOccurrence(change.insert, captured.slice(from, to))
  const isInside = change.at <= from && to <= change.at + change.remove && to > from
  if (!isInside || moved === undefined) return noPosition('EDIT_DRIFT_UNRESOLVED')
  const start = change.at + moved
  return { kind: 'splice', splice: { from: start, to: start + to - from, insert } }
}

/** Of the commands only inserts are made on a stale base; the block beside which is found again. */
function rebasedInsert(
  text: DocumentText,
  position: Extract<Position, { kind: 'command' }>,
): Position {
  const { command } = position
  if (command.kind !== 'insert' || !('block' in command.to)) return position
  const { side, block } = command.to
  const now = block.id === null ? undefined : text.findBlock(block.id)
  if (now === undefined) return noPosition('EDIT_DRIFT_UNRESOLVED')
  return { ...position, command: { ...command, to: { side, block: now } } }
}
