/** A place on the page as Yjs knows it, to be found again in another copy or after a reload. */
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import type { Binding } from '../editor/binding/binding.ts'
import { beneath } from '../editor/binding/layer.ts'
import { positionsOf, relativePositionAt } from '../editor/binding/relative-positions.ts'

const fragmentOf = (view: EditorView): Y.XmlFragment =>
  (ySyncPluginKey.getState(view.state)?.binding as Binding).type

/** JSON. */
export function relativeTo(view: EditorView, pos: number): unknown {
  const { doc, toShared } = beneath(view.state)
  return Y.relativePositionToJSON(relativePositionAt(fragmentOf(view), doc, toShared(pos)))
}

/** What is not there any more stands at the end. */
export function positionOf(view: EditorView, place: unknown): number {
  const { doc, toShown } = beneath(view.state)
  const end = view.state.doc.content.size
  if (place === undefined) return end
  const relative = Y.createRelativePositionFromJSON(place)
  const [found] = positionsOf(fragmentOf(view), doc, [relative])
  return found === undefined ? end : Math.min(end, toShown(found))
}
