/**
 * When the toolbar over the selection is there, and what it shows: after the mouse is let go or a
 * selection by keys, never while dragging. Escape closes it and keeps the selection; another
 * selection brings it back.
 */

import { AllSelection, type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { CellSelection } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { type Emphasis, holdsWords, isMarked } from '../editor/commands/marks.ts'
import { type BlockKindName, selectedKind } from '../editor/commands/selected-blocks.ts'
import { type DocRange, spanOf } from '../editor/model/doc-range.ts'
import { isInCode } from '../editor/model/nodes.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { hasEditingFocus } from './perform.ts'

export interface SelectionLook {
  readonly from: number
  readonly to: number
  /** Else it can only be commented on. */
  readonly isEditable: boolean
  /** Of a table, which are no text that becomes of another kind or a link. */
  readonly isCells: boolean
  readonly kind: BlockKindName | undefined
  readonly marks: Readonly<Record<Emphasis | 'link', boolean>>
}

export interface SelectionToolbar {
  readonly plugin: Plugin
  readonly state: Readable<SelectionLook | undefined>
}

/** What the chrome shows of a selection of text; undefined where there is nothing to format. */
function lookOf(state: EditorState, isEditable: boolean): SelectionLook | undefined {
  const { selection } = state
  const isCells = selection instanceof CellSelection
  const isText = selection instanceof TextSelection || selection instanceof AllSelection
  if (!(isText || isCells) || selection.empty) return undefined
  const { $from, $to } = selection
  const span = spanOf(selection)
  if (isInCode($from) || isInCode($to) || !holdsWords(state.doc, span)) return undefined
  const marks = marksOf(state)
  return { ...span, isEditable, isCells, kind: selectedKind(state), marks }
}

export function marksOf(state: EditorState): SelectionLook['marks'] {
  return {
    strong: isMarked(state, 'strong'),
    em: isMarked(state, 'em'),
    strike: isMarked(state, 'strike'),
    code: isMarked(state, 'code'),
    link: isMarked(state, 'link'),
  }
}

function isSame(one: SelectionLook | undefined, other: SelectionLook | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const { marks } = other
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.isEditable === other.isEditable &&
    one.isCells === other.isCells &&
    one.kind === other.kind &&
    Object.entries(one.marks).every(([name, is]) => marks[name as Emphasis] === is)
  )
}

/** The view reads the selection that the mouse left behind a little after it was let go. */
const selectionReadMs = 20

export interface SelectionToolbarParts {
  /** Something else stands in its place. */
  readonly isCovered: () => boolean
  /** What cannot be changed can be talked about. */
  readonly mayComment: () => boolean
}

export function createSelectionToolbar(parts: SelectionToolbarParts): SelectionToolbar {
  const { isCovered, mayComment } = parts
  const shown = createStore<SelectionLook | undefined>(undefined)
  let isDragging = false
  let dismissed: DocRange | undefined
  const show = (look: SelectionLook | undefined) => {
    if (!isSame(shown.get(), look)) shown.set(look)
  }
  const consider = (view: EditorView) => {
    const { from, to } = view.state.selection
    if (dismissed !== undefined && (dismissed.from !== from || dismissed.to !== to)) {
      dismissed = undefined
    }
    const isWanted =
      (view.editable || mayComment()) &&
      !isDragging &&
      dismissed === undefined &&
      !(view.editable && isCovered()) &&
      (hasEditingFocus(view, document.activeElement) || !view.editable)
    show(isWanted ? lookOf(view.state, view.editable) : undefined)
  }
  const considerIn = (view: EditorView, ms: number): false => {
    setTimeout(() => !view.isDestroyed && consider(view), ms)
    return false
  }
  const plugin = new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (event.key !== 'Escape' || shown.get() === undefined) return false
        const { from, to } = view.state.selection
        dismissed = { from, to }
        consider(view)
        return true
      },
      handleDOMEvents: {
        mousedown: (_view, event) => {
          isDragging = event.button === 0
          return false
        },
        focus: (view) => considerIn(view, 0),
        blur: (view) => considerIn(view, 0),
      },
    },
    view: (view) => {
      const letGo = () => {
        if (!isDragging) return
        isDragging = false
        considerIn(view, selectionReadMs)
      }
      window.addEventListener('mouseup', letGo)
      window.addEventListener('dragend', letGo)
      return {
        update: consider,
        destroy: () => {
          window.removeEventListener('mouseup', letGo)
          window.removeEventListener('dragend', letGo)
          shown.set(undefined)
        },
      }
    },
  })
  return { plugin, state: shown }
}
