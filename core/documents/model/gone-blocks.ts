/**
 * Where a deleted block stood, told by a block that survives: the nearest before it among its
 * siblings of old, else the nearest after it, else the same question one level up. Only blocks that
 * can be addressed count. Works on the mirror as it was before the transaction.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { isAddressable } from '../../../schema/addressable.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { GoneBlock } from '../../commit/participant.ts'
import type { Mirror } from './mirror.ts'

interface Facts {
  /** As of before the transaction. */
  readonly mirror: Mirror
  survives(id: BlockId): boolean
}

type Neighbour = Omit<GoneBlock, 'id'>

export function goneBlocks(
  gone: readonly (readonly [BlockId, Y.XmlElement])[],
  facts: Facts,
): GoneBlock[] {
  const levels = new Map<Y.XmlFragment, Level>()
  return gone.map(([id, element]) => ({ id, ...neighbourOf(element, { facts, levels }) }))
}

interface Search {
  readonly facts: Facts
  readonly levels: Map<Y.XmlFragment, Level>
}

function neighbourOf(element: Y.XmlElement, search: Search): Neighbour {
  const { facts, levels } = search
  for (let child = element; ; ) {
    const { parent } = child
    if (!(parent instanceof Y.XmlFragment)) break
    let level = levels.get(parent)
    if (level === undefined) {
      level = new Level(parent, facts)
      levels.set(parent, level)
    }
    const found = level.neighbour(child)
    if (found !== undefined) return found
    if (!(parent instanceof Y.XmlElement)) break
    const own = level.own()
    if (own !== undefined) return { survivor: own, relation: 'after' }
    child = parent
  }
  return { survivor: null, relation: 'after' }
}

/**
 * The old children of one parent. However many of them are gone, each is passed once a direction.
 */
class Level {
  readonly #parent: Y.XmlFragment
  readonly #facts: Facts
  readonly #siblings: readonly Node[]
  readonly #nearest = {
    before: new Map<number, BlockId | undefined>(),
    after: new Map<number, BlockId | undefined>(),
  }

  constructor(parent: Y.XmlFragment, facts: Facts) {
    const { mirror } = facts
    const node = parent instanceof Y.XmlElement ? mirror.nodeOf(parent) : undefined
    this.#parent = parent
    this.#facts = facts
    this.#siblings = node?.children ?? (parent === mirror.fragment ? mirror.nodes : [])
  }

  neighbour(child: Y.XmlElement): Neighbour | undefined {
    const node = this.#facts.mirror.nodeOf(child)
    const index = this.#isRoot() ? this.#facts.mirror.indexOf(child) : this.#indexOf(node)
    if (index === -1) return undefined
    const left = this.#look(index, 'before')
    if (left !== undefined) return { survivor: left, relation: 'after' }
    const right = this.#look(index, 'after')
    return right === undefined ? undefined : { survivor: right, relation: 'before' }
  }

  #isRoot(): boolean {
    return this.#parent === this.#facts.mirror.fragment
  }

  #indexOf(node: Node | undefined): number {
    return node === undefined ? -1 : this.#siblings.indexOf(node)
  }

  /** The nearest survivor on one side of an index. */
  #look(index: number, side: 'before' | 'after'): BlockId | undefined {
    const known = this.#nearest[side]
    const step = side === 'before' ? -1 : 1
    const passed: number[] = []
    let found: BlockId | undefined
    for (let at = index; ; at += step) {
      if (known.has(at)) {
        found = known.get(at)
        break
      }
      passed.push(at)
      const sibling = this.#siblings[at + step]
      if (sibling === undefined) break
      found = this.#survivor(sibling)
      if (found !== undefined) break
    }
    for (const at of passed) known.set(at, found)
    return found
  }

  /** The parent itself, where it survives and can be addressed. */
  own(): BlockId | undefined {
    if (!(this.#parent instanceof Y.XmlElement)) return undefined
    const node = this.#facts.mirror.nodeOf(this.#parent)
    const top = this.#facts.mirror.indexOf(this.#parent) !== -1
    return node && (top || isAddressable(node)) ? this.#surviving(node) : undefined
  }

  #survivor(sibling: Node): BlockId | undefined {
    return this.#isRoot() || isAddressable(sibling) ? this.#surviving(sibling) : undefined
  }

  #surviving(node: Node): BlockId | undefined {
    const id: unknown = node.attrs['id']
    return isBlockId(id) && this.#facts.survives(id) ? id : undefined
  }
}
