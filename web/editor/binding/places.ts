/** Relative positions of Yjs as positions of the page, whatever lies over the shared document. */
import type { EditorState } from 'prosemirror-state'
import type * as Y from 'yjs'
import { beneath } from './layer.ts'
import { positionsOf, relativePositionAt } from './relative-positions.ts'

/** Undefined where one is not in the document. */
export function placesOf(
  fragment: Y.XmlFragment,
  state: EditorState,
  relative: readonly Y.RelativePosition[],
): (number | undefined)[] {
  if (relative.length === 0) return []
  const { doc, toShown } = beneath(state)
  return positionsOf(fragment, doc, relative).map((pos) => pos && toShown(pos))
}

export function relativePlaceAt(
  fragment: Y.XmlFragment,
  state: EditorState,
  pos: number,
): Y.RelativePosition {
  const { doc, toShared } = beneath(state)
  return relativePositionAt(fragment, doc, toShared(pos))
}
