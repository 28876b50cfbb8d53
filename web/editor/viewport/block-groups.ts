/**
 * A long document's blocks, and a long list's items, in groups that the browser leaves alone while
 * they are out of sight. At a key it then watches, lays out and hits a few hundred boxes, not ten
 * thousand. **Invariant:** after each update of the view every child is in a group.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { GroupedChildren } from './grouped-children.ts'
import { groupedListsOf } from './grouped-lists.ts'

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
      groups.update()
      return { update: () => groups.update(), destroy: () => groups.destroy() }
    },
  })
}

class BlockGroups {
  readonly #view: EditorView
  #blocks: GroupedChildren | undefined

  constructor(view: EditorView) {
    this.#view = view
  }

  /** Before anything measures: what is in no group is not there. */
  update(): void {
    const { dom, state } = this.#view
    if (this.#blocks === undefined && state.doc.childCount > longFromBlocks && groupsBlocks()) {
      this.#blocks = new GroupedChildren(dom, { childEm: blockEm })
    }
    this.#blocks?.update()
    for (const { groups } of groupedListsOf(this.#view)) groups.update()
  }

  destroy(): void {
    this.#blocks?.destroy()
  }
}
