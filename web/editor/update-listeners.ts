/**
 * Lets others than the editor's own plugins hear of each update of the view, for as long as they
 * want to: the source, the search. They are told after the view is up to date.
 */
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

export type UpdateListener = (view: EditorView, before: EditorState) => void

const key = new PluginKey<Set<UpdateListener>>('update-listeners')

export function updateListeners(): Plugin<Set<UpdateListener>> {
  const listeners = new Set<UpdateListener>()
  return new Plugin<Set<UpdateListener>>({
    key,
    state: { init: () => listeners, apply: (_, same) => same },
    view: () => ({
      update(view, before) {
        for (const listener of [...listeners]) listener(view, before)
      },
    }),
  })
}

/** Calls after each update of the view; returns how to stop. */
export function onViewUpdate(view: EditorView, listener: UpdateListener): () => void {
  const listeners = key.getState(view.state)
  listeners?.add(listener)
  return () => listeners?.delete(listener)
}
