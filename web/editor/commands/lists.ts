/**
 * Lists of three kinds: bullets, numbers and tasks. A task is an item whose `checked` is not null,
 * in either kind of list. Items keep their ids whatever becomes of their list.
 */
import type { Node, NodeRange } from 'prosemirror-model'
import { liftListItem, sinkListItem, wrapRangeInList } from 'prosemirror-schema-list'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import { TextSelection } from 'prosemirror-state'
import { canJoin, canSplit } from 'prosemirror-transform'
import { depthOf, isItem, isList, type ListKind, nodes } from '../model/nodes.ts'
import { paragraph, retype } from './block-types.ts'
import { withinDepth } from './depth.ts'
import { withDistinctIds } from './distinct-ids.ts'
import { listTypeOf } from './listing.ts'

/** The innermost list around the selection, as the range of its selected items. */
function selectedItems({ selection: { $from, $to } }: EditorState): NodeRange | undefined {
  return $from.blockRange($to, isList) ?? undefined
}

function itemsOf(range: NodeRange): readonly { readonly node: Node; readonly pos: number }[] {
  let pos = range.start
  return range.parent.children.slice(range.startIndex, range.endIndex).map((node) => {
    const at = { node, pos }
    pos += node.nodeSize
    return at
  })
}

const leaveList = withDistinctIds(liftListItem(nodes.list_item))

/** Wraps the blocks of the transaction's selection; a neighbouring list of the kind takes them. */
export function intoList(tr: Transaction, kind: ListKind, order = 1): boolean {
  const { $from, $to } = tr.selection
  tr.doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
    if (node.type === nodes.heading) retype(tr, pos, paragraph)
    return !node.isTextblock
  })
  const range = tr.selection.$from.blockRange(tr.selection.$to)
  if (range === null) return false
  const type = listTypeOf(kind)
  const attrs = type === nodes.ordered_list ? { order } : null
  const before = tr.doc
  const count = range.endIndex - range.startIndex
  if (!wrapRangeInList(tr, range, type, attrs) || tr.doc === before) return false
  const { start } = range
  let end = start + 1
  for (let index = 0; index < count; index++) {
    if (kind === 'task') tr.setNodeAttribute(end, 'checked', false)
    end += tr.doc.nodeAt(end)?.nodeSize ?? 0
  }
  joinLists(tr, end + 1)
  joinLists(tr, start)
  return true
}

/** Makes one of two lists of a type that meet at `pos`. */
function joinLists(tr: Transaction, pos: number): void {
  const { nodeBefore, nodeAfter } = tr.doc.resolve(pos)
  if (nodeBefore === null || nodeBefore.type !== nodeAfter?.type || !isList(nodeBefore)) return
  if (canJoin(tr.doc, pos)) tr.join(pos)
}

/** Checks the selected tasks, or unchecks them where all are checked. */
export const toggleChecked: Command = (state, dispatch) => {
  const range = selectedItems(state)
  const tasks = range === undefined ? [] : itemsOf(range).filter(isTask)
  if (tasks.length === 0) return false
  const checked = !tasks.every(({ node }) => node.attrs['checked'] === true)
  const { tr } = state
  for (const { pos } of tasks) tr.setNodeAttribute(pos, 'checked', checked)
  dispatch?.(tr)
  return true
}

const isTask = ({ node }: { readonly node: Node }) => node.attrs['checked'] !== null

/** Puts the selected items below the one before them. In a list the key is always answered. */
export const nestItems: Command = withinDepth((state, dispatch) => {
  if (selectedItems(state) === undefined) return false
  sinkListItem(nodes.list_item)(state, dispatch)
  return true
})

/** Takes nested items one level out. In a list the key is always answered. */
export const unnestItems: Command = (state, dispatch) => {
  const range = selectedItems(state)
  if (range === undefined) return false
  if (isItem(range.$from.node(range.depth - 1))) leaveList(state, dispatch)
  return true
}

/** Enter in an item: a new one below, with an open box under a task; an empty one leaves. */
export const splitItem: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!(state.selection instanceof TextSelection) || $from.depth < 2) return false
  const item = $from.node(-1)
  if (!isItem(item) || !$from.sameParent($to)) return false
  if ($from.parent.content.size === 0 && item.childCount === 1) return leaveList(state, dispatch)
  if ($from.parent.content.size === 0 || $from.parent.type === nodes.code_block) return false
  const { tr } = state
  tr.deleteSelection()
  const checked = item.attrs['checked'] === null ? null : false
  const fresh = { checked }
  const $at = tr.selection.$from
  if ($at.parentOffset === 0 && $at.index(-1) === 0 && $at.parent.content.size > 0) {
    tr.insert($at.before(-1), nodes.list_item.create(fresh, nodes.paragraph.create()))
  } else {
    const isAtEnd = $at.parentOffset === $at.parent.content.size
    const below = isAtEnd
      ? { type: nodes.paragraph }
      : { type: $at.parent.type, attrs: { ...$at.parent.attrs, id: null, gap: null } }
    const types = [{ type: nodes.list_item, attrs: fresh }, below]
    if (!canSplit(tr.doc, $at.pos, 2, types)) return false
    tr.split($at.pos, 2, types)
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Backspace at the start of an item: its first paragraph leaves the list, or goes a level out. */
export const leaveListAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || !$from.parent.isTextblock) return false
  const depth = depthOf($from, isItem)
  if (depth === undefined || depth !== $from.depth - 1 || $from.index(depth) > 0) return false
  const item = $from.node(depth)
  if (item.attrs['checked'] !== null) {
    dispatch?.(state.tr.setNodeAttribute($from.before(depth), 'checked', null))
    return true
  }
  return leaveList(state, dispatch)
}
