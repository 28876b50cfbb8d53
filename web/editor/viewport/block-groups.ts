/**
 * A long document's blocks, and a long list's items, in groups that the browser leaves alone while
 * they are out of sight. At a key it then watches, lays out and hits a few hundred boxes, not ten
 * thousand. **Invariant:** after each update of the view every child is in a group, and the groups
 * in which the selection ends are awake: to put an end into one that is left alone, the browser
 * looks through all that are, for seconds.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import {
  beforeSelecting,
  countPositionsOnce,
  removeMassesAtOnce,
  startOfDrawn,
} from './drawn-document.ts'
import { GroupedChildren } from './grouped-children.ts'
import { type GroupedList, groupedListsOf } from './grouped-lists.ts'
import { type Ends, ToldSelection } from './told-selection.ts'
import { firstIndex } from './visible-range.ts'

/** From how many top-level blocks on those out of sight are not laid out. */
export const longFromBlocks = 200
/** About the height of a block that nobody has seen yet, in em. */
const blockEm = 3.5

/** Engines whose editing across slots is tried; others leave each block alone by itself. */
export const groupsBlocks = (): boolean => navigator.userAgent.includes('Chrome/')

export function blockGroups(): Plugin {
  return new Plugin({
    view(view) {
      const groups = new BlockGroups(view)
      const told = new ToldSelection(view, groups)
      const tell = (whole: Ends): Ends => {
        groups.update()
        const ends = told.tell(whole)
        groups.wake([ends.anchor, ends.head])
        return ends
      }
      groups.update()
      const { anchor, head } = view.state.selection
      tell({ anchor, head })
      countPositionsOnce(view)
      removeMassesAtOnce(view)
      beforeSelecting(view, tell)
      return { update: () => groups.update(), destroy: () => groups.destroy() }
    },
  })
}

class BlockGroups {
  readonly #view: EditorView
  #blocks: GroupedChildren | undefined
  #awake: ReadonlySet<HTMLElement> = new Set()

  constructor(view: EditorView) {
    this.#view = view
  }

  get #lists(): readonly GroupedList[] {
    return groupedListsOf(this.#view)
  }

  /** Before anything measures or selects: what is in no group is not there. */
  update(): void {
    const { dom, state } = this.#view
    if (this.#blocks === undefined && state.doc.childCount > longFromBlocks && groupsBlocks()) {
      this.#blocks = new GroupedChildren(dom, { childEm: blockEm })
    }
    this.#blocks?.update()
    for (const { groups } of this.#lists) groups.update()
  }

  destroy(): void {
    this.#blocks?.destroy()
  }

  /** The groups of these places are laid out wherever they are. */
  wake(places: readonly number[]): void {
    const awake = new Set<HTMLElement>()
    for (const place of places) {
      const inLists = this.#lists.map((list) => this.#slotIn(list, place))
      for (const slot of [this.#slotAt(place), ...inLists]) if (slot) awake.add(slot)
    }
    for (const slot of awake) slot.classList.add('awake')
    for (const slot of this.#awake) if (!awake.has(slot)) slot.classList.remove('awake')
    this.#awake = awake
  }

  #slotAt(place: number): HTMLSlotElement | undefined {
    return this.#blocks?.slotOf(this.#view.state.doc.resolve(place).index(0))
  }

  #slotIn(list: GroupedList, place: number): HTMLSlotElement | undefined {
    const index = list.indexOf(this.#view.state.doc, place)
    return index === undefined ? undefined : list.groups.slotOf(index)
  }

  /** How many children of what stands in groups there are from one place to another. */
  countBetween({ from, to }: DocRange): number {
    const { doc } = this.#view.state
    const counts = this.#lists.map((list) => list.countBetween(doc, { from, to }))
    return Math.max(doc.resolve(to).index(0) - doc.resolve(from).index(0), ...counts)
  }

  /** The groups that are in sight, or that of a place, with one more on either side. */
  around(place: number | 'sight'): DocRange | undefined {
    const { doc } = this.#view.state
    const lists = this.#lists
    if (this.#blocks === undefined && lists.length === 0) return undefined
    let [from, to] = [0, doc.content.size]
    const narrow = (groups: GroupedChildren, own: Element | undefined | 'sight') => {
      const edges = edgesAround(groups, own ?? 'sight')
      from = Math.max(from, edges.from ?? from)
      to = Math.min(to, edges.to ?? to)
    }
    const isSight = place === 'sight'
    if (this.#blocks !== undefined) narrow(this.#blocks, isSight ? place : this.#slotAt(place))
    for (const list of lists) {
      const { start, end } = list.range()
      if (start >= to || end <= from) continue
      if (isSight) narrow(list.groups, place)
      else narrow(list.groups, list.groups.slotOf(list.nearest(doc, place)))
    }
    return { from, to }
  }
}

/**
 * Where the groups around the ones in sight, or around this one, begin and end; undefined where
 * there are no more.
 */
function edgesAround({ slots }: GroupedChildren, own: Element | 'sight'): Partial<DocRange> {
  const isSeen = ({ bottom }: DOMRect) => bottom > 0
  const isBehind = ({ top }: DOMRect) => top > window.innerHeight
  const first = own === 'sight' ? firstIndex(slots, isSeen) : [...slots].indexOf(own)
  const last = own === 'sight' ? firstIndex(slots, isBehind) - 1 : first
  const from = first > 1 ? startOf(slots[first - 1]) : undefined
  const to = startOf(slots[last + 2])
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

/** Where the first child in this group is drawn. */
function startOf(slot: Element | undefined): number | undefined {
  const [child] = slot instanceof HTMLSlotElement ? slot.assignedElements() : []
  return child && startOfDrawn(child)
}
