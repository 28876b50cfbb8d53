/**
 * The layer of suggestions over the text, as the editor's state has it: what one suggests oneself,
 * where one is in that mode, and what others suggest. A value that does not change.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { type Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { asFromYjs } from '../editor/binding/change-origin.ts'
import { type Layer, withLayer } from '../editor/binding/layer.ts'
import { rangesBetween } from '../editor/binding/ranges.ts'
import { Rewriting } from '../editor/binding/rewrite.ts'
import { toShared, toShown } from './changes.ts'
import { afterOwn, afterShared, type Draft, type Followed, redone, undone } from './draft.ts'

/** What draws the layer, and hears who points at it. */
export interface SuggestionHost {
  /** One's own changes. */
  marks(draft: Draft, doc: Node): readonly Decoration[]
  handleClick(view: EditorView, event: MouseEvent): boolean
}

interface Parts {
  readonly draft?: Draft | undefined
  /** What others suggest, on the page. */
  readonly others?: DecorationSet
}

export class SuggestingLayer implements Layer {
  readonly draft: Draft | undefined
  readonly others: DecorationSet
  readonly #suggestions: SuggestionHost
  #drawn: DecorationSet | undefined

  constructor(suggestions: SuggestionHost, { draft, others = DecorationSet.empty }: Parts = {}) {
    this.#suggestions = suggestions
    this.draft = draft
    this.others = others
  }

  get shared(): Node | undefined {
    return this.draft?.shared
  }

  with(parts: Parts): SuggestingLayer {
    return new SuggestingLayer(this.#suggestions, {
      draft: this.draft,
      others: this.others,
      ...parts,
    })
  }

  apply(tr: Transaction): Layer {
    if (!tr.docChanged) return this
    return this.with({
      draft: this.draft && afterOwn(this.draft, tr),
      others: this.others.map(tr.mapping, tr.doc),
    })
  }

  follow(tr: Transaction, shared: Node): void {
    if (this.draft !== undefined) this.put(tr, afterShared(this.draft, tr.doc, shared))
  }

  /** The transaction makes the page show it; without a draft the document as it is. */
  put(tr: Transaction, { draft, doc }: { draft: Draft | undefined; doc: Node }): Transaction {
    if (tr.doc !== doc) tr.step(new Rewriting(tr.doc, doc))
    const others = this.others.map(tr.mapping, tr.doc)
    return asFromYjs(withLayer(tr, this.with({ draft, others })))
  }

  toShared(pos: number): number {
    return toShared(this.draft?.changes ?? [], pos)
  }

  toShown(pos: number): number {
    return toShown(this.draft?.changes ?? [], pos)
  }

  decorations({ doc }: EditorState): DecorationSet {
    this.#drawn ??= this.#draw(doc)
    return this.#drawn
  }

  #draw(doc: Node): DecorationSet {
    if (this.draft === undefined || this.draft.changes.length === 0) return this.others
    return this.others.add(doc, [...this.#suggestions.marks(this.draft, doc)])
  }

  undo(view: EditorView): boolean {
    return this.#step(view, undone)
  }

  redo(view: EditorView): boolean {
    return this.#step(view, redone)
  }

  /** What is in the shared document is not taken back from here, so this is always the answer. */
  #step(view: EditorView, stepped: (draft: Draft, doc: Node) => Followed | undefined): boolean {
    if (this.draft === undefined) return false
    const { doc } = view.state
    const followed = stepped(this.draft, doc)
    if (followed === undefined) return true
    const last = rangesBetween(doc, followed.doc).at(-1)
    const tr = this.put(view.state.tr, followed)
    if (last !== undefined) tr.setSelection(TextSelection.near(tr.doc.resolve(last.end), -1))
    view.dispatch(tr.scrollIntoView())
    return true
  }

  handleClick(view: EditorView, event: MouseEvent): boolean {
    return this.#suggestions.handleClick(view, event)
  }
}
