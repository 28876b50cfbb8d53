/**
 * What the browser is told of a selection. It lays out all that it is told of, wherever that is, so
 * of a selection of very many blocks it gets the part in sight and some around that: its ends stand
 * at the edges of groups, out of sight. The editor's own selection is always whole, and whatever the
 * browser makes of an end that was cut off is read as the end that it stands for. A key that goes
 * on from an end has that one told first; what the browser would write over a part is not written
 * over less than the whole.
 */
import { Plugin, PluginKey, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isMac } from '../../platform/key-names.ts'
import type { DocRange } from '../model/doc-range.ts'

/** From how many blocks, or items of one list, on a selection is told in part. */
const partFromBlocks = 300

/** Of a selection, as positions. */
export interface Ends {
  readonly anchor: number
  readonly head: number
}

/** What stands in groups. */
export interface Groups {
  /** The range that is told when a place is to be in it: whole groups around it. */
  around(place: number | 'sight'): DocRange | undefined
  /** How many blocks, or items of one list, stand there. */
  countBetween(range: DocRange): number
}

const toldIn = new WeakMap<EditorView, ToldSelection>()

/** Whether the selection last stayed with what changed, or was brought somewhere. */
const staying = new PluginKey<boolean>('told-selection')

/** A selection that comes back with what is undone goes nowhere either. */
export const asStaying = (tr: Transaction): Transaction => tr.setMeta(staying, true)

export class ToldSelection {
  readonly #view: EditorView
  readonly #groups: Groups
  #whole: Ends = { anchor: 0, head: 0 }
  #told: Ends = this.#whole
  /** What is told of stands in here. */
  #within: DocRange = { from: 0, to: 0 }
  #isApart = false
  /** An end that a key is about to go on from. */
  #asked: number | undefined

  constructor(view: EditorView, groups: Groups) {
    this.#view = view
    this.#groups = groups
    toldIn.set(view, this)
  }

  /** There is no need to bring one to it. */
  get isInSight(): boolean {
    return this.#isPart && !this.#isApart
  }

  get #isPart(): boolean {
    return this.#told !== this.#whole
  }

  /** What the browser is told of this selection. */
  tell(whole: Ends): Ends {
    const isSame = whole.anchor === this.#whole.anchor && whole.head === this.#whole.head
    const asked = isSame ? this.#asked : undefined
    this.#asked = asked
    this.#whole = whole
    this.#told = this.#part(whole, asked) ?? whole
    return this.#told
  }

  #part(whole: Ends, asked: number | undefined): Ends | undefined {
    const { state, editable } = this.#view
    const { doc, selection } = state
    const { anchor, head } = whole
    const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)]
    if (!editable || !isOfText(selection)) return undefined
    if (this.#groups.countBetween({ from, to }) < partFromBlocks) return undefined
    const within = this.#groups.around(asked ?? 'sight')
    this.#isApart = within === undefined || within.from >= to || within.to <= from
    const part = asked === undefined && this.#isApart ? this.#groups.around(head) : within
    if (part === undefined) return undefined
    this.#within = part
    const start = part.from <= from ? from : textAt(this.#view, part.from, 1)
    // Told of the end of the text itself, the browser reads all of it again at each frame.
    const isInText = part.to >= to && doc.resolve(to).parent.inlineContent
    const end = isInText ? to : textAt(this.#view, Math.min(part.to, to), -1)
    if (start === undefined || end === undefined || start >= end) return undefined
    if (start === from && end === to) return undefined
    return anchor < head ? { anchor: start, head: end } : { anchor: end, head: start }
  }

  /** What a selection of the browser's is, where an end of it is one that was cut off. */
  read(seen: Ends): Ends {
    if (!this.#isPart || seen.anchor === seen.head) return seen
    const ends = new Map([
      [this.#told.anchor, this.#whole.anchor],
      [this.#told.head, this.#whole.head],
    ])
    const { anchor, head } = seen
    return { anchor: ends.get(anchor) ?? anchor, head: ends.get(head) ?? head }
  }

  /** Something else is in sight. */
  onScroll(): void {
    const { dom, input } = this.#view as EditorView & { readonly input: { mouseDown: unknown } }
    const isBusy = input.mouseDown || this.#view.composing || !this.#view.hasFocus()
    if (!this.#isPart || isBusy || !dom.isConnected || !this.#isBrowsers()) return
    const sight = this.#groups.around('sight')
    const { from, to } = this.#within
    if (sight !== undefined && sight.from >= from && sight.to <= to) return
    this.#asked = undefined
    this.#view.focus()
  }

  /** The browser has what it was told, and nothing newer that the editor has yet to read. */
  #isBrowsers(): boolean {
    const native = this.#view.dom.ownerDocument.getSelection()
    if (!native?.anchorNode || !native.focusNode) return false
    const anchor = this.#view.posAtDOM(native.anchorNode, native.anchorOffset)
    const head = this.#view.posAtDOM(native.focusNode, native.focusOffset)
    return anchor === this.#told.anchor && head === this.#told.head
  }

  /** Before a key that the browser answers from an end: it is told that end. */
  onKey({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): void {
    if (!this.#isPart || !/^(?:Arrow|Home|End|Page)/.test(key)) return
    const { anchor, head } = this.#whole
    const isBackward = /Left|Up|Home/.test(key) !== (isAcross(key) && this.#isRightToLeft())
    const isByCharacter = isAcross(key) && !ctrlKey && !altKey && !metaKey
    const goesFromSide = !shiftKey && (isByCharacter || isMac)
    const side = isBackward ? Math.min(anchor, head) : Math.max(anchor, head)
    const place = goesFromSide ? side : head
    const told = place === anchor ? this.#told.anchor : this.#told.head
    if (told === place) return
    this.#asked = place
    this.#view.focus()
  }

  #isRightToLeft(): boolean {
    const { node } = this.#view.domAtPos(this.#told.head)
    const element = node instanceof Element ? node : node.parentElement
    return element !== null && getComputedStyle(element).direction === 'rtl'
  }

  /** Before the browser writes by itself, which it would do in the part that it was told. */
  onInput(): boolean {
    if (!this.#isPart || !this.#view.hasFocus()) return false
    this.#view.dispatch(this.#view.state.tr.deleteSelection())
    return true
  }
}

const isAcross = (key: string): boolean => key === 'ArrowLeft' || key === 'ArrowRight'

const isOfText = (selection: Selection): boolean => !('$anchorCell' in selection)

/** The nearest place for text, where there is one on that side. */
const textAt = ({ state: { doc } }: EditorView, pos: number, side: 1 | -1): number | undefined =>
  Selection.findFrom(doc.resolve(pos), side, true)?.from

/** What a selection that the browser has between these is to the editor. */
export const wholeEnds = (view: EditorView, seen: Ends): Ends =>
  toldIn.get(view)?.read(seen) ?? seen

export function toldSelections(): Plugin {
  return new Plugin<boolean>({
    key: staying,
    state: {
      init: () => false,
      apply(tr, before) {
        if (tr.getMeta('appendedTransaction') !== undefined) return before
        return tr.docChanged || tr.getMeta(staying) === true
      },
    },
    view(view) {
      const onScroll = () => toldIn.get(view)?.onScroll()
      window.addEventListener('scroll', onScroll, { capture: true, passive: true })
      return {
        destroy: () => window.removeEventListener('scroll', onScroll, { capture: true }),
      }
    },
    props: {
      handleScrollToSelection: (view) =>
        staying.getState(view.state) === true && toldIn.get(view)?.isInSight === true,
      createSelectionBetween(view, $anchor, $head) {
        const seen = { anchor: $anchor.pos, head: $head.pos }
        const { anchor, head } = wholeEnds(view, seen)
        if (anchor === seen.anchor && head === seen.head) return null
        const { doc, selection } = view.state
        if (anchor === selection.anchor && head === selection.head) return selection
        return TextSelection.between(doc.resolve(anchor), doc.resolve(head))
      },
      handleDOMEvents: {
        keydown(view, event) {
          toldIn.get(view)?.onKey(event)
          return false
        },
        compositionstart(view) {
          toldIn.get(view)?.onInput()
          return false
        },
        beforeinput(view, event) {
          if (!/^(?:insert|delete)/.test(event.inputType)) return false
          const isWritten = toldIn.get(view)?.onInput() ?? false
          if (isWritten && event.inputType.startsWith('delete')) event.preventDefault()
          return false
        },
      },
    },
  })
}
