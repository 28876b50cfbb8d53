/**
 * Undo of one's own changes alone, by Yjs: others' and agents' words stay whatever is taken back,
 * also where they stand within what one wrote oneself. The selection from before a step comes back
 * with it. Answers to y-prosemirror's plugin key, so that its `undo` and `redo` work.
 */
import {
  type EditorState,
  Plugin,
  type Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import {
  defaultDeleteFilter,
  getRelativeSelection,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
  yUndoPluginKey,
} from 'y-prosemirror'
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { forgetLastAct } from '../../live/last-act.ts'
import { visibleRange } from '../viewport/visible-range.ts'
import type { Binding } from './binding.ts'
import { isFromYjs } from './change-origin.ts'
import { UndoSteps } from './undo-steps.ts'

export interface UndoState {
  readonly undoManager: Y.UndoManager
  /** The text changed, or the selection came back with what was undone. */
  readonly isChanged: boolean
}

type RelativeSelection = ReturnType<typeof getRelativeSelection>

const selectionKey = 'selection'
const restored = 'restored-selection'

/** An element or text that still holds something was written in by somebody else. */
const keptWithContent = new Set(Object.keys(documentSchema.nodes))

const managers = new WeakMap<Y.Doc, Y.UndoManager>()

/** What was taken back otherwise, as by restoring a version, is not taken back once more. */
export function forgetEdits(doc: Y.Doc): void {
  managers.get(doc)?.clear()
}

export function undoPlugin(binding: Binding): Plugin<UndoState> {
  const undoManager = new Y.UndoManager(binding.type, {
    trackedOrigins: new Set([ySyncPluginKey]),
    // Where a step ends is said by `UndoSteps`.
    captureTimeout: Number.POSITIVE_INFINITY,
    deleteFilter: (item) => defaultDeleteFilter(item, keptWithContent),
  })
  managers.set(binding.doc, undoManager)
  /** Where the selection was before the step that is being made. */
  let selectionBefore: RelativeSelection | undefined
  const relative = (of: { readonly selection: Selection }) =>
    getRelativeSelection(binding as never, of as EditorState)
  /** Where the selection was before what is being undone, if one came back with it. */
  let selectionUndone: Selection | undefined
  binding.onUndone = (tr) => {
    const kept = undoManager.currStackItem?.meta.get(selectionKey) as RelativeSelection | undefined
    const { selection } = tr
    if (kept !== undefined && restoreSelection(tr, binding, kept)) selectionUndone = selection
  }
  const steps = new UndoSteps()
  let isMoved = false
  let isBrought = false
  let isSameAction = false
  /** An input method moves the caret as it likes. */
  let isComposing = () => false
  binding.onBeforeWrite = (before, after) => {
    const isOneAction = isSameAction
    isSameAction = true
    queueMicrotask(() => {
      isSameAction = false
    })
    // What one key or click changes is one step, however many writes it takes.
    if (isOneAction && undoManager.lastChange > 0) return
    if (undoManager.lastChange === 0) steps.end()
    const docs = { before: before.doc, after }
    const joins = steps.joins({ ...docs, at: Date.now(), isMoved, isBrought })
    isMoved = false
    isBrought = false
    if (joins) return
    undoManager.stopCapturing()
    selectionBefore = relative(before)
  }
  return new Plugin<UndoState>({
    key: yUndoPluginKey,
    state: {
      init: () => ({ undoManager, isChanged: false }),
      apply(tr, before) {
        const isAppended = tr.getMeta('appendedTransaction') !== undefined
        const isChanged = isAppended
          ? before.isChanged
          : tr.docChanged || tr.getMeta(restored) === true
        const state = isChanged === before.isChanged ? before : { ...before, isChanged }
        if (isFromYjs(tr)) return state
        // In the text, or in what lies over it.
        if (tr.docChanged) forgetLastAct(binding.doc)
        if (!tr.docChanged && tr.selectionSet && !isComposing()) isMoved = true
        if (tr.docChanged && ['paste', 'drop', 'cut'].includes(tr.getMeta('uiEvent')))
          isBrought = true
        return state
      },
    },
    props: {
      // Nobody is taken to the end of a long selection of which a part is in sight.
      handleScrollToSelection(view) {
        const { from, to } = view.state.selection
        if (from === to || !this.getState(view.state)?.isChanged) return false
        const sight = visibleRange(view)
        return from < sight.to && to > sight.from
      },
    },
    view(view) {
      isComposing = () => view.composing
      undoManager.on('stack-item-added', ({ stackItem, origin }) => {
        const isStep = origin === ySyncPluginKey
        if (isStep) steps.written(Date.now())
        const { selection } = view.state
        const undone = selectionUndone ?? selection
        stackItem.meta.set(selectionKey, isStep ? selectionBefore : relative({ selection: undone }))
      })
      undoManager.on('stack-item-popped', ({ stackItem }) => {
        undoManager.stopCapturing()
        steps.end()
        const isRestored = selectionUndone !== undefined
        selectionUndone = undefined
        const kept = stackItem.meta.get(selectionKey) as RelativeSelection | undefined
        const { tr } = view.state
        // Where the text did not change, or is shown through a layer.
        if (!isRestored && kept && restoreSelection(tr, binding, kept)) view.dispatch(tr)
      })
      return { destroy: () => undoManager.destroy() }
    },
  })
}

/** Whether it is to be found in what the transaction shows. */
function restoreSelection(tr: Transaction, binding: Binding, kept: RelativeSelection): boolean {
  const { doc, type, mapping } = binding
  const absolute = (position: unknown) =>
    relativePositionToAbsolutePosition(doc, type, position, mapping as never)
  const [anchor, head] = [absolute(kept.anchor), absolute(kept.head)]
  const size = tr.doc.content.size
  if (anchor === null || head === null || Math.max(anchor, head) > size) return false
  tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)))
  tr.setMeta(restored, true).scrollIntoView()
  return true
}
