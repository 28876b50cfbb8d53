/**
 * Where links lead that go by a definition, once the definition says another address. A link has
 * its address as its own; that it goes by a definition is part of how its block was written, and
 * holds only as long as both agree.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { indentMax } from './context.ts'
import type { Definitions, LinkTarget } from './definitions.ts'
import { spelledLeaf } from './spelled-leaf.ts'
import { spelledRow } from './spelled-row.ts'
import { spellingOf } from './spelling.ts'

const { nodes, marks } = documentSchema

/** For targets that definitions no longer have, those that they have instead. */
export type MovedTargets = ReadonlyMap<string, LinkTarget>

const keyOf = (href: unknown, title: unknown): string => JSON.stringify([href, title])

/** Of labels that are defined before and now. */
export function movedTargets(before: Definitions, now: Definitions): MovedTargets {
  const moved = new Map<string, LinkTarget>()
  for (const [label, { href, title }] of Object.entries(before.targets)) {
    const next = now.targets[label]
    if (next === undefined || (next.href === href && next.title === title)) continue
    moved.set(keyOf(href, title), next)
  }
  return moved
}

export const movedTarget = (
  moved: MovedTargets,
  { href, title }: { readonly href?: unknown; readonly title?: unknown },
): LinkTarget | undefined => moved.get(keyOf(href, title))

export interface Redefined {
  readonly moved: MovedTargets
  readonly before: Definitions
  readonly now: Definitions
}

/**
 * Whether all links to a moved target in a paragraph, heading or row go by a definition: with the
 * definitions before it says what it said, and with those of now the same with the new targets.
 */
export function linksFollow(leaf: Node, { moved, before, now }: Redefined): boolean {
  if (spellingOf(leaf)?.includes('[') !== true) return false
  const next = retargeted(leaf, moved)
  if (next === leaf) return false
  const text = spelledText(leaf, before)
  return text !== undefined && text === spelledText(next, now)
}

/** Those whose links are looked at, each as a whole. */
export const isLinking = ({ type }: Node): boolean =>
  type === nodes.paragraph || type === nodes.heading || type === nodes.table_row

function spelledText(leaf: Node, definitions: Definitions): string | undefined {
  if (leaf.type === nodes.table_row) return spelledRow(leaf, leaf.childCount, definitions)?.md
  return spelledLeaf(leaf, { indent: indentMax, definitions })?.md
}

function retargeted(node: Node, moved: MovedTargets): Node {
  if (node.isText) {
    const link = marks.link.isInSet(node.marks)
    const next = link && movedTarget(moved, link.attrs)
    return next === undefined
      ? node
      : node.mark(marks.link.create({ ...next }).addToSet(node.marks))
  }
  if (node.isLeaf) {
    const { href, hrefTitle } = node.attrs
    const next = movedTarget(moved, { href, title: hrefTitle })
    if (next === undefined) return node
    const own = { ...node.attrs, href: next.href, hrefTitle: next.title }
    return node.type.create(own, null, node.marks)
  }
  const children = node.children.map((child) => retargeted(child, moved))
  if (children.every((child, index) => child === node.child(index))) return node
  return node.type.create(node.attrs, children)
}
