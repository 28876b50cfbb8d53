/** Doubling and deleting whole blocks, and the id by which agents address one. */
import { Fragment } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
} from 'prosemirror-state'
import { nodes, withoutIds } from '../model/nodes.ts'
import { selectedUnits, takeOut, unitsOf } from './moving.ts'

/** A copy of the selected blocks below them, with ids of its own; the caret goes along. */
export const duplicateUnits: Command = (state, dispatch) => {
  const range = selectedUnits(state)
  if (range === undefined) return false
  if (dispatch === undefined) return true
  const tr = state.tr.insert(range.end, Fragment.from(unitsOf(range).map(withoutIds)))
  const by = range.end - range.start
  const { selection } = state
  if (selection instanceof TextSelection) {
    tr.setSelection(TextSelection.create(tr.doc, selection.anchor + by, selection.head + by))
  } else if (selection instanceof NodeSelection) {
    tr.setSelection(NodeSelection.create(tr.doc, selection.from + by))
  }
  dispatch(tr.scrollIntoView())
  return true
}

/** Deletes the selected blocks whole; of a document's last block an empty paragraph is left. */
export const deleteUnits: Command = (state, dispatch) => {
  const range = selectedUnits(state)
  if (range === undefined) return false
  if (dispatch === undefined) return true
  const tr = takeOut(state.tr, range)
  const at = tr.doc.resolve(Math.min(tr.mapping.map(range.start), tr.doc.content.size))
  dispatch(tr.setSelection(Selection.near(at)).scrollIntoView())
  return true
}

/** The id of the first selected block; undefined until it has one. */
export function selectedBlockId(state: EditorState): string | undefined {
  const range = selectedUnits(state)
  const id = range?.parent.child(range.startIndex).attrs['id'] as string | null | undefined
  return id ?? undefined
}

/** An empty block below the one at `pos`, or below the selected ones, with the caret in it. */
export function insertBelow(pos?: number): Command {
  return (state, dispatch) => {
    const range = pos === undefined ? selectedUnits(state) : undefined
    const start = pos ?? range?.start
    const unit = start === undefined ? null : state.doc.nodeAt(start)
    if (start === undefined || unit === null) return false
    const { tr } = state
    if (unit.type === nodes.paragraph && unit.content.size === 0) {
      dispatch?.(tr.setSelection(TextSelection.create(tr.doc, start + 1)))
      return true
    }
    const end = range?.end ?? start + unit.nodeSize
    const isItem = unit.type === nodes.list_item
    const checked = unit.attrs['checked'] === null ? null : false
    const paragraph = nodes.paragraph.create()
    tr.insert(end, isItem ? nodes.list_item.create({ checked }, paragraph) : paragraph)
    tr.setSelection(TextSelection.create(tr.doc, end + (isItem ? 2 : 1)))
    dispatch?.(tr.scrollIntoView())
    return true
  }
}
