/**
 * Edits on a stale base (interface §4.5, stale rules): which may be placed anew, and all of them
 * matched against the captured current text. They are made from its end towards its start, so that
 * places hold; where printing moved one nevertheless, it is followed.
 */

import { assertNever, Refusal } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { readingOf } from '../../../../schema/markdown/matching.ts'
import type { Steps } from '../../../../schema/steps.ts'
import { diffTexts } from '../../records/text-diff.ts'
import type { Edit } from '../request/edit.ts'
import { failed } from '../request/outcomes.ts'
import { isPositional } from './block-targets.ts'
import type { Draft } from './draft.ts'
import { type Failed, notPlaced, type Placed, type PlacingContext } from './position.ts'
import { place } from './positioning.ts'

type Context = Omit<PlacingContext, 'text' | 'isStale' | 'shifted' | 'reading'>

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
  readonly placed: Exclude<Placed, Failed>
  readonly from: number
  readonly to: number
}

/** Stale rule 5: all matching is against the text as it is now; touching edits do not overlap. */
export function* applyRebased(draft: Draft, edits: readonly Edit[], given: Context): Steps<void> {
  const captured = draft.text
  const shifted = (offset: number) => offset
  const context = { ...given, isStale: true, shifted, reading: readingOf() }
  const targets: Target[] = []
  for (const [index, edit] of edits.entries()) {
    const placed = yield* place({ ...context, text: captured }, edit)
    yield
    if (placed.kind === 'failed') {
      draft.fail(index, placed)
      continue
    }
    const range = rangeOf(placed)
    if (targets.some((other) => overlaps(other, range)))
      draft.fail(index, notPlaced('EDIT_OVERLAP'))
    else targets.push({ index, placed, ...range })
  }
  for (const target of targets.sort(lastFirst)) {
    const now = placedNow(draft.text, captured, target.placed)
    if (now.kind === 'failed') draft.fail(target.index, now)
    else yield* draft.make(target.index, now)
    yield
  }
}

function rangeOf(placed: Exclude<Placed, Failed>): { readonly from: number; readonly to: number } {
  if (placed.kind === 'splice') return placed.splice
  const at = placed.kind === 'command' ? placed.at : 0
  return { from: at, to: at }
}

const overlaps = (a: Omit<Target, 'index' | 'placed'>, b: typeof a): boolean =>
  a.from < b.to && b.from < a.to

/**
 * At one place, what the request has later is made first, and so comes to stand behind; but of what
 * goes before a block, or to the end, each comes to stand behind what was made before it.
 */
function lastFirst(a: Target, b: Target): number {
  const [isPushing, pushes] = [goesBefore(a), goesBefore(b)]
  const inRequest = isPushing ? a.index - b.index : b.index - a.index
  return b.from - a.from || b.to - a.to || Number(isPushing) - Number(pushes) || inRequest
}

function goesBefore({ placed }: Target): boolean {
  if (placed.kind !== 'command' || placed.command.kind !== 'insert') return false
  return placed.command.to.side === 'before' || placed.command.to.side === 'end'
}

/** The place in the text as the edits behind it have left it. */
function placedNow(text: DocumentText, captured: DocumentText, placed: Target['placed']): Placed {
  const change = diffTexts(captured, text)
  if (change === undefined || placed.kind === 'document') return placed
  if (placed.kind === 'command') return besideNow(text, placed)
  const { from, to, insert } = placed.splice
  if (to <= change.at) return placed
  const moved = change.insert.indexOf(captured.slice(from, to))
  const isOnly = change.insert.indexOf(captured.slice(from, to), moved + 1) < 0
  const isInside = change.at <= from && to <= change.at + change.remove && to > from
  if (!isInside || moved < 0 || !isOnly) return notPlaced('EDIT_DRIFT_UNRESOLVED')
  const start = change.at + moved
  return { kind: 'splice', splice: { from: start, to: start + to - from, insert } }
}

/** Of the commands only inserts are made on a stale base; the block beside which is found again. */
function besideNow(text: DocumentText, placed: Extract<Placed, { kind: 'command' }>): Placed {
  const { command } = placed
  if (command.kind !== 'insert' || !('block' in command.to)) return placed
  const { side, block } = command.to
  const now = block.id === null ? undefined : text.findBlock(block.id)
  if (now === undefined) return notPlaced('EDIT_DRIFT_UNRESOLVED')
  return { ...placed, command: { ...command, to: { side, block: now } } }
}
