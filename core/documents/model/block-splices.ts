/**
 * Gathers what one transaction did to the list of top-level blocks (replaced, born, gone) and puts
 * it into the form of splices. Works from the changed places; the list is only searched for blocks
 * that are gone, and only when the count says that some are.
 */
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { after, before } from '../../../schema/yjs/children.ts'
import { isGone } from '../../../schema/yjs/items.ts'
import type { IndexedList, Splice } from './indexed-list.ts'

interface Block {
  readonly element: Y.XmlElement
  readonly node: Node
}

interface SplicedBlocks {
  readonly from: number
  to: number
  readonly blocks: Block[]
}

export class BlockSplices {
  readonly #list: IndexedList<Y.XmlElement>
  readonly #born = new Map<Y.XmlElement, Node>()
  readonly #replaced = new Map<number, Block>()
  readonly #removed = new Set<number>()

  constructor(list: IndexedList<Y.XmlElement>) {
    this.#list = list
  }

  replace(index: number, element: Y.XmlElement, node: Node): void {
    this.#replaced.set(index, { element, node })
  }

  insert(element: Y.XmlElement, node: Node): void {
    this.#born.set(element, node)
  }

  /** Finds the deleted elements, given how many children the fragment has now. */
  findRemoved(count: number): void {
    const { list } = this.#list
    if (list.length + this.#born.size === count) return
    list.forEach((element, index) => {
      if (isGone(element)) this.#removed.add(index)
    })
  }

  /** The splices of the list of elements (none where only nodes changed) and of that of nodes. */
  result(): {
    readonly children: readonly Splice<Y.XmlElement>[]
    readonly nodes: readonly Splice<Node>[]
  } {
    let shift = 0
    const children: Splice<Y.XmlElement>[] = []
    const nodes: Splice<Node>[] = []
    for (const stretch of this.#stretches()) {
      const [from, to] = [stretch.from + shift, stretch.to + shift]
      children.push({ from, to, items: stretch.blocks.map((block) => block.element) })
      nodes.push({ from, to, items: stretch.blocks.map((block) => block.node) })
      shift += stretch.blocks.length - (to - from)
    }
    const moved = this.#born.size + this.#removed.size > 0
    return { children: moved ? children : [], nodes }
  }

  /** Neighbouring changes put together, counted in the old indices. */
  #stretches(): SplicedBlocks[] {
    const born = this.#bornByPlace()
    const indices = new Set([...born.keys(), ...this.#replaced.keys(), ...this.#removed])
    const stretches: SplicedBlocks[] = []
    for (const index of [...indices].sort((a, b) => a - b)) {
      let open = stretches.at(-1)
      if (open?.to !== index) {
        open = { from: index, to: index, blocks: [] }
        stretches.push(open)
      }
      open.blocks.push(...(born.get(index) ?? []))
      const replaced = this.#replaced.get(index)
      if (replaced !== undefined) open.blocks.push(replaced)
      if (replaced !== undefined || this.#removed.has(index)) open.to = index + 1
    }
    return stretches
  }

  /** The born blocks by the old index they now stand before, in order. */
  #bornByPlace(): Map<number, Block[]> {
    const places = new Map<number, Block[]>()
    for (const element of this.#born.keys()) {
      const previous = this.#known(element, before)
      if (previous !== undefined && this.#born.has(previous)) continue
      const blocks: Block[] = []
      for (let next: Y.XmlElement | undefined = element; next !== undefined; ) {
        const node = this.#born.get(next)
        if (node === undefined) break
        blocks.push({ element: next, node })
        next = this.#known(next, after)
      }
      const index = previous === undefined ? 0 : this.#list.indexOf(previous) + 1
      places.set(index, blocks)
    }
    return places
  }

  /** The next sibling in one direction that this mirror knows or is about to. */
  #known(element: Y.XmlElement, step: typeof before): Y.XmlElement | undefined {
    for (let next = step(element); next !== undefined; next = step(next)) {
      const sibling = next as Y.XmlElement
      if (this.#born.has(sibling) || this.#list.indexOf(sibling) !== -1) return sibling
    }
    return undefined
  }
}
