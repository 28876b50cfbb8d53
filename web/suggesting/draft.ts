/**
 * What one suggests, over the shared document as it is: the changes, the way back, and what lost
 * its place. A value that does not change. Invariant: the shared document with the changes in it is
 * what the page shows. It knows neither view nor service.
 */
import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import {
  AddMarkStep,
  AttrStep,
  RemoveMarkStep,
  type Step,
  type StepMap,
} from 'prosemirror-transform'
import { type ChangedRange, rangesBetween } from '../editor/binding/ranges.ts'
import { Rewriting } from '../editor/binding/rewrite.ts'
import {
  type Change,
  composed,
  difference,
  isAlike,
  moved,
  type Piece,
  piecesOf,
  put,
  rangesOf,
  settled,
  shownWith,
} from './changes.ts'

/** Changes that are made sooner after another, at the same place, are taken back with it. */
const stepMs = 600
const stepsMax = 100
/** Of one change: what the service has, and what is being sent. */
const sentMax = 2
/** More than these nobody puts aside; the oldest go. */
const lostMax = 50

export interface Draft {
  readonly shared: Node
  readonly changes: readonly Change[]
  /** What stood before each step of one's own, the latest last; and what was taken back. */
  readonly past: readonly (readonly Piece[])[]
  readonly future: readonly (readonly Piece[])[]
  /** What one wrote where there is nothing any more. */
  readonly lost: readonly Piece[]
  /** Changes as they were sent to the service, the latest last: they may be accepted so. */
  readonly sent: readonly Piece[]
  /** The changes that stand in the shared document now, as somebody accepted them. */
  readonly done: readonly number[]
  /** The deletions whose words others deleted: no drafts any more, but not withdrawn either. */
  readonly gone: readonly number[]
  readonly lastId: number
  readonly changedAt: number
}

export const emptyDraft = (shared: Node): Draft => ({
  shared,
  changes: [],
  past: [],
  future: [],
  lost: [],
  sent: [],
  done: [],
  gone: [],
  lastId: 0,
  changedAt: 0,
})

/** After a change of one's own. */
export function afterOwn(draft: Draft, tr: Transaction): Draft {
  let { lastId } = draft
  let changes = draft.changes
  for (const [index, doc] of tr.docs.entries()) {
    const next = tr.docs[index + 1] ?? tr.doc
    const step = tr.steps[index]
    const ranges = step === undefined ? [] : rangesOfStep(step, doc, next)
    changes = composed(changes, ranges, () => ++lastId)
  }
  changes = settled(changes, draft.shared, tr.doc)
  const isAppended = tr.getMeta('appendedTransaction') !== undefined
  const isSame =
    changes.length === draft.changes.length &&
    changes.every(({ id }, at) => id === draft.changes[at]?.id)
  const isBrought = ['paste', 'cut', 'drop'].includes(tr.getMeta('uiEvent'))
  const joins = isSame && !isBrought && tr.time - draft.changedAt < stepMs
  const after = { ...draft, changes, lastId, changedAt: tr.time, future: [] }
  if (isAppended || joins) return after
  const before = piecesOf(draft.changes, tr.before)
  return { ...after, past: [...draft.past, before].slice(-stepsMax) }
}

/** What a step changes; of many blocks that it puts anew what differs. */
function rangesOfStep(step: Step, doc: Node, next: Node): ChangedRange[] {
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    return step.mark.type.name === 'authored' ? [] : [inPlace(step.from, step.to)]
  }
  if (step instanceof AttrStep) return step.attr === 'id' ? [] : [inPlace(step.pos, step.pos + 1)]
  const ranges = rangesOf(step.getMap())
  const [only, ...more] = ranges
  const isOfBlocks =
    only !== undefined &&
    only.from < only.to &&
    only.start < only.end &&
    doc.resolve(only.from).depth === 0 &&
    doc.resolve(only.to).depth === 0
  return more.length === 0 && isOfBlocks ? rangesBetween(doc, next) : ranges
}

const inPlace = (from: number, to: number): ChangedRange => ({ from, to, start: from, end: to })

/** The draft over what is shared now, and the document that the page shows then. */
export interface Followed {
  readonly draft: Draft
  readonly doc: Node
}

/** These changes were sent to the service as they are now. */
export function withSent(draft: Draft, shown: Node, ids: readonly number[]): Draft {
  let { sent } = draft
  for (const piece of piecesOf(draft.changes, shown)) {
    if (!ids.includes(piece.id) || isSent(draft, piece)) continue
    const others = sent.filter(({ id }) => id !== piece.id)
    const before = sent.filter(({ id }) => id === piece.id).slice(1 - sentMax)
    sent = [...others, ...before, piece]
  }
  return sent === draft.sent ? draft : { ...draft, sent }
}

const isSent = ({ sent }: Draft, { id, slice }: Piece): boolean =>
  sent.findLast((one) => one.id === id)?.slice.eq(slice) === true

/** `shown`: what the page shows until now. */
export function afterShared(draft: Draft, shown: Node, shared: Node): Followed {
  const map = new Rewriting(draft.shared, shared).getMap()
  const now = { shared, map }
  const sentDone = draft.sent.filter((piece) => isDone(piece, draft.shared, now))
  const done = new Set<number>()
  const gone = new Set<number>()
  let { lastId } = draft
  const pieces = piecesOf(draft.changes, shown).flatMap((piece) => {
    const isSaid = sentDone.some(({ id }) => id === piece.id)
    if (!isSaid && !isDone(piece, draft.shared, now)) {
      const [next] = moved([piece], map)
      if (next === undefined || !isEmpty(next)) return next ?? []
      gone.add(piece.id)
      return []
    }
    done.add(piece.id)
    const rest = isSaid ? beyond(piece, draft.shared, now) : undefined
    return rest === undefined ? [] : [{ ...rest, id: ++lastId }]
  })
  const onward = (row: readonly Piece[]) =>
    moved(
      row.filter(({ id }) => !done.has(id) && !gone.has(id)),
      map,
    )
  const [past, future] = [draft.past.map(onward), draft.future.map(onward)]
  const sent = onward(draft.sent)
  const ended = {
    done: [...draft.done, ...done].slice(-stepsMax),
    gone: [...draft.gone, ...gone].slice(-stepsMax),
  }
  return laid({ ...draft, ...ended, shared, past, future, sent, lastId }, pieces)
}

const isEmpty = ({ from, to, slice }: Piece): boolean => from === to && slice.size === 0

/** The draft with these pieces in place of its own. */
export function laid(draft: Draft, pieces: readonly Piece[]): Followed {
  const { doc, changes, lost } = shownWith(draft.shared, pieces)
  const lastId = pieces.reduce((most, { id }) => Math.max(most, id), draft.lastId)
  return {
    draft: { ...draft, changes, lastId, lost: [...draft.lost, ...lost].slice(-lostMax) },
    doc,
  }
}

/** Undefined: there is nothing to take back. */
export function undone(draft: Draft, shown: Node): Followed | undefined {
  const pieces = draft.past.at(-1)
  if (pieces === undefined) return undefined
  const now = piecesOf(draft.changes, shown)
  const past = draft.past.slice(0, -1)
  return laid({ ...draft, past, future: [...draft.future, now], changedAt: 0 }, pieces)
}

export function redone(draft: Draft, shown: Node): Followed | undefined {
  const pieces = draft.future.at(-1)
  if (pieces === undefined) return undefined
  const now = piecesOf(draft.changes, shown)
  const future = draft.future.slice(0, -1)
  return laid({ ...draft, past: [...draft.past, now], future, changedAt: 0 }, pieces)
}

/** Without one of the changes, as a step of one's own. */
export function takenBack(draft: Draft, shown: Node, change: number): Followed {
  const now = piecesOf(draft.changes, shown)
  const past = [...draft.past, now].slice(-stepsMax)
  const others = now.filter(({ id }) => id !== change)
  return laid({ ...draft, past, future: [], changedAt: 0 }, others)
}

/**
 * Without these, which were decided or withdrawn: they do not come back by undo either. What one
 * wrote on is lost: it changed after it was sent, or (`isUnsent`) was refused just now.
 */
export function without(
  draft: Draft,
  shown: Node,
  { ids, isUnsent = false }: { readonly ids: ReadonlySet<number>; readonly isUnsent?: boolean },
): Followed {
  const others = (row: readonly Piece[]) => row.filter(({ id }) => !ids.has(id))
  const isKnown = ({ id }: Piece) => draft.sent.some((one) => one.id === id)
  const isLost = (piece: Piece) => isUnsent || (isKnown(piece) && !isSent(draft, piece))
  const pieces = piecesOf(draft.changes, shown)
  const lost = pieces.filter((piece) => ids.has(piece.id) && isLost(piece))
  const rest = {
    past: draft.past.map(others),
    future: draft.future.map(others),
    sent: others(draft.sent),
    lost: [...draft.lost, ...lost].slice(-lostMax),
  }
  return laid({ ...draft, ...rest }, others(pieces))
}

interface Now {
  readonly shared: Node
  /** From the shared document as it was. */
  readonly map: StepMap
}

/** The text blocks of a change, as they were and where they are now. */
function blocksOf(piece: Piece, before: Node, { map }: Now): ChangedRange {
  const [$from, $to] = [before.resolve(piece.from), before.resolve(piece.to)]
  const from = $from.parent.inlineContent ? $from.start() : piece.from
  const to = $to.parent.inlineContent ? $to.end() : piece.to
  return { from, to, start: map.map(from, -1), end: map.map(to, 1) }
}

/** What is left to change where an earlier form of the change was accepted; undefined: nothing. */
function beyond(piece: Piece, before: Node, now: Now): Omit<Piece, 'id'> | undefined {
  const wanted = put(before, piece)
  if (wanted === undefined) return undefined
  const { from, to, start, end } = blocksOf(piece, before, now)
  const until = to + wanted.content.size - before.content.size
  const rest = difference(now.shared.slice(start, end).content, wanted.slice(from, until).content)
  if (rest === undefined) return undefined
  const slice = wanted.slice(from + rest.start, from + rest.end)
  return { from: start + rest.from, to: start + rest.to, slice }
}

/** Whether the text blocks of a change read now as it would have them: somebody accepted it. */
function isDone(piece: Piece, before: Node, now: Now): boolean {
  const { shared } = now
  const { from, to, start, end } = blocksOf(piece, before, now)
  const isTouched =
    end - start !== to - from || !before.slice(from, to).eq(shared.slice(start, end))
  if (!isTouched) return false
  const wanted = put(before, piece)
  if (wanted === undefined) return false
  const grown = wanted.content.size - before.content.size
  if (end - start !== to - from + grown) return false
  return isAlike(wanted.slice(from, to + grown).content, shared.slice(start, end).content)
}
