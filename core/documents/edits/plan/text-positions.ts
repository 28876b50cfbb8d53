/**
 * Places that text names (interface §4.5): what `old_string` matches, and the gap beside an anchor.
 * Null anchors are the ends of the document; its start is behind front matter, which is no line of
 * text.
 */
import type { ErrorCode } from '../../../../schema/errors.ts'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { countAlike, findText, type MatchStage } from '../../../../schema/markdown/matching.ts'
import type { TextRange } from '../../../../schema/markdown/printed.ts'
import { type Respelling, respelled } from '../../../../schema/markdown/respelling.ts'
import type { TextSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { diffStrings } from '../../../text/text-diff.ts'
import type { AnchorInsertEdit, ReplaceEdit } from '../request/edit.ts'
import { type Quoted, withMarkersOfPlace } from './list-markers.ts'
import { type Failed, noPosition, type Position, type PositionContext } from './position.ts'

export function positionOfReplacement(
  { text, isStale, reading, shifted }: PositionContext,
  edit: ReplaceEdit,
): Position {
  const { oldString, newString, at } = edit
  const offset = at === undefined ? undefined : shifted(at)
  const { stage, total, matches, chosen } = findText(text, oldString, {
    at: offset,
    reading,
  })
  const match = at === undefined ? matches[0] : chosen
  if (match === undefined) {
    return noPosition('EDIT_NOT_FOUND', at === undefined ? {} : { shown: oldString })
  }
  const isSeveral = total > 1 || (isStale && countAlike(text, oldString) > 1)
  if (isSeveral && at === undefined) return noPosition('EDIT_AMBIGUOUS', { shown: oldString })
  const { part, placed } = match
  if (part !== undefined && placed !== undefined) {
    const { from, to } = match
    const quoted = { from, to, wanted: placed(oldString) }
    const changed = changedParts(oldString, newString)
    const [splice = { from, to, insert: placed(newString) }] = changed.flatMap((one) => {
      const within = part(one.from, one.to, one.insert)
      return within === undefined ? [] : [{ ...within, insert: placed(one.insert) }]
    })
    return spliceAt(withMarkersOfPlace(text, splice, quoted))
  }
  const insert = respelledFor(text, { stage, wanted: oldString, range: match, insert: newString })
  if (insert === undefined) return noPosition('EDIT_NOT_FOUND', { reason: 'escape' })
  const splice = { from: match.from, to: match.to, insert }
  const quoted = { ...match, wanted: oldString }
  return spliceAt(withMarkersOfPlace(text, splice, quoted))
}

const spliceAt = (splice: TextSplice): Position => ({ kind: 'splice', splice })

/** What the new text has in place of a part of the old one: letters alone; in whole words. */
function changedParts(before: string, after: string): readonly TextSplice[] {
  const { at, remove, insert } = diffStrings(before, after) ?? {
    at: before.length,
    remove: 0,
    insert: '',
  }
  let [from, to] = [at, at + remove]
  const letters = { from, to, insert }
  if (from < before.length) while (isInWord(before, from)) from -= 1
  while (isInWord(before, to + 1) && to < before.length) to += 1
  const words = { from, to, insert: after.slice(from, after.length - before.length + to) }
  const isText = /^[\p{L}\p{N} ]*$/u.test(before.slice(at, letters.to) + insert)
  return isText ? [letters, words] : [words]
}

/** Whether a word goes on in front of an offset. */
const isInWord = (text: string, at: number): boolean => /\S/.test(text.charAt(at - 1))

/** The new text as its place spells it; undefined where that cannot be told. */
function respelledFor(
  text: DocumentText,
  { stage, ...asked }: Omit<Respelling, 'isUnescaped'> & { readonly stage: MatchStage },
): string | undefined {
  if (stage !== 'view' && stage !== 'wanted-view') return asked.insert
  return respelled(text, { ...asked, isUnescaped: stage === 'wanted-view' })
}

/** The insert lands on the line of the anchor; with two anchors, right behind the first. */
export function positionAtAnchors(context: PositionContext, edit: AnchorInsertEdit): Position {
  const { after, before, newString } = edit
  const { text } = context
  const insertAt = (at: number, beside?: AdjacentAnchor): Position => {
    const range = { from: beside?.from ?? at, to: beside?.to ?? at }
    const respelt = beside && respelledFor(text, { ...beside, range, insert: newString })
    const insert = withoutSurplusLines(text, at, respelt ?? newString)
    const splice = { from: at, to: at, insert }
    return spliceAt(withMarkersOfPlace(text, splice, beside))
  }
  if (typeof after === 'string' && typeof before === 'string') {
    return positionBetween(context, { after, before, insertAt })
  }
  if (typeof after === 'string') {
    const found = anchor(context, after)
    if ('kind' in found) return found
    const at = behindOthersOnLine(context, found.to, newString)
    return insertAt(at, { ...found, wanted: after, beside: 'to' })
  }
  if (typeof before === 'string') {
    const found = anchor(context, before)
    return 'kind' in found
      ? found
      : insertAt(found.from, { ...found, wanted: before, beside: 'from' })
  }
  if (after === null && before === null && text.length > 0) {
    return noPosition('EDIT_INTENT_AMBIGUOUS', { reason: 'both_ends' })
  }
  return insertAt(after === null ? startOf(text) : endOf(text))
}

/** An insert between lines leaves one blank line on either side at most. */
function withoutSurplusLines(text: DocumentText, at: number, insert: string): string {
  const ahead = text.slice(Math.max(0, at - 2), at)
  const before = ahead.endsWith('\n\n') ? 2 : ahead.endsWith('\n') ? 1 : 0
  const most = Math.max(0, 2 - (at === 0 ? 2 : before))
  const lead = /^\n*/.exec(insert)?.[0].length ?? 0
  if (before === 0 && at > 0) return insert
  return lead > most ? insert.slice(lead - most) : insert
}

/** Where the text of a document starts. */
export function startOf(text: DocumentText): number {
  if (text.blockCount === 0 || text.node(0).type.name !== 'front_matter') return 0
  return text.blockCount === 1 ? text.end(0) : text.start(1)
}

export const endOf = (text: DocumentText): number =>
  text.blockCount === 0 ? 0 : text.end(text.blockCount - 1)

function anchor(
  { text, isStale, reading }: PositionContext,
  wanted: string,
): (TextRange & { readonly stage: MatchStage }) | Failed {
  const { stage, total, matches } = findText(text, wanted, { reading })
  const [match] = matches
  if (match === undefined) return noPosition(goneCode(isStale))
  return total > 1 ? noPosition('ANCHOR_AMBIGUOUS', { shown: wanted }) : { ...match, stage }
}

/** The anchor that an insert stands beside, and on which side of it. */
type AdjacentAnchor = Quoted & { readonly stage: MatchStage; readonly beside: 'from' | 'to' }

/** An anchor that was there in the base is gone like any text (extensions §4). */
const goneCode = (isStale: boolean): ErrorCode => (isStale ? 'EDIT_NOT_FOUND' : 'ANCHOR_NOT_FOUND')

/** An insert that begins on the anchor's line stays on it, whatever blocks others added there. */
function behindOthersOnLine(context: PositionContext, at: number, newString: string): number {
  const end = context.behindOthers(at)
  if (end === at || newString.startsWith('\n')) return end
  const line = context.text.slice(at, end).indexOf('\n')
  return line < 0 ? end : at + line
}

/** Each anchor may repeat where the other one tells which is meant. */
function positionBetween(
  { text, isStale, reading }: PositionContext,
  edit: {
    readonly after: string
    readonly before: string
    readonly insertAt: (at: number) => Position
  },
): Position {
  const left = findText(text, edit.after, { reading })
  const right = findText(text, edit.before, { reading })
  if (left.total === 0 || right.total === 0) return noPosition(goneCode(isStale))
  const [onlyLeft, onlyRight] = [left.matches[0], right.matches[0]]
  if (left.total === 1 && right.total === 1 && onlyLeft && onlyRight) {
    if (onlyRight.from < onlyLeft.to) return noPosition('ANCHOR_ORDER_INVALID')
    return edit.insertAt(onlyLeft.to)
  }
  const gaps = left.matches.filter(({ to }) =>
    right.matches.some((each) => touches(text, to, each)),
  )
  const [gap] = gaps
  if (gap !== undefined && gaps.length === 1) return edit.insertAt(gap.to)
  return noPosition('ANCHOR_AMBIGUOUS', { shown: left.total > 1 ? edit.after : edit.before })
}

const touches = (text: DocumentText, to: number, { from }: TextRange): boolean =>
  from >= to && from - to <= 64 && text.slice(to, from).trim() === ''
