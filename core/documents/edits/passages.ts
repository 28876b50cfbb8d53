/**
 * The texts that a change of blocks touches, before and after, each in reading order. A passage is
 * the whole text of one textblock; those that stay as they are are left out. Writes nothing.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { AddedBlock, RemovedBlock } from './adoption.ts'
import type { Change, Level } from './apply-blocks.ts'
import { inlineRow } from './inline.ts'

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

/** One pair of rows for each part of the change. */
export function passagesOf({ tops, levels, texts }: Change): Passages[] {
  const nested = new Map(levels.map((level) => [level.parent, level]))
  const changed = new Map(texts.map((text) => [text.element, text]))
  const oldOf = (level: Level): OldPassage[] =>
    level.rows.flatMap((row) => {
      if (!(row instanceof Y.XmlElement)) return removedPassages(row)
      const text = changed.get(row)
      const inner = nested.get(row)
      if (inner) return oldOf(inner)
      return text ? [{ element: row, node: text.old, text: charsOf(text.old) }] : []
    })
  const nextOf = (level: Level): NewPassage[] =>
    level.places.flatMap((place) => {
      if (!(place instanceof Y.XmlElement)) return addedPassages(place)
      const text = changed.get(place)
      const inner = nested.get(place)
      if (inner) return nextOf(inner)
      if (!text) return []
      return [{ target: place, node: text.next, text: charsOf(text.next), source: place }]
    })
  return tops.map((top) => ({ old: oldOf(top), next: nextOf(top) }))
}

const charsOf = (node: Node): string => inlineRow(node).chars

function removedPassages({ node, element, children }: RemovedBlock): OldPassage[] {
  if (node.inlineContent) return [{ element, node, text: charsOf(node) }]
  return children.flatMap(removedPassages)
}

function addedPassages(block: AddedBlock): NewPassage[] {
  const { node, source, children } = block
  if (!node.inlineContent) return children.flatMap(addedPassages)
  return [{ target: block, node, text: charsOf(node), source: source?.element }]
}
