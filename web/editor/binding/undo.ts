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
import type { Binding } from './binding.ts'

interface UndoState {
  readonly undoManager: Y.UndoManager
}

type RelativeSelection = ReturnType<typeof getRelativeSelection>

const selectionKey = 'selection'
/** Changes within this time of each other are one step. */
const captureMs = 500
/** How much earlier than Yjs does we take a change for the first of a step. */
const marginMs = 50

/** An element or text that holds something still was written in by somebody else. */
function mayDelete(item: Y.Item): boolean {
  if (!(item.content instanceof Y.ContentType)) return true
  return (item.content.type as Y.AbstractType<unknown> & { _length: number })._length === 0
}

export function undoPlugin(binding: Binding): Plugin<UndoState> {
  const undoManager = new Y.UndoManager(binding.type, {
    trackedOrigins: new Set([ySyncPluginKey]),
    captureTimeout: captureMs,
    deleteFilter: mayDelete,
  })
  /** Where the selection was before the step that is being made. */
  let selectionBefore: RelativeSelection | undefined
  const relative = (state: EditorView['state']) => getRelativeSelection(binding as never, state)
  binding.onBeforeWrite = (before) => {
    const joinsLastStep = Date.now() - undoManager.lastChange < captureMs - marginMs
    if (!joinsLastStep) selectionBefore = relative(before)
  }
  return new Plugin<UndoState>({
    key: yUndoPluginKey,
    state: {
      init: () => ({ undoManager }),
      apply: (_, state) => state,
    },
    view(view) {
      undoManager.on('stack-item-added', ({ stackItem, origin }) => {
        const isStep = origin === ySyncPluginKey
        stackItem.meta.set(selectionKey, isStep ? selectionBefore : relative(view.state))
      })
      undoManager.on('stack-item-popped', ({ stackItem }) => {
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
  view.dispatch(tr.scrollIntoView())
}
