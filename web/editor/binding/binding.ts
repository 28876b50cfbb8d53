/**
 * Keeps the page's document and the shared one alike. One's own changes are written as Yjs writes
 * them down (`write.ts`), others' arrive as the smallest steps (`rewrite.ts`). It answers to
 * y-prosemirror's plugin key, so that its carets and position arithmetic work on it; that package's
 * own plugin replaces the whole document at each remote change, under which no position lives on,
 * and walks all blocks at each key. Invariants: opening and reading write nothing; a change that
 * came from Yjs is never answered with a write; who may not write changes nothing on the page; what
 * goes into a layer (`layer.ts`) is written nowhere.
 */
import type { Node } from 'prosemirror-model'
import {
  type EditorState,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { asFromYjs, type FromYjs, isFromYjs } from './change-origin.ts'
import { deferComposed, rebased } from './composition.ts'
import { takingLayer } from './layer.ts'
import { unreadSelection } from './native-selection.ts'
import { type NodeMapping, readDocument } from './read.ts'
import { Rewriting } from './rewrite.ts'
import { keepPlace } from './vacant-place.ts'
import { write } from './write.ts'

/** After the end of a composition: until what waited for it is shown. */
const releaseMs = 60

/**
 * A caret stays behind the character on its left: what another writes at the same place comes
 * behind it, and what one writes oneself is one run.
 */
function stayBehind(tr: Transaction, { empty, head }: Selection): void {
  if (!empty || !tr.docChanged || !(tr.selection instanceof TextSelection)) return
  const $place = tr.doc.resolve(tr.mapping.map(head, -1))
  if ($place.pos === tr.selection.head || !$place.parent.inlineContent) return
  tr.setSelection(TextSelection.create(tr.doc, $place.pos))
}

export class Binding {
  readonly doc: Y.Doc
  readonly type: Y.XmlFragment
  readonly mapping: NodeMapping = new WeakMap()
  /** Called before one's own change is written, with its state and what comes of it. */
  onBeforeWrite: (before: EditorState, after: Node) => void = () => {}
  /** Called with what shows one's own undo or redo, behind which nothing moves the selection. */
  onUndone: (tr: Transaction) => void = () => {}
  #view: EditorView | undefined
  /** What the shared document is mapped as. */
  #known: Node
  /** What the page shows of it: the same, but for a block under composition. */
  #shown: Node
  /** What stood here before anything had arrived. */
  readonly #blank: Node | undefined
  #isReading = false

  constructor(type: Y.XmlFragment) {
    if (type.doc === null) throw new TypeError('the shared text stands in no document')
    this.doc = type.doc
    this.type = type
    this.#known = readDocument(type, this.mapping)
    this.#shown = this.#known
    this.#blank = type.length === 0 ? this.#known : undefined
  }

  /** The document as it stands in Yjs, for the editor's first state. */
  get known(): Node {
    return this.#known
  }

  attach(view: EditorView): void {
    this.#view = view
    // An observer of all below would be handed a way down to each change, found child by child.
    this.doc.on('beforeObserverCalls', this.#onYjs)
    this.#read(false)
  }

  detach(): void {
    this.doc.off('beforeObserverCalls', this.#onYjs)
    this.#view = undefined
  }

  /** After each update of the view: writes what is one's own. */
  update(view: Pick<EditorView, 'state'>, before: EditorState): void {
    const next = view.state.doc
    if (this.#isReading || next === this.#shown) return
    const [known, shown] = [this.#known, this.#shown]
    if (takingLayer(view.state) !== undefined || takingLayer(before) !== undefined) {
      this.#shown = next
      return
    }
    this.onBeforeWrite(before, next)
    const written = shown === known ? next : rebased({ shown, next, known })
    this.doc.transact(() => {
      write(this.type, { old: known, next: written }, this.mapping)
      this.#known = written
    }, ySyncPluginKey)
    this.#shown = next
  }

  /** A composition ended: what waited for it is shown. */
  release(): void {
    if (this.#isBehind() && this.#view?.composing === false) this.#show(this.#known, false)
  }

  #isBehind(): boolean {
    const layer = this.#view && takingLayer(this.#view.state)
    return this.#known !== (layer?.shared ?? this.#shown)
  }

  readonly #onYjs = (transaction: Y.Transaction): void => {
    if (transaction.origin === ySyncPluginKey) return
    const before = this.#forget(transaction)
    if (before.has(this.type)) this.#read(transaction.origin instanceof Y.UndoManager, before)
  }

  /** What changed, and what is around it, is mapped no more; returns as what it was. */
  #forget(transaction: Y.Transaction): NodeMapping {
    const before: NodeMapping = new WeakMap()
    const seen = new Set<unknown>()
    for (const changed of transaction.changed.keys()) {
      let type: typeof changed | null = changed
      while (type !== null && !seen.has(type)) {
        seen.add(type)
        const known = this.mapping.get(type)
        if (known !== undefined) before.set(type, known)
        this.mapping.delete(type)
        type = type.parent
      }
    }
    return before
  }

  #read(isUndoRedoOperation: boolean, before?: NodeMapping): void {
    this.#show(readDocument(this.type, this.mapping, before), isUndoRedoOperation)
  }

  #show(next: Node, isUndoRedoOperation: boolean): void {
    const view = this.#view
    if (view === undefined) return
    const { tr, selection } = view.state
    const isFirst = tr.doc === this.#blank
    const unread = isFirst ? undefined : unreadSelection(view)
    if (unread !== undefined) tr.setSelection(unread)
    this.#known = next
    const layer = takingLayer(view.state)
    if (layer !== undefined) {
      // An input method holds on to its block, of which a layer may show more than is shared.
      if (view.composing) return
      layer.follow(tr, next)
      stayBehind(tr, unread ?? selection)
      this.#shown = tr.doc
    } else {
      this.#shown = view.composing ? deferComposed(selection.$head, next) : next
      if (tr.doc !== this.#shown) tr.step(new Rewriting(tr.doc, this.#shown))
      if (isFirst) tr.setSelection(Selection.atStart(tr.doc))
      else if (isUndoRedoOperation || !keepPlace(tr, unread ?? selection)) {
        stayBehind(tr, unread ?? selection)
      }
      if (!tr.docChanged) return
      if (isUndoRedoOperation) this.onUndone(tr)
    }
    this.#showing(asFromYjs(tr, isUndoRedoOperation))
  }

  #showing(tr: Transaction): void {
    this.#isReading = true
    try {
      this.#view?.dispatch(tr)
    } finally {
      this.#isReading = false
    }
  }
}

/** What y-prosemirror's plugins expect to find under its key. */
interface SyncState {
  readonly type: Y.XmlFragment
  readonly doc: Y.Doc
  readonly binding: Binding
  readonly snapshot: null
  readonly prevSnapshot: null
  readonly isChangeOrigin: boolean
  readonly isUndoRedoOperation: boolean
}

/** Asked at each change of one's own. */
export interface Permitted {
  /** What it forbids does not happen. */
  mayWrite(): boolean
  /** Whether it is for a layer alone: without one it does not happen. Not given: it never is. */
  writesLayer?(): boolean
}

export function bindingPlugin(binding: Binding, permitted: Permitted): Plugin<SyncState> {
  const isPermitted = (state: EditorState) =>
    permitted.mayWrite() &&
    (permitted.writesLayer?.() ?? false) === (takingLayer(state) !== undefined)
  return new Plugin<SyncState>({
    key: ySyncPluginKey,
    state: {
      init: () => ({
        type: binding.type,
        doc: binding.doc,
        binding,
        snapshot: null,
        prevSnapshot: null,
        isChangeOrigin: false,
        isUndoRedoOperation: false,
      }),
      apply(tr, state) {
        const meta = tr.getMeta(ySyncPluginKey) as Partial<FromYjs> | undefined
        const isChangeOrigin = meta?.isChangeOrigin === true
        const isUndoRedoOperation = isChangeOrigin && meta.isUndoRedoOperation === true
        const isAsBefore =
          isChangeOrigin === state.isChangeOrigin &&
          isUndoRedoOperation === state.isUndoRedoOperation
        return isAsBefore ? state : { ...state, isChangeOrigin, isUndoRedoOperation }
      },
    },
    filterTransaction: (tr, state) => !tr.docChanged || isFromYjs(tr) || isPermitted(state),
    props: {
      handleDOMEvents: {
        // The view reads the last of a composition a moment after its end.
        compositionend: () => {
          setTimeout(() => binding.release(), releaseMs)
        },
      },
    },
    view(view) {
      binding.attach(view)
      return {
        update: (updated, before) => binding.update(updated, before),
        destroy: () => binding.detach(),
      }
    },
  })
}
