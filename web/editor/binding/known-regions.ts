/**
 * Where a text block was rewritten, for what knows it: told from the two blocks alone, a change is
 * one stretch, from the first place that differs to the last.
 */
import type { Node } from 'prosemirror-model'
import type { Region } from '../../../schema/diff/inline-row.ts'

interface Origin {
  readonly old: Node
  readonly regions: readonly Region[]
}

const origins = new WeakMap<Node, Origin>()

/** The block `next` was made of `old` by these, in order; none touches another. */
export function knowRegions(next: Node, origin: Origin): void {
  origins.set(next, origin)
}

/** What is known of the way between two blocks, once: the old one is not kept for it. */
export function takeRegions(old: Node, next: Node): readonly Region[] | undefined {
  const origin = origins.get(next)
  if (origin?.old !== old) return undefined
  origins.delete(next)
  return origin.regions
}
