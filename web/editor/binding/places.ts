/** Relative positions of Yjs as positions of the page, whatever lies over the shared document. */
import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import type { Binding } from './binding.ts'
import { beneath } from './layer.ts'
import { positionsOf, relativePositionAt } from './relative-positions.ts'

/** Undefined where one is not in the document. */
export function placesOf(
  fragment: Y.XmlFragment,
  state: EditorState,
  relative: readonly Y.RelativePosition[],
): (number | undefined)[] {
  if (relative.length === 0) return []
  write(state)
  const { doc, toShown } = beneath(state)
  return positionsOf(fragment, doc, relative).map((pos) => pos && toShown(pos))
}

export function relativePlaceAt(
  fragment: Y.XmlFragment,
  state: EditorState,
  pos: number,
): Y.RelativePosition {
  write(state)
  const { doc, toShared } = beneath(state)
  return relativePositionAt(fragment, doc, toShared(pos))
}

/** Of a page and a shared document that are not alike no position is the same. */
function write(state: EditorState): void {
  const sync = ySyncPluginKey.getState(state) as { readonly binding: Binding } | undefined
  sync?.binding.flush()
}
