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

  /** From end to end; the browser puts an end that stands in no text into the text beside it. */
  #slotsOf({ $from, $to }: Selection): Set<HTMLElement> {
    const { doc } = this.#view.state
    const from = Selection.findFrom($from, 1, true)?.from ?? $from.pos
    const to = Selection.findFrom($to, -1, true)?.to ?? $to.pos
    const blocks = this.#blocks?.slotsBetween(doc.resolve(from).index(0), doc.resolve(to).index(0))
    const items = groupedListsOf(this.#view).map((list) => list.slotsBetween(doc, { from, to }))
    return new Set([...(blocks ?? []), ...items.flat()])
  }

  #wake(awake: ReadonlySet<HTMLElement>): void {
    for (const slot of awake) slot.classList.add('awake')
    for (const slot of this.#awake) if (!awake.has(slot)) slot.classList.remove('awake')
    this.#awake = awake
  }
}
