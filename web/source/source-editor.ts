/**
 * The source in CodeMirror, in step with the page's editor both ways. Each edit goes into the
 * editor's document as the smallest change; what changes there comes back as the smallest splices,
 * under which caret, selection and scroll stay. It has no history of its own: undo is the page's.
 * It stands in a shadow root, where CodeMirror's styles need no exception from the page's policy.
 */
import { defaultKeymap } from '@codemirror/commands'
import { markdown, markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Transaction } from '@codemirror/state'
import { EditorView, keymap, placeholder, type ViewUpdate } from '@codemirror/view'
import { TextSelection } from 'prosemirror-state'
import type { EditorView as PageView } from 'prosemirror-view'
import type { TextSplice } from '../../schema/markdown/textblock-splice.ts'
import { rewrite } from '../editor/binding/rewrite.ts'
import { redoOwn, undoOwn } from '../editor/commands/own-undo.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { frontMatter } from './front-matter.ts'
import { pagePane, sourcePane } from './panes.ts'
import { type Pane, type Place, placeOf, scrollTogether, showPlace } from './scroll-together.ts'
import { sourceLook } from './source-look.ts'
import { SourceText } from './source-text.ts'

export interface SourceEditor {
  focus(): void
  /**
   * Scrolls together with the page, until the returned function is called. The page shows its
   * place, or the source where the page was not to be seen before.
   */
  scrollBeside(leader: 'page' | 'source'): () => void
  /** Where one reads. */
  readonly place: Place
  /** Shows that place, as the page has shown it. */
  show(place: Place): void
  /** The text has become larger or smaller. */
  measure(): void
  /** Asks what to look for. */
  find(): void
  destroy(): void
}

export interface SourceParts {
  readonly page: PageView
  readonly parent: HTMLElement
  readonly isWritable: () => boolean
  /** What could not be read over a limit of the parser's. */
  readonly onRefused: () => void
}

/** What came from the document is not an edit of the source. */
const fromPage = Annotation.define<true>()

const caretAfterMs = 120

export function mountSource(parts: SourceParts): SourceEditor {
  return new SourceBeside(parts)
}

class SourceBeside implements SourceEditor {
  readonly #parts: SourceParts
  readonly #source: SourceText
  readonly #view: EditorView
  readonly #writable = new Compartment()
  readonly #stop: () => void
  #isEditing = false
  #caretTimer: number | undefined

  constructor(parts: SourceParts) {
    this.#parts = parts
    this.#source = new SourceText(parts.page.state.doc)
    const root = parts.parent.shadowRoot ?? parts.parent.attachShadow({ mode: 'open' })
    const doc = this.#source.markdown
    const at = this.#source.offsetAt(parts.page.state.selection.head)
    const caret = Math.min(at, doc.length)
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc,
        selection: { anchor: caret },
        extensions: this.#extensions(),
      }),
    })
    this.#view.dispatch({ effects: EditorView.scrollIntoView(caret, { y: 'center' }) })
    const { scrollDOM } = this.#view
    scrollDOM.addEventListener('scroll', () => {
      // The bar's hairline is not in this tree.
      parts.parent.toggleAttribute('data-scrolled', scrollDOM.scrollTop > 0)
    })
    this.#stop = onViewUpdate(parts.page, (page, before) => {
      if (page.state.doc !== before.doc) this.#followPage()
      this.#allowWriting()
    })
  }

  focus(): void {
    this.#view.focus()
  }

  scrollBeside(leader: 'page' | 'source'): () => void {
    const page = pagePane(this.#parts.page)
    return scrollTogether({ page, source: this.#pane, sourceHost: this.#parts.parent }, leader)
  }

  get place(): Place {
    return placeOf(this.#pane)
  }

  show(place: Place): void {
    showPlace(this.#pane, place)
  }

  measure(): void {
    this.#view.requestMeasure()
  }

  find(): void {
    openSearchPanel(this.#view)
  }

  get #pane(): Pane {
    return sourcePane(this.#view, this.#source)
  }

  destroy(): void {
    window.clearTimeout(this.#caretTimer)
    this.#stop()
    this.#view.destroy()
  }

  #extensions() {
    return [
      markdown({ base: markdownLanguage, completeHTMLTags: false, extensions: frontMatter }),
      sourceLook,
      search({ top: true }),
      EditorView.lineWrapping,
      placeholder('Write Markdown'),
      EditorView.contentAttributes.of({
        'aria-label': 'Source view: the document as Markdown',
        spellcheck: 'true',
        // What scrolls has something in it that takes the focus, for who cannot see that it has.
        tabindex: '0',
      }),
      this.#writable.of(writing(this.#parts.isWritable())),
      keymap.of([
        { key: 'Mod-z', run: () => this.#takeBack(undoOwn) },
        { key: 'Mod-Shift-z', run: () => this.#takeBack(redoOwn) },
        { key: 'Mod-y', run: () => this.#takeBack(redoOwn) },
        ...markdownKeymap,
        ...searchKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update) => this.#onUpdate(update)),
      EditorView.domEventHandlers({ blur: () => this.#settle() }),
    ]
  }

  #onUpdate({ transactions, docChanged, selectionSet, state }: ViewUpdate): void {
    const edits = transactions.filter((tr) => tr.docChanged && !tr.annotation(fromPage))
    if (docChanged && edits.length > 0) this.#onEdits(edits)
    else if (selectionSet && this.#hasLeftDraft(state)) this.#settleSoon()
    if (selectionSet || edits.length > 0) this.#tellCaret()
  }

  #onEdits(edits: readonly Transaction[]): void {
    const { page } = this.#parts
    const { doc } = this.#view.state
    const held = {
      length: doc.length,
      slice: (from: number, to: number) => doc.sliceString(from, to),
    }
    this.#isEditing = true
    try {
      const target = this.#source.edit(changedRange(edits), held)
      const tr = page.state.tr
      rewrite(tr, target)
      if (tr.docChanged) page.dispatch(tr)
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.#parts.onRefused()
    } finally {
      this.#isEditing = false
      this.#source.followEdit(page.state.doc, held)
    }
  }

  #followPage(): void {
    if (this.#isEditing) return
    this.#take(this.#source.follow(this.#parts.page.state.doc))
  }

  #take(splices: readonly TextSplice[]): void {
    if (splices.length === 0) return
    const specs = splices.map((changes) => ({
      changes,
      sequential: true,
      annotations: fromPage.of(true),
    }))
    this.#view.dispatch(...specs)
  }

  #hasLeftDraft(state: EditorState): boolean {
    const { draft } = this.#source
    if (draft === undefined) return false
    const { head } = state.selection.main
    const [first, last] = [state.doc.lineAt(draft.from), state.doc.lineAt(draft.to)]
    return head < first.from || head > last.to
  }

  /** CodeMirror takes no change while it tells of one. */
  #settleSoon(): void {
    queueMicrotask(() => {
      if (this.#hasLeftDraft(this.#view.state)) this.#settle()
    })
  }

  #settle(): void {
    const splice = this.#source.settle()
    if (splice !== undefined) this.#take([splice])
  }

  #takeBack(command: typeof undoOwn): boolean {
    const { page } = this.#parts
    if (!this.#parts.isWritable()) return true
    this.#settle()
    command(page.state, page.dispatch, page)
    return true
  }

  /** The page's caret goes along, so that others see it and it is there when one goes back. */
  #tellCaret(): void {
    window.clearTimeout(this.#caretTimer)
    this.#caretTimer = window.setTimeout(() => {
      const { page } = this.#parts
      const { anchor, head } = this.#view.state.selection.main
      const { doc } = page.state
      const at = (offset: number) =>
        doc.resolve(Math.min(this.#source.positionAt(offset), doc.content.size))
      const selection = TextSelection.between(at(anchor), at(head))
      if (!selection.eq(page.state.selection)) page.dispatch(page.state.tr.setSelection(selection))
    }, caretAfterMs)
  }

  #allowWriting(): void {
    const isWritable = this.#parts.isWritable()
    if (this.#isEditing) return
    if (this.#view.state.readOnly !== isWritable) return
    this.#view.dispatch({ effects: this.#writable.reconfigure(writing(isWritable)) })
  }
}

/**
 * Where nothing may be written the browser takes no keys either: what it has put into a text that
 * is only read was sometimes left there when a change of somebody else's came at that moment.
 */
const writing = (isAllowed: boolean) => [
  EditorState.readOnly.of(!isAllowed),
  EditorView.editable.of(isAllowed),
]

/** One range around all that changed. */
function changedRange(edits: readonly Transaction[]): { from: number; to: number; end: number } {
  const [first, ...more] = edits
  const changes = more.reduce((all, tr) => all.compose(tr.changes), (first as Transaction).changes)
  let [from, to, end] = [Number.POSITIVE_INFINITY, 0, 0]
  changes.iterChangedRanges((fromA, toA, _fromB, toB) => {
    from = Math.min(from, fromA)
    to = Math.max(to, toA)
    end = Math.max(end, toB)
  })
  return { from, to, end }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'INVALID_MARKDOWN'
