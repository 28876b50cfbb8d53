/**
 * A list, whose items stand in groups where there are very many of them. One that grows under hands
 * stays as it is drawn; one that became long at once is drawn anew.
 */
import type { Node } from 'prosemirror-model'
import type { NodeView, NodeViewConstructor } from 'prosemirror-view'
import { groupsBlocks, longFromBlocks } from '../viewport/block-groups.ts'
import { GroupedList } from '../viewport/grouped-lists.ts'
import { plainNodeViews } from './plain.ts'

const atOnce = 50

const isLong = ({ childCount }: Node): boolean => childCount > longFromBlocks && groupsBlocks()

const listView: NodeViewConstructor = (node, view, getPos, ...rest) => {
  const plain = plainNodeViews[node.type.name]?.(node, view, getPos, ...rest)
  if (plain === undefined) throw new TypeError(`${node.type.name} is no list`)
  if (isLong(node)) return new GroupedList(plain.dom as HTMLElement, node, { view, getPos })
  return new ShortList(plain, node)
}

export const listViews = { bullet_list: listView, ordered_list: listView }

class ShortList implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
  #node: Node

  constructor({ dom }: NodeView, node: Node) {
    this.dom = dom as HTMLElement
    this.contentDOM = this.dom
    this.#node = node
  }

  update(next: Node): boolean {
    const becameLong = isLong(next) && next.childCount - this.#node.childCount > atOnce
    if (becameLong || !next.sameMarkup(this.#node)) return false
    this.#node = next
    return true
  }
}
