/**
 * A long document's blocks, and a long list's items, in groups that the browser leaves alone while
 * they are out of sight. At a key it then watches, lays out and hits a few hundred boxes, not ten
 * thousand. **Invariant:** after each update of the view every child is in a group, and the groups
 * in which the selection ends are awake: to put an end into one that is left alone, the browser
 * looks through all that are, for seconds.
 */
import { Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { GroupedChildren } from './grouped-children.ts'
import { groupedListsOf } from './grouped-lists.ts'

/** From how many top-level blocks on those out of sight are not laid out. */
export const longFromBlocks = 200
/** About the height of a block that nobody has seen yet, in em. */
const blockEm = 3.5

/** Engines whose editing across slots is tried; others leave each block alone by itself. */
export const groupsBlocks = (): boolean => navigator.userAgent.includes('Chrome/')

const groupsIn = new WeakMap<EditorView, BlockGroups>()

export function blockGroups(): Plugin {
  return new Plugin({
    view(view) {
      const groups = new BlockGroups(view)
      groupsIn.set(view, groups)
      groups.update()
      return { update: () => groups.update(), destroy: () => groups.destroy() }
    },
  })
}

/** Of a view whose plugins group its blocks. */
export const groupsOf = (view: EditorView): BlockGroups | undefined => groupsIn.get(view)

export class BlockGroups {
  readonly #view: EditorView
  #blocks: GroupedChildren | undefined
  #awake: ReadonlySet<HTMLElement> = new Set()

  constructor(view: EditorView) {
    this.#view = view
  }

  /** Before anything measures or selects: what is in no group is not there. */
  update(): void {
    const { dom, state } = this.#view
    if (this.#blocks === undefined && state.doc.childCount > longFromBlocks && groupsBlocks()) {
      this.#blocks = new GroupedChildren(dom, { childEm: blockEm })
    }
    this.#blocks?.update()
    for (const { groups } of groupedListsOf(this.#view)) groups.update()
    this.#wake(this.#slotsOf(state.selection))
  }

  destroy(): void {
    this.#blocks?.destroy()
  }

  /** Of both ends, and of the text nearest to them: there the browser puts an end without text. */
  #slotsOf({ $from, $to }: Selection): Set<HTMLElement> {
    const texts = [Selection.findFrom($from, 1, true)?.from, Selection.findFrom($to, -1, true)?.to]
    const places = [$from.pos, $to.pos, ...texts.filter((pos) => pos !== undefined)]
    return new Set(places.flatMap((pos) => this.#slotsAt(pos)))
  }

  #slotsAt(pos: number): HTMLElement[] {
    const { doc } = this.#view.state
    const own = this.#blocks?.slotOf(doc.resolve(pos).index(0))
    const inLists = groupedListsOf(this.#view).map((list) => list.slotAt(doc, pos))
    return [own, ...inLists].filter((slot) => slot !== undefined)
  }

  #wake(awake: ReadonlySet<HTMLElement>): void {
    for (const slot of awake) slot.classList.add('awake')
    for (const slot of this.#awake) if (!awake.has(slot)) slot.classList.remove('awake')
    this.#awake = awake
  }
}
