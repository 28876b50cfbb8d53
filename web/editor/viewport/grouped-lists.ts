/**
 * A long list, whose items stand in groups within it (`grouped-children.ts`). An element of its own
 * holds the groups: a list cannot.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import { GroupedChildren } from './grouped-children.ts'

/** About the height of an item that nobody has seen yet, in em. */
const itemEm = 2

const lists = new WeakMap<EditorView, Set<GroupedList>>()

/** Those that the view has drawn. */
export const groupedListsOf = (view: EditorView): readonly GroupedList[] => [
  ...(lists.get(view) ?? []),
]

export class GroupedList implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM = document.createElement('div')
  readonly groups: GroupedChildren
  readonly #getPos: () => number | undefined
  readonly #own: Set<GroupedList>
  #node: Node

  constructor(dom: HTMLElement, node: Node, at: Pick<GroupedListPlace, 'view' | 'getPos'>) {
    this.dom = dom
    this.#node = node
    this.#getPos = at.getPos
    this.#own = lists.get(at.view) ?? new Set()
    lists.set(at.view, this.#own.add(this))
    // To a reader the element of the items is the list, as the items are its children.
    dom.classList.add('long-list')
    dom.setAttribute('role', 'presentation')
    this.contentDOM.className = 'items'
    this.contentDOM.setAttribute('role', 'list')
    dom.append(this.contentDOM)
    const isNumbered = dom instanceof HTMLOListElement
    this.groups = new GroupedChildren(this.contentDOM, {
      childEm: itemEm,
      ...(isNumbered && { onGroups: (groups) => this.#number(groups) }),
    })
  }

  update(next: Node): boolean {
    if (!next.sameMarkup(this.#node)) return false
    this.#node = next
    return true
  }

  destroy(): void {
    this.groups.destroy()
    this.#own.delete(this)
  }

  ignoreMutation({ target, type }: { readonly target: globalThis.Node; readonly type: string }) {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  /** The slots of the groups of its items from one place to another. */
  slotsBetween(doc: Node, { from, to }: DocRange): HTMLSlotElement[] {
    const start = (this.#getPos() ?? 0) + 1
    const end = start + this.#node.content.size
    if (to < start || from > end) return []
    const { depth } = doc.resolve(start)
    const [first, last] = [Math.max(from, start), Math.min(to, end)]
    return this.groups.slotsBetween(doc.resolve(first).index(depth), doc.resolve(last).index(depth))
  }

  /** An item counts on from the one before it, which may not have been looked at. */
  #number(groups: readonly (readonly ChildNode[])[]): void {
    let next = Number(this.dom.getAttribute('start') ?? 1)
    for (const nodes of groups) {
      const items = nodes.filter((node) => node instanceof HTMLLIElement)
      for (const [at, item] of items.entries()) {
        if (at === 0) item.value = next
        else if (item.hasAttribute('value')) item.removeAttribute('value')
      }
      next += items.length
    }
  }
}

interface GroupedListPlace {
  readonly view: EditorView
  readonly getPos: () => number | undefined
}
