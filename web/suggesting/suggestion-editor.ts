/**
 * The suggestions of one editor while it is mounted: lays the layer over the text in the mode that
 * asks for it, keeps on the device what is drafted, has it sent, and draws what others suggest. It
 * draws no chrome; what that shows is in its stores.
 */
import { Mapping, StepMap } from 'prosemirror-transform'
import { type Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { authorship } from '../authors/authorship.ts'
import type { Binding } from '../editor/binding/binding.ts'
import { beneath, layerOf, withLayer } from '../editor/binding/layer.ts'
import { Rewriting } from '../editor/binding/rewrite.ts'
import { modesOf } from '../editor/mode.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { holdingPlace } from '../editor/viewport/held-place.ts'
import type { DocumentSession } from '../live/session.ts'
import { hasMargin } from '../platform/media.ts'
import { createStore } from '../platform/store.ts'
import { rememberedActor } from '../platform/this-browser.ts'
import { threadsOf } from '../threads/thread-store.ts'
import {
  type Draft,
  emptyDraft,
  type Followed,
  laid,
  takenBack,
  without,
  withSent,
} from './draft.ts'
import { type DraftHands, Drafting } from './drafting.ts'
import { restoredDraft } from './kept-drafts.ts'
import { draftPrefix, ownMarks } from './own-marks.ts'
import { SuggestingLayer, type SuggestionHost } from './suggesting-layer.ts'
import { SuggestionMarks } from './suggestion-marks.ts'

export interface SuggestionEditorParts {
  readonly view: EditorView
  readonly session: DocumentSession
}

const lookAfterMs = 60

export class SuggestionEditor implements SuggestionHost, DraftHands {
  /** The suggestion that one looks at, as `data-suggestion` names it. */
  readonly pointed = createStore<string | undefined>(undefined)
  /** Another object each time that what is drawn has changed. */
  readonly shown = createStore<SuggestingLayer | undefined>(undefined)
  readonly drafting: Drafting
  readonly #parts: SuggestionEditorParts
  readonly #others: SuggestionMarks
  readonly #stops: (() => void)[]
  /** What others suggest, in the shared document as it was looked at last. */
  #set = DecorationSet.empty
  #doc
  #lookTimer: number | undefined
  /** The draft of an earlier visit goes on, or there is none. */
  #isResumed = false

  constructor(parts: SuggestionEditorParts) {
    this.#parts = parts
    const { view, session } = parts
    const { book } = authorship(session)
    this.#others = new SuggestionMarks(book)
    this.drafting = new Drafting(session, this)
    this.#doc = beneath(view.state).doc
    view.dispatch(withLayer(view.state.tr, new SuggestingLayer(this)))
    const settle = () => this.#settle()
    const threads = threadsOf(session)
    this.#stops = [
      modesOf(session).mode.subscribe(settle),
      session.synced.subscribe(settle),
      threads.all.subscribe(() => this.#onThreads()),
      book.changes.subscribe(() => {
        this.#others.forget()
        this.#lookSoon()
      }),
      onViewUpdate(view, () => this.#onUpdate()),
    ]
    this.#settle()
    this.#lookSoon()
  }

  get layer(): SuggestingLayer | undefined {
    const layer = layerOf(this.#parts.view.state)
    return layer instanceof SuggestingLayer ? layer : undefined
  }

  get draft(): Draft | undefined {
    return this.layer?.draft
  }

  marks(draft: Draft, doc: Parameters<SuggestionHost['marks']>[1]): readonly Decoration[] {
    const { book } = authorship(this.#parts.session)
    return ownMarks(draft, doc, book.hueOf(this.#actor))
  }

  handleClick(view: EditorView, { target }: MouseEvent): boolean {
    const element = target instanceof Element ? target.closest('[data-suggestion]') : null
    const isHere = element !== null && view.dom.contains(element)
    const name = isHere ? (element.getAttribute('data-suggestion') ?? undefined) : undefined
    // Without a margin the sheet of threads comes up with it.
    const isSaid = name?.startsWith(draftPrefix) === false && !hasMargin.get()
    this.pointed.set(isSaid ? undefined : name)
    return false
  }

  /** One takes a change of one's own back; undo brings it again. */
  take(change: number): void {
    const [{ view }, layer] = [this.#parts, this.layer]
    if (layer?.draft === undefined) return
    const followed = takenBack(layer.draft, view.state.doc, change)
    view.dispatch(layer.put(view.state.tr, followed))
  }

  /** These changes are taken out of the draft. */
  drop(changes: readonly number[], isUnsent: boolean): void {
    const [{ view }, layer] = [this.#parts, this.layer]
    if (layer?.draft === undefined) return
    const followed = without(layer.draft, view.state.doc, { ids: new Set(changes), isUnsent })
    view.dispatch(layer.put(view.state.tr, followed))
  }

  /** These changes were sent to the service as they are now. */
  markSent(changes: readonly number[]): void {
    const [{ view }, layer] = [this.#parts, this.layer]
    if (layer?.draft === undefined) return
    const { doc, tr } = view.state
    const draft = withSent(layer.draft, doc, changes)
    if (draft !== layer.draft) view.dispatch(layer.put(tr, { draft, doc }))
  }

  destroy(): void {
    window.clearTimeout(this.#lookTimer)
    for (const stop of this.#stops) stop()
    this.#lift()
    this.drafting.close()
    const { view } = this.#parts
    if (!view.isDestroyed) view.dispatch(withLayer(view.state.tr, undefined))
  }

  get #actor(): string {
    return this.#parts.session.account.get()?.actor_id ?? rememberedActor()
  }

  #settle(): void {
    const { session } = this.#parts
    const wants = modesOf(session).mode.get() === 'suggesting' && session.synced.get()
    if (!wants && !this.#isResumed && session.synced.get()) this.#resume(true)
    if (wants === (this.draft !== undefined)) return
    if (wants) this.#lay()
    else this.#lift()
    this.#lookSoon()
  }

  #lay(): void {
    const { view } = this.#parts
    bindingOf(view).release()
    const layer = this.layer ?? new SuggestingLayer(this)
    const followed = this.#resume(false)
    view.dispatch(layer.put(view.state.tr, followed))
    this.drafting.heard(threadsOf(this.#parts.session))
  }

  /** The draft that this device keeps goes on; what was not sent is, also in another mode. */
  #resume(isLeft: boolean): Followed {
    this.#isResumed = true
    const { view, session } = this.#parts
    const { known: doc, type: fragment } = bindingOf(view)
    const place = { slug: session.slug, actor: this.#actor, fragment, doc }
    const { key, pieces, lost, sent } = restoredDraft(place, () => this.drafting.markdownOf(doc))
    const followed = laid({ ...emptyDraft(doc), lost }, pieces)
    this.drafting.begin({ draft: followed.draft, page: followed.doc, place, key }, sent, isLeft)
    return followed
  }

  #lift(): void {
    const [{ view }, layer] = [this.#parts, this.layer]
    if (layer?.draft === undefined) return
    this.drafting.end()
    if (view.isDestroyed) return
    view.dispatch(layer.put(view.state.tr, { draft: undefined, doc: layer.draft.shared }))
    bindingOf(view).release()
  }

  #onUpdate(): void {
    const { view } = this.#parts
    const { draft } = this
    this.shown.set(this.layer)
    if (draft !== undefined) this.drafting.update(draft, view.state)
    const { doc } = beneath(view.state)
    if (doc === this.#doc) return
    if (this.#set !== DecorationSet.empty) {
      this.#set = this.#set.map(new Mapping([new Rewriting(this.#doc, doc).getMap()]), doc)
    }
    this.#doc = doc
    this.#lookSoon()
  }

  #onThreads(): void {
    this.drafting.heard(threadsOf(this.#parts.session))
    this.#lookSoon()
  }

  #lookSoon(ms = lookAfterMs): void {
    this.#lookTimer ??= window.setTimeout(() => {
      this.#lookTimer = undefined
      this.#look()
    }, ms)
  }

  /** Draws what others suggest as it is now; a little at a time where it is much. */
  #look(): void {
    const { view, session } = this.#parts
    const layer = this.layer
    if (view.isDestroyed || layer === undefined) return
    if (view.composing) {
      this.#lookSoon()
      return
    }
    const threads = threadsOf(session).all.get()
    const except = this.draft === undefined ? new Set<string>() : this.drafting.undrawn
    const { set, isAll } = this.#others.look(this.#set, { doc: this.#doc, threads, except })
    if (!isAll) this.#lookSoon(0)
    if (set === this.#set) return
    this.#set = set
    const { state } = view
    const others = layer.draft === undefined ? set : set.map(ontoPage(layer.draft), state.doc)
    holdingPlace(view, () => view.dispatch(withLayer(state.tr, layer.with({ others }))))
  }
}

const bindingOf = (view: EditorView): Binding =>
  ySyncPluginKey.getState(view.state)?.binding as Binding

const ontoPage = ({ changes }: Draft): Mapping =>
  new Mapping([
    new StepMap(changes.flatMap(({ from, to, at, end }) => [from, to - from, end - at])),
  ])
