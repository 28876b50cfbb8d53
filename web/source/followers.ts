/**
 * Lets others than the editor's own plugins follow what the editor shows, for as long as they want
 * to: the source, the search. They are told after the view is up to date.
 */
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

export type Follower = (view: EditorView, before: EditorState) => void

const key = new PluginKey<Set<Follower>>('followers')

export function followersPlugin(): Plugin<Set<Follower>> {
  const followers = new Set<Follower>()
  return new Plugin<Set<Follower>>({
    key,
    state: { init: () => followers, apply: (_, same) => same },
    view: () => ({
      update(view, before) {
        for (const follower of [...followers]) follower(view, before)
      },
    }),
  })
}

/** Calls after each update of the view; returns how to stop. */
export function followView(view: EditorView, follower: Follower): () => void {
  const followers = key.getState(view.state)
  followers?.add(follower)
  return () => followers?.delete(follower)
}
