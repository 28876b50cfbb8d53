/**
 * Remembers how a node in a long container printed the last time, so that a change beside it does
 * not print it again. Pure: nodes are immutable, and a part is a function of the node and its key.
 */
import type { Node } from 'prosemirror-model'
import type { Definitions } from './definitions.ts'
import type { PrintedPart } from './printed-parts.ts'

export interface PartKey {
  /** What stands ahead of every line but the first. */
  readonly prefix: string
  /** All else that the part depends on. */
  readonly setting: string
  readonly definitions: Definitions
}

interface Remembered extends PartKey {
  readonly part: PrintedPart
}

const remembered = new WeakMap<Node, Remembered>()

/** In a short container printing is as cheap as remembering. */
const longFromChildren = 16

export const isLongContainer = (node: Node): boolean => node.childCount >= longFromChildren

export function rememberedPart(
  node: Node,
  { prefix, setting, definitions }: PartKey,
  print: () => PrintedPart,
): PrintedPart {
  const known = remembered.get(node)
  const isSame = known?.setting === setting && known.prefix === prefix
  if (isSame && known.definitions === definitions) return known.part
  const part = print()
  remembered.set(node, { prefix, setting, definitions, part })
  return part
}
