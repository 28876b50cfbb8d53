/**
 * Selected blocks into lists of one kind. What stands in a list stays where it is, as deep as it
 * is, and the list becomes of the kind; other text becomes items, which join the lists beside them.
 */
import type { Attrs, Node, NodeType } from 'prosemirror-model'
import { isItem, isList, type ListKind, nodes, withChildren } from '../model/nodes.ts'
import { isBlock, isTextBlock } from './selected-blocks.ts'

export interface Listing {
  readonly kind: ListKind
  readonly touches: (node: Node, pos: number) => boolean
  /** The paragraphs that a selected text block becomes. */
  readonly turn: (block: Node) => readonly Node[]
}

export const listTypeOf = (kind: ListKind): NodeType =>
  kind === 'ordered' ? nodes.ordered_list : nodes.bullet_list

/** The same document, quote or item, whose content begins at `start`, with lists made in it. */
export function listed(parent: Node, start: number, listing: Listing): Node {
  const { kind, touches, turn } = listing
  const row = new ListRow()
  parent.forEach((child, offset) => {
    const pos = start + offset
    if (!touches(child, pos)) row.addWhole(child)
    else if (isList(child)) row.addList(rekinded(child, pos, listing), child.type)
    else if (child.type === nodes.blockquote) row.addWhole(listed(child, pos + 1, listing))
    else if (isItem(parent) || !isTextBlock(child)) row.addWhole(child)
    else {
      const checked = kind === 'task' ? false : null
      for (const paragraph of turn(child)) {
        row.addItem(nodes.list_item.create({ checked }, paragraph), listTypeOf(kind))
      }
    }
  })
  return withChildren(parent, row.close())
}

/** Bullets and numbers are the whole list's, boxes are the items' own. */
function rekinded(list: Node, pos: number, listing: Listing): Node {
  const { kind } = listing
  let isChosen = false
  const items: Node[] = []
  list.forEach((item, offset) => {
    const start = pos + 1 + offset + 1
    const inner = listing.touches(item, start - 1) ? listed(item, start, listing) : item
    const isOwn = inner.childCount > 0 && holdsChosen(item, start, listing)
    isChosen ||= isOwn
    items.push(isOwn ? marked(inner, start, listing) : inner)
  })
  const type = listTypeOf(kind)
  // A numbered list in which some items are tasks keeps its numbers.
  const stays = kind === 'task' && items.some(({ attrs }) => attrs['checked'] === null)
  if (!isChosen || stays || list.type === type) return withChildren(list, items)
  const { id, tight } = list.attrs
  return type.create({ id, tight }, items)
}

/** Whether a block is selected that stands in the item itself, not in a list or quote in it. */
function holdsChosen(item: Node, start: number, { touches }: Listing): boolean {
  let pos = start
  return item.children.some((child) => {
    pos += child.nodeSize
    return isBlock(child) && touches(child, pos - child.nodeSize)
  })
}

/** With a box or without; a box stands before a paragraph alone. */
function marked(item: Node, start: number, { kind, touches, turn }: Listing): Node {
  const { id, checked } = item.attrs
  if (kind !== 'task') return withChecked(item, null)
  const [first, ...rest] = item.children
  if (first?.type === nodes.paragraph) return withChecked(item, checked ?? false)
  if (first === undefined || !isTextBlock(first) || !touches(first, start)) return item
  return item.type.create({ id, checked: checked ?? false }, [...turn(first), ...rest])
}

function withChecked(item: Node, checked: boolean | null): Node {
  if (item.attrs['checked'] === checked) return item
  return item.type.create({ ...item.attrs, checked }, item.content)
}

/** A list that is still growing. */
interface Growing {
  readonly type: NodeType
  attrs: Attrs
  readonly items: Node[]
  /** Its last item was none before. */
  isFresh: boolean
  /** Of the last list that came in, where the selection is in it. */
  was: NodeType | undefined
  /** The list itself, while nothing else came in. */
  whole: Node | undefined
}

/** Blocks one after another; what has become one list is one. */
class ListRow {
  readonly #row: Node[] = []
  #list: Growing | undefined

  /** Nothing of it was changed, or it is no list. */
  addWhole(node: Node): void {
    if (isList(node)) this.addList(node)
    else {
      this.close()
      this.#row.push(node)
    }
  }

  addItem(item: Node, type: NodeType): void {
    if (this.#list?.type !== type) {
      this.close()
      this.#list = { type, attrs: {}, items: [], isFresh: true, was: undefined, whole: undefined }
    }
    this.#list.items.push(item)
    this.#list.isFresh = true
    this.#list.whole = undefined
  }

  /** `was`: the type that a list had in which something is selected. */
  addList(list: Node, was?: NodeType): void {
    const open = this.#list
    const isTurned = open?.was !== undefined && was !== undefined && open.was !== was
    if (open?.type === list.type && (open.isFresh || isTurned)) {
      // What has no name yet takes the other's.
      const { id, tight } = (open.attrs['id'] ?? null) === null ? list.attrs : open.attrs
      open.attrs = { ...open.attrs, id, tight }
      for (const item of list.children) open.items.push(item)
      open.isFresh = false
      open.was = was
      open.whole = undefined
      return
    }
    this.close()
    const { type, attrs, children } = list
    this.#list = { type, attrs, items: [...children], isFresh: false, was, whole: list }
  }

  close(): readonly Node[] {
    const open = this.#list
    if (open !== undefined) this.#row.push(open.whole ?? open.type.create(open.attrs, open.items))
    this.#list = undefined
    return this.#row
  }
}
