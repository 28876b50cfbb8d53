/**
 * The texts that a change of blocks touches, before and after, each in reading order. A passage is
 * the whole text of one textblock; those that stay as they are are left out.
 */
import type { Node } from 'prosemirror-model'
import {
  type AddedBlock,
  type BlockRow,
  oldBlocks,
  type RemovedBlock,
  type StayingBlock,
} from './blocks.ts'
import { contentKey } from './content.ts'
import { inlineRow } from './inline-row.ts'

/** A textblock before the change. */
export type OldText = StayingBlock | RemovedBlock
/** A textblock after it. */
export type NewText = StayingBlock | AddedBlock

export interface OldPassage {
  readonly block: OldText
  readonly node: Node
  readonly text: string
}

export interface NewPassage {
  readonly block: NewText
  readonly node: Node
  readonly text: string
  /** The block that it was. */
  readonly source: OldText | undefined
}

export interface Passages {
  readonly old: OldPassage[]
  readonly next: NewPassage[]
}

type Texts = readonly { readonly text: string }[]

export const textOf = (all: Texts): string => all.map(({ text }) => text).join('')
export const lengthOf = (all: Texts): number => all.reduce((sum, { text }) => sum + text.length, 0)

/** One pair of rows for each of those given, or for all of them where they are short. */
export function passagesOf(rows: readonly BlockRow[]): Passages[] {
  const leaves = new Map<string, string>()
  const charsOf = (node: Node) => withLeaves(node, leaves)
  const all = rows.map((row) => {
    const passages: Passages = { old: [], next: [] }
    addOld(row, charsOf, passages.old)
    addNext(row, charsOf, passages.next)
    return passages
  })
  return all.length > 1 && lengthOfAll(all) <= joinedMaxChars ? [joined(all)] : all
}

type CharsOf = (node: Node) => string

function addOld(row: BlockRow, charsOf: CharsOf, into: OldPassage[]): void {
  for (const block of oldBlocks(row)) {
    if (block.kind === 'goes') into.push(...removedPassages(block, charsOf))
    else if (block.row) addOld(block.row, charsOf, into)
    else if (isChangedText(block)) {
      into.push({ block, node: block.old, text: charsOf(block.old) })
    }
  }
}

function addNext(row: BlockRow, charsOf: CharsOf, into: NewPassage[]): void {
  for (const block of row.next) {
    if (block.kind === 'comes') into.push(...addedPassages(block, charsOf))
    else if (block.row) addNext(block.row, charsOf, into)
    else if (isChangedText(block)) {
      into.push({ block, node: block.node, text: charsOf(block.node), source: block })
    }
  }
}

export const isChangedText = ({ isKept, node }: StayingBlock): boolean =>
  !isKept && node.inlineContent

/** Up to which text may be carried from one row to another as well. */
const joinedMaxChars = 16 * 1024

const lengthOfAll = (all: readonly Passages[]): number =>
  all.reduce((sum, { old, next }) => sum + lengthOf(old) + lengthOf(next), 0)

const joined = (all: readonly Passages[]): Passages => ({
  old: all.flatMap(({ old }) => old),
  next: all.flatMap(({ next }) => next),
})

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
  if (node.inlineContent) return [{ block, node, text: charsOf(node) }]
  return children.flatMap((child) => removedPassages(child, charsOf))
}

function addedPassages(block: AddedBlock, charsOf: CharsOf): NewPassage[] {
  const { node, source, children } = block
  if (!node.inlineContent) return children.flatMap((child) => addedPassages(child, charsOf))
  return [{ block, node, text: charsOf(node), source }]
}
