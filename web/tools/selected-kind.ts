/** What the selected block is, also where the block itself is selected and not text in it. */
import { type EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { type BlockKindName, blockKindAt } from '../editor/commands/block-kinds.ts'

export function selectedKind(state: EditorState): BlockKindName | undefined {
  const { selection } = state
  if (!(selection instanceof NodeSelection)) return blockKindAt(state)
  const inside = TextSelection.near(state.doc.resolve(selection.from + 1))
  if (inside.from >= selection.to) return undefined
  return blockKindAt(state.apply(state.tr.setSelection(inside)))
}
