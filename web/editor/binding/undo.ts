/**
 * Undo of one's own changes alone, by Yjs: others' and agents' words stay whatever is taken back,
 * also where they stand within what one wrote oneself. The selection from before a step comes back
 * with it. Answers to y-prosemirror's plugin key, so that its `undo` and `redo` work.
 */
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import {
  getRelativeSelection,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
  yUndoPluginKey,
} from 'y-prosemirror'
import * as Y from 'yjs'
import { asStaying } from '../viewport/told-selection.ts'
import { type Binding, isFromYjs } from './binding.ts'
import { UndoSteps } from './undo-steps.ts'

interface UndoState {
  readonly undoManager: Y.UndoManager
}

type RelativeSelection = ReturnType<typeof getRelativeSelection>

const selectionKey = 'selection'

/** An element or text that holds something still was written in by somebody else. */
function mayDelete(item: Y.Item): boolean {
  if (!(item.content instanceof Y.ContentType)) return true
  return (item.content.type as Y.AbstractType<unknown> & { _length: number })._length === 0
}

export function undoPlugin(binding: Binding): Plugin<UndoState> {
  const undoManager = new Y.UndoManager(binding.type, {
    trackedOrigins: new Set([ySyncPluginKey]),
    // Where a step ends is said by `UndoSteps`.
    captureTimeout: Number.POSITIVE_INFINITY,
    deleteFilter: mayDelete,
  })
  /** Where the selection was before the step that is being made. */
  let selectionBefore: RelativeSelection | undefined
  const relative = (state: EditorView['state']) => getRelativeSelection(binding as never, state)
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
      init: () => ({ undoManager }),
      apply(tr, state) {
        if (isFromYjs(tr)) return state
        if (!tr.docChanged && tr.selectionSet && !isComposing()) isMoved = true
        if (tr.docChanged && ['paste', 'drop', 'cut'].includes(tr.getMeta('uiEvent')))
          isBrought = true
        return state
      },
    },
    view(view) {
      isComposing = () => view.composing
      undoManager.on('stack-item-added', ({ stackItem, origin }) => {
        const isStep = origin === ySyncPluginKey
        stackItem.meta.set(selectionKey, isStep ? selectionBefore : relative(view.state))
      })
      undoManager.on('stack-item-popped', ({ stackItem }) => {
        undoManager.stopCapturing()
        steps.end()
        const kept = stackItem.meta.get(selectionKey) as RelativeSelection | undefined
        if (kept !== undefined) restoreSelection(view, binding, kept)
      })
      return { destroy: () => undoManager.destroy() }
    },
  })
}

function restoreSelection(view: EditorView, binding: Binding, kept: RelativeSelection): void {
  const { doc, type, mapping } = binding
  const absolute = (position: unknown) =>
    relativePositionToAbsolutePosition(doc, type, position, mapping as never)
  const [anchor, head] = [absolute(kept.anchor), absolute(kept.head)]
  const { tr } = view.state
  const size = tr.doc.content.size
  if (anchor === null || head === null || Math.max(anchor, head) > size) return
  tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)))
  view.dispatch(asStaying(tr).scrollIntoView())
}
