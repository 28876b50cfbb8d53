/** Beginning to comment: what the selection, or the block, in the text is about to be said of. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { beneath } from '../editor/binding/layer.ts'
import { type DocRange, spanOf } from '../editor/model/doc-range.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { nobody } from '../platform/this-browser.ts'
import { discussionStateOf, type Subject } from './discussion-state.ts'
import { draftOf, newOne } from './drafts.ts'
import { draftId, markDraft, rangesIn } from './highlights.ts'
import { blocksOf, placeOf, rangeOf, type ThreadRange } from './thread-ranges.ts'

const wordsMaxChars = 300

/** What was selected when a comment was begun. */
export interface Meant extends DocRange {
  /** One node as a whole. */
  readonly isNode: boolean
}

/** Opens a new comment on what was selected; without a selection on the block of the caret. */
export function beginComment(session: DocumentSession, view: EditorView, meant: Meant): void {
  const discussion = discussionStateOf(session)
  const begun = discussion.subject.get()
  const subject = begun === undefined || !hasDraft(session) ? subjectOf(view, meant) : begun
  if (subject === undefined) {
    notify('Select text to comment on.')
    return
  }
  if (subject === begun) notify('Send or cancel your open comment first.')
  discussion.subject.set(subject)
  markSubject(view, subject)
  discussion.open(draftId)
  discussion.answers.set(draftId)
}

/** Whether something is written in the new comment. */
function hasDraft(session: DocumentSession): boolean {
  const actor = session.account.get()?.actor_id ?? nobody
  return (draftOf({ actor, slug: session.slug, of: newOne })?.text ?? '') !== ''
}

/** The focus goes back to the words of the new comment: all of them selected, or behind them. */
export function goBackFromDraft(view: EditorView, is: 'selected' | 'behind'): void {
  if (view.isDestroyed) return
  const range = rangesIn(view.state).get(draftId)
  const { doc, tr, selection: now } = view.state
  const span = spanOf(now)
  const isSelected = range && !now.empty && span.from <= range.from && span.to >= range.to
  if (range !== undefined && !range.isBlock && !(is === 'selected' && isSelected)) {
    const from = is === 'selected' ? range.from : range.to
    const selection = TextSelection.between(doc.resolve(from), doc.resolve(range.to))
    view.dispatch(tr.setSelection(selection))
  }
  view.focus()
}

function subjectOf({ state }: EditorView, { from, to, isNode }: Meant): Subject | undefined {
  const $from = state.doc.resolve(from)
  const selected = isNode ? state.doc.nodeAt(from) : null
  const isBlock = selected?.isBlock === true
  // What is only suggested here the service has no place for.
  const shared = beneath(state)
  const inShared = { from: shared.toShared(from), to: shared.toShared(to) }
  const place = from === to || isBlock ? undefined : placeOf(shared.doc, inShared)
  if (place !== undefined) return { place, words: place.words.slice(0, wordsMaxChars) }
  if (from !== to && !isBlock) return undefined
  if (isBlock && typeof selected.attrs['id'] === 'string') {
    return { block: selected.attrs['id'], words: selected.textContent.slice(0, wordsMaxChars) }
  }
  for (let depth = $from.depth; depth > 0; depth--) {
    const around = $from.node(depth)
    const id: unknown = around.attrs['id']
    if (typeof id === 'string') {
      return { block: id, words: around.textContent.slice(0, wordsMaxChars) }
    }
  }
  return undefined
}

/** Marks what a comment is begun about; false: it is not there any more. */
export function markSubject(view: EditorView, subject: Subject): boolean {
  if (view.isDestroyed) return false
  const { place = null, block = null } = subject
  const { doc, toShown } = beneath(view.state)
  const about = { place, block_id: block }
  const range = rangeOf(blocksOf(doc, [about]), about)
  const shown = range && { ...range, from: toShown(range.from), to: toShown(range.to) }
  markDraft(view, shown)
  return range !== undefined
}

/** What it is about now, after the text went on; undefined: that is gone. */
export function subjectNow(
  view: EditorView,
  subject: Subject,
  range: ThreadRange | undefined,
): Pick<Subject, 'place' | 'block'> | undefined {
  if (range === undefined) return undefined
  if (subject.block !== undefined) return { block: subject.block }
  const { doc, toShared } = beneath(view.state)
  const place = placeOf(doc, { from: toShared(range.from), to: toShared(range.to) })
  return place && { place }
}
