/**
 * Moving blocks. Yjs cannot move: what is moved is deleted and written again, with its ids. In a
 * view that is two transactions, so that y-prosemirror takes out and puts in whole blocks; given
 * both at once it would rewrite the neighbour's text in place, which other people may be typing in.
 */
import { Fragment, type Node, NodeRange, type ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { DocRange } from '../model/doc-range.ts'
import { holdsUnits, isItem, isList, nodes } from '../model/nodes.ts'
import { isWithinDepth } from './depth.ts'

/** The selected blocks that move, double and go as one: neighbours in a document, quote or list. */
export function selectedUnits({ selection }: EditorState): NodeRange | undefined {
  const range = selection.$from.blockRange(selection.$to, holdsUnits)
  if (range === null || range.parent.child(range.startIndex).type === nodes.front_matter) {
    return undefined
  }
  return range
}

/** Who moves all that a quote holds moves the quote. */
function withQuote({ $from, $to, depth, startIndex, endIndex, parent }: NodeRange): NodeRange {
  const range = new NodeRange($from, $to, depth)
  const isWhole = startIndex === 0 && endIndex === parent.childCount
  if (parent.type !== nodes.blockquote || !isWhole) return range
  return withQuote(new NodeRange($from, $to, depth - 1))
}

export const unitsOf = (range: NodeRange): readonly Node[] =>
  range.parent.children.slice(range.startIndex, range.endIndex)

/** Where units land: at `pos` of the document as it is before they leave, in a list of their own. */
interface Landing {
  readonly pos: number
  readonly wrapper?: Node | undefined
}

type Direction = -1 | 1

/** Moves the selected blocks one place up or down; items also out of and into other lists. */
export const moveUnits =
  (direction: Direction): Command =>
  (state, dispatch, view) => {
    const selected = selectedUnits(state)
    const range = selected && withQuote(selected)
    const landing = range && landingOf(range, direction)
    if (range === undefined || landing === undefined || dispatch === undefined) return true
    relocate({ state, range, landing, dispatch, view })
    return true
  }

function landingOf(range: NodeRange, direction: Direction): Landing | undefined {
  const { parent, depth, $from } = range
  const index = direction < 0 ? range.startIndex - 1 : range.endIndex
  const sibling = parent.maybeChild(index)
  if (sibling !== null) return beyond(range, sibling, direction)
  if (depth === 0) return undefined
  const edge = direction < 0 ? $from.before(depth) : $from.after(depth)
  if (!isList(parent)) return { pos: edge }
  if (isItem($from.node(depth - 1))) {
    return { pos: direction < 0 ? $from.before(depth - 1) : $from.after(depth - 1) }
  }
  return outOfList(range, edge, direction)
}

function beyond(range: NodeRange, sibling: Node, direction: Direction): Landing | undefined {
  if (sibling.type === nodes.front_matter) return undefined
  if (direction < 0) return { pos: range.start - sibling.nodeSize }
  return { pos: range.end + sibling.nodeSize }
}

/** Items at their list's edge pass the block next to it, or join the list that is there. */
function outOfList(range: NodeRange, edge: number, direction: Direction): Landing | undefined {
  const $edge = range.$from.doc.resolve(edge)
  const next = direction < 0 ? $edge.nodeBefore : $edge.nodeAfter
  if (next?.type === nodes.front_matter) return undefined
  if (next !== null && isList(next)) return { pos: edge + direction }
  const isWhole = range.endIndex - range.startIndex === range.parent.childCount
  const wrapper = isWhole
    ? range.parent
    : range.parent.type.create({ tight: range.parent.attrs['tight'] as boolean })
  if (next === null) {
    if ($edge.depth === 0) return undefined
    return { pos: direction < 0 ? $edge.before() : $edge.after(), wrapper }
  }
  const pos = edge + direction * next.nodeSize
  const $pos = range.$from.doc.resolve(pos)
  const beyondIt = direction < 0 ? $pos.nodeBefore : $pos.nodeAfter
  if (beyondIt?.type === range.parent.type) return { pos: pos + direction }
  return { pos, wrapper }
}

/**
 * Moves the neighbouring blocks or items of a range to `target`, a position between blocks or
 * items: items among blocks get a list, a block among items becomes one.
 */
export function moveUnitsTo({ from, to }: DocRange, target: number): Command {
  return (state, dispatch, view) => {
    const dragged = state.doc.resolve(from).blockRange(state.doc.resolve(to), holdsUnits)
    if (dragged === null || unitsOf(dragged)[0]?.type === nodes.front_matter) return false
    const range = withQuote(dragged)
    if (target >= range.start && target <= range.end) return true
    const landing = landingAt(range, state.doc.resolve(target))
    if (landing === undefined || dispatch === undefined) return landing !== undefined
    relocate({ state, range, landing, dispatch, view })
    return true
  }
}

function landingAt(range: NodeRange, $target: ResolvedPos): Landing | undefined {
  const { pos, parent } = $target
  if (isList(parent)) {
    return { pos, wrapper: isList(range.parent) ? undefined : nodes.list_item.create() }
  }
  if (!parent.canReplaceWith($target.index(), $target.index(), nodes.paragraph)) return undefined
  const { type, attrs } = range.parent
  const wrapper = isList(range.parent) ? type.create({ ...attrs, id: null }) : undefined
  return { pos, wrapper }
}

interface Relocation {
  readonly state: EditorState
  readonly range: NodeRange
  readonly landing: Landing
  readonly dispatch: (tr: Transaction) => void
  readonly view: Parameters<Command>[2]
}

function relocate({ state, range, landing, dispatch, view }: Relocation): void {
  const units = Fragment.from([...unitsOf(range)])
  const { wrapper } = landing
  const content = wrapped(units, wrapper)
  const away = takeOut(state.tr, range)
  const pos = away.mapping.map(landing.pos)
  const whole = takeOut(state.tr, range).insert(pos, content)
  if (!isWithinDepth(whole)) return
  const { selection } = state
  const shift = (at: number) => at + pos - range.start + wrappedBefore(range, wrapper, at)
  const isAlong = range.start <= selection.from && selection.to <= range.end
  const finish = (tr: Transaction): Transaction => {
    if (isAlong) tr.setSelection(shifted(selection, tr.doc, shift))
    return tr.scrollIntoView()
  }
  if (view === undefined) {
    dispatch(finish(whole))
    return
  }
  view.dispatch(away)
  view.dispatch(finish(view.state.tr.insert(pos, content)))
}

/** Each block as an item of its own, or all items in one list. */
function wrapped(units: Fragment, wrapper: Node | undefined): Fragment {
  if (wrapper === undefined) return units
  if (!isItem(wrapper)) return Fragment.from(wrapper.copy(units))
  return Fragment.from(units.content.map((unit) => wrapper.copy(Fragment.from(unit))))
}

/** How many positions wrapping put in before `at`, a position in one of the units. */
function wrappedBefore(range: NodeRange, wrapper: Node | undefined, at: number): number {
  if (wrapper === undefined) return 0
  if (!isItem(wrapper)) return 1
  const unit = range.$from.doc.resolve(at).index(range.depth) - range.startIndex
  return 1 + 2 * unit
}

/** Deletes the units, and around them what they leave empty. */
export function takeOut(tr: Transaction, range: NodeRange): Transaction {
  let { start, end, depth } = range
  while (depth > 0 && start === range.$from.start(depth) && end === range.$from.end(depth)) {
    start = range.$from.before(depth)
    end = range.$from.after(depth)
    depth--
  }
  if (start === 0 && end === tr.doc.content.size) {
    return tr.replaceWith(start, end, nodes.paragraph.create())
  }
  return tr.delete(start, end)
}

function shifted(selection: Selection, doc: Node, shift: (at: number) => number): Selection {
  const anchor = shift(selection.anchor)
  if (selection instanceof TextSelection) {
    return TextSelection.create(doc, anchor, shift(selection.head))
  }
  if (selection instanceof NodeSelection) return NodeSelection.create(doc, anchor)
  return Selection.near(doc.resolve(shift(selection.from)))
}
