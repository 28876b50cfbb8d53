/**
 * Going through suggestions and deciding them: which there are in the text and in what order, and
 * what becomes of one, of all of an author or of all. The service decides one after the other; what
 * it refuses is said once, and stays.
 */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ApiError } from '../api/http.ts'
import { withdraw } from '../api/suggestions.ts'
import { type Decision, decide } from '../api/threads.ts'
import type { Editor } from '../editor/editor.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { rememberAct } from '../live/last-act.ts'
import type { DocumentSession } from '../live/session.ts'
import { hasMargin } from '../platform/media.ts'
import { notify } from '../platform/notices.ts'
import { createStore } from '../platform/store.ts'
import { discussionStateOf } from '../threads/discussion-state.ts'
import { threadsOf } from '../threads/thread-store.ts'
import { ownName } from './own-marks.ts'
import type { SuggestionEditor } from './suggestion-editor.ts'
import { type PendingSuggestion, pendingIn } from './suggestion-marks.ts'

/** Of what is drawn while one goes through them. */
export interface ReviewProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly suggestions: SuggestionEditor
  readonly review: Review
}

interface Spot {
  readonly name: string
  readonly from: number
}

export class Review {
  /** Going through them, with the bar that says how far one is. */
  readonly isOpen = createStore(false)
  /** Somebody put the bar away; it is there by itself for as long as there are suggestions. */
  readonly isClosed = createStore(false)
  /** How many are being decided. */
  readonly deciding = createStore(0)
  readonly #session: DocumentSession
  readonly #view: EditorView
  readonly #suggestions: SuggestionEditor

  constructor(session: DocumentSession, view: EditorView, suggestions: SuggestionEditor) {
    this.#session = session
    this.#view = view
    this.#suggestions = suggestions
  }

  get mayDecide(): boolean {
    const role = this.#session.role.get()
    const { read_only: isLocked = false } = this.#session.flags.get() ?? {}
    return role === 'owner' || (role === 'editor' && !isLocked)
  }

  /** The suggestions in the text, in its order; one's own that are drafts here among them. */
  spots(): readonly Spot[] {
    const found = new Map<string, number>()
    const layer = this.#suggestions.layer
    for (const { from, spec } of layer?.others.find() ?? []) {
      const name = String(spec.suggestion)
      found.set(name, Math.min(from, found.get(name) ?? from))
    }
    for (const { id, at } of layer?.draft?.changes ?? []) found.set(ownName(id), at)
    return [...found].map(([name, from]) => ({ name, from })).sort((a, b) => a.from - b.from)
  }

  waiting(): readonly PendingSuggestion[] {
    return pendingIn(threadsOf(this.#session).all.get())
  }

  /** To the next one, or the one before; from the caret where one looks at none. */
  go(by: 1 | -1): void {
    const spots = this.spots()
    if (spots.length === 0) {
      notify('There are no suggestions in this document.')
      return
    }
    this.isOpen.set(true)
    this.isClosed.set(false)
    const { pointed } = this.#suggestions
    const current = spots.findIndex(({ name }) => name === pointed.get())
    const { head } = this.#view.state.selection
    const ahead = spots.findIndex(({ from }) => from >= head)
    const beside = by > 0 ? (ahead < 0 ? 0 : ahead) : (ahead < 0 ? spots.length : ahead) - 1
    const next = current < 0 ? beside : current + by
    const spot = spots[(next + spots.length) % spots.length]
    if (spot !== undefined) this.show(spot)
  }

  show({ name, from }: Spot): void {
    const view = this.#view
    const { tr } = view.state
    const at = tr.doc.resolve(Math.min(from, tr.doc.content.size))
    view.dispatch(tr.setSelection(TextSelection.near(at)))
    this.#suggestions.pointed.set(name)
    const thread = this.waiting().find(({ id }) => id === name)?.thread
    // Beside it, not over it.
    if (hasMargin.get()) discussionStateOf(this.#session).active.set(thread)
    scrollToPosition(view, from, 'instant')
  }

  /** The suggestion that one looks at. */
  async decidePointed(decision: Decision): Promise<void> {
    const name = this.#suggestions.pointed.get()
    const one = this.waiting().find(({ id }) => id === name)
    if (one === undefined || !this.mayDecide) return
    const spots = this.spots()
    const at = spots.findIndex(({ name: other }) => other === name)
    const next = spots[at + 1] ?? spots[at - 1]
    await this.decide([one], decision)
    if (this.#suggestions.pointed.get() !== name) return
    const again = this.isOpen.get() && this.spots().find((spot) => spot.name === next?.name)
    if (again) this.show(again)
    else this.#suggestions.pointed.set(undefined)
  }

  /** All that wait; what is still a draft of one's own is sent first, and is among them. */
  async decideAll(decision: Decision): Promise<void> {
    const { sending } = this.#suggestions.drafting
    await sending.now()
    const own = [...sending.sent.values()].map(({ thread }) => thread)
    await threadsOf(this.#session).refresh(own)
    await this.decide(this.waiting(), decision)
  }

  async decide(suggestions: readonly PendingSuggestion[], decision: Decision): Promise<void> {
    const failed: string[] = []
    const made: number[] = []
    this.deciding.set(this.deciding.get() + suggestions.length)
    for (const { id } of suggestions) {
      try {
        made.push((await decide(this.#session.slug, id, decision)).revision)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failed.push(error.message)
      } finally {
        this.deciding.set(this.deciding.get() - 1)
      }
    }
    if (decision === 'accept') rememberAct(this.#session, made)
    const threads = [...new Set(suggestions.map(({ thread }) => thread))]
    await threadsOf(this.#session).refresh(threads)
    this.#tell(suggestions.length, failed, decision)
  }

  /** One's own. */
  async withdraw({ id, thread }: PendingSuggestion): Promise<void> {
    try {
      await withdraw(this.#session.slug, id)
      await threadsOf(this.#session).refresh([thread])
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notify(`That did not work: ${error.message}`, 'problem')
    }
  }

  #tell(count: number, failed: readonly string[], decision: Decision): void {
    const [first] = failed
    if (first === undefined) {
      if (count > 1) notify(decision === 'accept' ? `${count} accepted.` : `${count} rejected.`)
    } else if (count === 1) notify(`That did not work: ${first}`, 'problem')
    else
      notify(
        `${count - failed.length} of ${count} done. The others are still pending: ${first}`,
        'problem',
      )
  }
}
