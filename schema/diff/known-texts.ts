/**
 * Which texts stand before and after a change, wherever that is. A block whose text stands
 * elsewhere now went there: it is not the block that was rewritten where it stood. Costs what the
 * blocks that differ cost.
 */
import type { Node } from 'prosemirror-model'
import { commonEnds } from './ends.ts'

export class KnownTexts {
  readonly #old = new Map<string, number>()
  readonly #next = new Map<string, number>()

  constructor(old: readonly Node[], next: readonly Node[]) {
    const [was, now] = differing(old, next)
    countTexts(was, new Set(now), this.#old)
    countTexts(now, new Set(was), this.#next)
  }

  /** Whether `next` cannot be `old` rewritten, for one of them is known to be another block. */
  separate(old: Node, next: Node): boolean {
    const [was, now] = [leadOf(old), leadOf(next)]
    if (was === undefined || now === undefined || was === now) return false
    return this.#leaves(was) || this.#comes(now)
  }

  /** Every block with this text has its position after the change. */
  #leaves(text: string): boolean {
    const count = this.#next.get(text) ?? 0
    return count > 0 && count >= (this.#old.get(text) ?? 0)
  }

  #comes(text: string): boolean {
    const count = this.#old.get(text) ?? 0
    return count > 0 && count >= (this.#next.get(text) ?? 0)
  }
}

/** What a textblock says, or an item in its first block; no other block is known by its words. */
function leadOf(node: Node): string | undefined {
  const block = node.type.name === 'list_item' ? node.firstChild : node
  return block?.inlineContent ? block.textContent : undefined
}

/** Both rows without what they share at their ends, at the depth where they begin to differ. */
function differing(
  old: readonly Node[],
  next: readonly Node[],
): [readonly Node[], readonly Node[]] {
  const { front, back } = commonEnds(old, next)
  const [a, b] = [old.slice(front, old.length - back), next.slice(front, next.length - back)]
  const [was, now] = [a[0], b[0]]
  const isOne = a.length === 1 && b.length === 1 && was !== undefined && now !== undefined
  if (!isOne || was.inlineContent || now.inlineContent) return [a, b]
  return differing(was.children, now.children)
}

function countTexts(
  row: readonly Node[],
  others: ReadonlySet<Node>,
  into: Map<string, number>,
): void {
  for (const node of row) {
    if (others.has(node)) continue
    const text = node.inlineContent ? node.textContent : ''
    if (text !== '') into.set(text, (into.get(text) ?? 0) + 1)
    else if (!node.inlineContent) countTexts(node.children, others, into)
  }
}
