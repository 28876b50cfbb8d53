/**
 * The texts that a change of blocks touches, before and after, each in reading order. A passage is
 * the whole text of one textblock; those that stay as they are are left out. Writes nothing.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { elementOf } from './adoption.ts'
import type { Change, Level } from './apply-blocks.ts'
import { contentKey } from './content.ts'
import { inlineRow } from './inline.ts'
import type { AddedBlock, RemovedBlock } from './pairing.ts'

export interface OldPassage {
  readonly element: Y.XmlElement
  readonly node: Node
  readonly text: string
}

export interface NewPassage {
  readonly target: Y.XmlElement | AddedBlock
  readonly node: Node
  readonly text: string
  /** The block whose place it takes. */
  readonly source: Y.XmlElement | undefined
}

export interface Passages {
  readonly old: OldPassage[]
  readonly next: NewPassage[]
}

/** One pair of rows for each part of the change, or for all of them where they are short. */
export function passagesOf({ tops, levels, texts }: Change): Passages[] {
  const leaves = new Map<string, string>()
  const charsOf = (node: Node): string => withLeaves(node, leaves)
  const nested = new Map(levels.map((level) => [level.parent, level]))
  const changed = new Map(texts.map((text) => [text.element, text]))
  const oldOf = (level: Level): OldPassage[] =>
    level.rows.flatMap((row) => {
      if (!(row instanceof Y.XmlElement)) return removedPassages(row, charsOf)
      const text = changed.get(row)
      const inner = nested.get(row)
      if (inner) return oldOf(inner)
      return text ? [{ element: row, node: text.old, text: charsOf(text.old) }] : []
    })
  const nextOf = (level: Level): NewPassage[] =>
    level.places.flatMap((place) => {
      if (!(place instanceof Y.XmlElement)) return addedPassages(place, charsOf)
      const text = changed.get(place)
      const inner = nested.get(place)
      if (inner) return nextOf(inner)
      if (!text) return []
      return [{ target: place, node: text.next, text: charsOf(text.next), source: place }]
    })
  const all = tops.map((top) => ({ old: oldOf(top), next: nextOf(top) }))
  return all.length > 1 && lengthOf(all) <= joinedMaxChars ? [joined(all)] : all
}

/** Up to which text may be carried from one part to another as well. */
const joinedMaxChars = 16 * 1024

function lengthOf(all: readonly Passages[]): number {
  let length = 0
  for (const { old, next } of all) {
    for (const { text } of old) length += text.length
    for (const { text } of next) length += text.length
  }
  return length
}

const joined = (all: readonly Passages[]): Passages => ({
  old: all.flatMap(({ old }) => old),
  next: all.flatMap(({ next }) => next),
})

type CharsOf = (node: Node) => string

/** One unit stands for each leaf, the same one for leaves of the same content. */
function withLeaves(node: Node, leaves: Map<string, string>): string {
  const { chars, runs } = inlineRow(node)
  if (!runs.some(({ leaf }) => leaf)) return chars
  const parts = runs.map(({ from, to, leaf }) => {
    if (leaf === undefined) return chars.slice(from, to)
    const key = contentKey(leaf)
    const unit = leaves.get(key) ?? String.fromCharCode(firstLeafUnit + leaves.size)
    leaves.set(key, unit)
    return unit
  })
  return parts.join('')
}

/** The private use area, in which texts are hardly written. */
const firstLeafUnit = 0xe000

function removedPassages(block: RemovedBlock, charsOf: CharsOf): OldPassage[] {
  const { node, children } = block
  if (node.inlineContent) return [{ element: elementOf(block), node, text: charsOf(node) }]
  return children.flatMap((child) => removedPassages(child, charsOf))
}

function addedPassages(block: AddedBlock, charsOf: CharsOf): NewPassage[] {
  const { node, source, children } = block
  if (!node.inlineContent) return children.flatMap((child) => addedPassages(child, charsOf))
  return [{ target: block, node, text: charsOf(node), source: source?.element }]
}
