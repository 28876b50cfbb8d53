/**
 * Which of two elements comes first in the document. The positions of a parent's children are
 * counted once, when they are first asked for; made anew for each use, since the tree changes.
 */
import type * as Y from 'yjs'
import { type Child, childrenOf, parentElement } from '../../../schema/yjs/children.ts'

export class DocumentOrder {
  readonly #root: Y.XmlFragment
  readonly #positions = new Map<Y.XmlFragment, ReadonlyMap<Child, number>>()
  readonly #paths = new Map<Y.XmlElement, readonly number[]>()

  constructor(root: Y.XmlFragment) {
    this.#root = root
  }

  /** Negative where `a` comes before `b`; an element comes before what is in it. */
  compare(a: Y.XmlElement, b: Y.XmlElement): number {
    const [left, right] = [this.#path(a), this.#path(b)]
    for (let depth = 0; depth < left.length && depth < right.length; depth++) {
      const difference = (left[depth] ?? 0) - (right[depth] ?? 0)
      if (difference !== 0) return difference
    }
    return left.length - right.length
  }

  #path(element: Y.XmlElement): readonly number[] {
    const known = this.#paths.get(element)
    if (known !== undefined) return known
    const parent = parentElement(element)
    const above = parent === undefined ? [] : this.#path(parent)
    const path = [...above, this.#position(parent ?? this.#root, element)]
    this.#paths.set(element, path)
    return path
  }

  #position(parent: Y.XmlFragment, child: Child): number {
    let positions = this.#positions.get(parent)
    if (positions === undefined) {
      positions = new Map(childrenOf(parent).map((each, index) => [each, index]))
      this.#positions.set(parent, positions)
    }
    return positions.get(child) ?? -1
  }
}
