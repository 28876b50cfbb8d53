/**
 * The texts that a change of blocks touches, before and after, each in reading order. A passage is
 * the whole text of one textblock; those that stay as they are are left out. Writes nothing.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { elementOf } from './adoption.ts'
import type { Change, Changed, Level } from './compare-blocks.ts'
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

type Texts = readonly { readonly text: string }[]

export const textOf = (all: Texts): string => all.map(({ text }) => text).join('')
export const lengthOf = (all: Texts): number => all.reduce((sum, { text }) => sum + text.length, 0)

/** One pair of rows for each part of the change, or for all of them where they are short. */
export function* passagesOf({ tops, levels, texts }: Change): Generator<number, Passages[]> {
  const leaves = new Map<string, string>()
  const known: Known = {
    nested: new Map(levels.map((level) => [level.parent, level])),
    changed: new Map(texts.map((text) => [text.element, text])),
    charsOf: (node) => withLeaves(node, leaves),
  }
  const all: Passages[] = []
  for (const top of tops) {
    const passages: Passages = { old: [], next: [] }
    yield* addOld(top, known, passages.old)
    yield* addNext(top, known, passages.next)
    all.push(passages)
  }
  return all.length > 1 && lengthOfAll(all) <= joinedMaxChars ? [joined(all)] : all
}

interface Known {
  /** The levels within blocks that stay. */
  readonly nested: ReadonlyMap<Y.XmlFragment, Level>
  readonly changed: ReadonlyMap<Y.XmlElement, Changed>
  charsOf(node: Node): string
}

function* addOld(level: Level, known: Known, into: OldPassage[]): Generator<number, void> {
  const { nested, changed, charsOf } = known
  for (const row of level.rows) {
    if (row instanceof Y.XmlElement) {
      const [inner, text] = [nested.get(row), changed.get(row)]
      if (inner) yield* addOld(inner, known, into)
      else if (text) into.push({ element: row, node: text.old, text: charsOf(text.old) })
    } else into.push(...removedPassages(row, charsOf))
    yield perBlock
  }
}

function* addNext(level: Level, known: Known, into: NewPassage[]): Generator<number, void> {
  const { nested, changed, charsOf } = known
  for (const place of level.places) {
    if (place instanceof Y.XmlElement) {
      const [inner, text] = [nested.get(place), changed.get(place)]
      if (inner) yield* addNext(inner, known, into)
      else if (text) {
        into.push({ target: place, node: text.next, text: charsOf(text.next), source: place })
      }
    } else into.push(...addedPassages(place, charsOf))
    yield perBlock
  }
}

/** What it costs to read a block, in characters that are written. */
const perBlock = 8

/** Up to which text may be carried from one part to another as well. */
const joinedMaxChars = 16 * 1024

const lengthOfAll = (all: readonly Passages[]): number =>
  all.reduce((sum, { old, next }) => sum + lengthOf(old) + lengthOf(next), 0)

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
