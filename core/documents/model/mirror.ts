/**
 * The immutable ProseMirror document of one Y fragment, kept by rebuilding only what a transaction
 * touched. A pure reader: it never writes to the Y.Doc.
 * Invariants: after `load` and each `refresh`, `nodes[i]` is the node of `children[i]`; an element
 * that was not touched, nor anything in it, keeps its very Node object; one Node belongs to one
 * element.
 * It expects a repaired tree, and knows neither ids nor markdown.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { childrenOf, parentElement } from '../../../schema/yjs/children.ts'
import { idOf } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { typeAt } from '../../../schema/yjs/structs.ts'
import { type Touched, touchedTypes, typingIn } from '../../yjs/touched.ts'
import { BlockSplices } from './block-splices.ts'
import { IndexedList, spliced } from './indexed-list.ts'
import { outdated, sameNode } from './outdated.ts'
import { readNode } from './read-node.ts'

/**
 * The top-level nodes [from, to) were replaced by `nodes`. The changes of one refresh ascend, do
 * not overlap, and are to be applied one after the other: each counts in the list as the changes
 * before it have left it.
 */
export interface BlockChange {
  readonly from: number
  readonly to: number
  readonly nodes: readonly Node[]
}

/** So many changed blocks are reported one by one, neighbours too. */
const fewBlocks = 8

const byPlace = (a: BlockChange, b: BlockChange): number => a.from - b.from

type AuthorOf = (client: number, clock: number) => ActorId

/**
 * The struct of the element that a node was read from, kept on the node: a WeakMap would get
 * another entry with every key, and in a long document V8 goes through all of them again and again.
 */
const struct = Symbol('struct')

interface ReadNode {
  [struct]?: StructId | undefined
}

export class Mirror {
  readonly fragment: Y.XmlFragment
  readonly #authorOf: AuthorOf
  readonly #nodeByType = new WeakMap<Y.XmlElement, Node>()
  #list = new IndexedList<Y.XmlElement>([])
  #nodes: Node[] = []

  constructor(fragment: Y.XmlFragment, authorOf: AuthorOf) {
    this.fragment = fragment
    this.#authorOf = authorOf
  }

  /** The top-level nodes. The mirror's own array: it changes with the next refresh. */
  get nodes(): readonly Node[] {
    return this.#nodes
  }

  /** The top-level elements, parallel to `nodes`. */
  get children(): readonly Y.XmlElement[] {
    return this.#list.list
  }

  /**
   * The position of a top-level element as of the last refresh, or -1. Constant time, amortised.
   */
  indexOf(child: Y.XmlElement): number {
    return this.#list.indexOf(child)
  }

  /** The node of an element at any depth, as of the last refresh. */
  nodeOf(type: Y.XmlElement): Node | undefined {
    return this.#nodeByType.get(type)
  }

  /** The element whose node this is, as of the last refresh; undefined for any other node. */
  typeOf(node: Node & ReadNode): Y.XmlElement | undefined {
    const id = node[struct]
    const type = id && this.fragment.doc && typeAt(this.fragment.doc, id)
    if (!(type instanceof Y.XmlElement)) return undefined
    return this.#nodeByType.get(type) === node ? type : undefined
  }

  /**
   * Who made an inline or block leaf, now or in a former text: leaves carry no marks, so their
   * struct answers.
   */
  leafAuthor(leaf: Node & ReadNode): ActorId | undefined {
    const id = leaf[struct]
    return id && this.#authorOf(id.client, id.clock)
  }

  /** Reads the whole fragment. */
  load(): readonly Node[] {
    const children: Y.XmlElement[] = []
    for (const child of childrenOf(this.fragment)) {
      if (child instanceof Y.XmlElement) children.push(child)
    }
    this.#nodes = children.map((child) => this.#read(child))
    this.#list = new IndexedList(children)
    return this.#nodes
  }

  /**
   * The nodes of the touched top-level elements as they stand in a running transaction, without
   * taking them over: what `refresh` would build if the transaction ended now.
   */
  preview(touched: Touched): ReadonlyMap<Y.XmlElement, Node> {
    const { dirty, tops } = outdated(touched)
    const made = new Map<Y.XmlElement, Node>()
    const nodeNow = (element: Y.XmlElement): Node => {
      const known = dirty.has(element) ? made.get(element) : this.#nodeByType.get(element)
      if (known !== undefined) return known
      const node = readNode(element, nodeNow)
      made.set(element, node)
      return node
    }
    return new Map([...tops].map((top) => [top, nodeNow(top)]))
  }

  /**
   * Takes over what a transaction changed; call it once for each transaction, when it has ended (or
   * nothing more will be written in it). Reports old top-level positions and their new nodes.
   */
  refresh(transaction: Y.Transaction): readonly BlockChange[] {
    const typedIn = this.#typedBlocks(transaction)
    if (typedIn !== undefined) return [...typedIn].map(this.#rewritten).sort(byPlace)
    const touched = touchedTypes(transaction)
    const { dirty, tops } = outdated(touched)
    if (!touched.root && tops.size <= fewBlocks) return this.#replaceEach(tops, dirty)
    const splices = new BlockSplices(this.#list)
    for (const top of tops) {
      const index = this.#list.indexOf(top)
      const node = this.#reread(top, dirty)
      if (index === -1) splices.insert(top, node)
      else if (node !== this.#nodes[index]) splices.replace(index, top, node)
    }
    if (touched.root) splices.findRemoved(this.fragment.length)
    const { nodes, children } = splices.result()
    this.#nodes = spliced(this.#nodes, nodes) as Node[]
    this.#list.splice(children)
    return nodes.map(({ from, to, items }) => ({ from, to, nodes: items }))
  }

  /** Where characters were typed, and nothing else changed. */
  #typedBlocks(transaction: Y.Transaction): ReadonlySet<Y.XmlElement> | undefined {
    const blocks = new Set<Y.XmlElement>()
    for (const text of typingIn(transaction)?.texts ?? []) {
      const block = parentElement(text)
      if (block === undefined || parentElement(block) !== undefined) return undefined
      if (!this.#nodeByType.has(block)) return undefined
      blocks.add(block)
    }
    return blocks.size > 0 ? blocks : undefined
  }

  readonly #rewritten = (element: Y.XmlElement): BlockChange => {
    const index = this.#list.indexOf(element)
    if (index === -1) throw new TypeError('a block that is not in the list')
    const node = readNode(element, (child) => this.#nodeByType.get(child) ?? this.#read(child))
    this.#nodes[index] = this.#install(element, node)
    return { from: index, to: index + 1, nodes: [node] }
  }

  /** The list of blocks is as it was, and a few of them changed: typing. */
  #replaceEach(tops: ReadonlySet<Y.XmlElement>, dirty: Set<Y.XmlElement>): readonly BlockChange[] {
    const changes: BlockChange[] = []
    for (const top of tops) {
      const index = this.#list.indexOf(top)
      if (index === -1) throw new TypeError('a block that is not in the list')
      const node = this.#reread(top, dirty)
      if (node === this.#nodes[index]) continue
      this.#nodes[index] = node
      changes.push({ from: index, to: index + 1, nodes: [node] })
    }
    return changes.sort(byPlace)
  }

  /** The node of an element as it stands now; of the dirty ones each is built once. */
  #reread(element: Y.XmlElement, dirty: Set<Y.XmlElement>): Node {
    const old = this.#nodeByType.get(element)
    if (old !== undefined && !dirty.delete(element)) return old
    const node = readNode(element, (child) => this.#reread(child, dirty))
    return old !== undefined && sameNode(old, node) ? old : this.#install(element, node)
  }

  #read(element: Y.XmlElement): Node {
    const node = readNode(element, (child) => this.#read(child))
    return this.#install(element, node)
  }

  #install(element: Y.XmlElement, node: Node & ReadNode): Node {
    this.#nodeByType.set(element, node)
    node[struct] = idOf(element)
    return node
  }
}
