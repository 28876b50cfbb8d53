/**
 * Puts a running transaction's result right before anyone sees it: the tree valid in the schema,
 * its values exact, and what markdown cannot say (ragged tables, a task box before a list …)
 * brought to what it can. Nothing is written where nothing is wrong; a second run writes nothing.
 * All text is kept: what cannot stand where it is gets wrapped, lifted, converted or spelled.
 * Deterministic. Looks only at what the transaction touched. Block ids and authorship are others'
 * business.
 */
import * as Y from 'yjs'
import {
  after,
  before,
  type Child,
  firstChild,
  parentElement,
} from '../../../schema/yjs/children.ts'
import { isGone } from '../../../schema/yjs/items.ts'
import { type Touched, touchedTypes, typingIn } from '../../yjs/touched.ts'
import { cleanCharacters, isForeign } from './characters.ts'
import { makeExpressible } from './expressible.ts'
import { fitBlocks } from './fit.ts'
import type { Mirror } from './mirror.ts'
import { type Cloned, PieceWriter } from './piece-writer.ts'
import { fitsParent, kindOf, needsContent } from './shape.ts'
import { repairValues } from './values.ts'

export type { Cloned } from './piece-writer.ts'

/**
 * Repairs what `transaction` touched, with the clientID the caller has set. The mirror is that of
 * the state before it. `cloned` hears of every struct that had to be written again elsewhere.
 * Answers whether more than texts changed: without that no block came, went or has another id.
 */
export function repairStructure(
  transaction: Y.Transaction,
  mirror: Mirror,
  cloned: Cloned,
): boolean {
  const typing = typingIn(transaction)
  if (typing?.texts.every((text) => fitsParent(text, mirror.fragment))) {
    // Values and formats are as they were.
    if (typing.strings.some(isForeign)) {
      for (const text of typing.texts) cleanCharacters(transaction, text, cloned)
    }
    return false
  }
  const state = { mirror, cloned }
  const before = touchedTypes(transaction)
  const wrong = wrongTypes(before, mirror)
  let touched = before
  if (wrong.size > 0 || before.root) {
    repairTree(transaction, wrong, state)
    touched = touchedTypes(transaction)
  }
  repairValues(transaction, { touched, cloned })
  // Changes of text alone cannot make a block inexpressible.
  if (touched.elements.size > 0) repairMeaning(transaction, state)
  return touched.root || touched.elements.size > 0
}

interface State {
  readonly mirror: Mirror
  readonly cloned: Cloned
}

/** Every child in a place that the schema gives it, and nothing without the content it needs. */
function repairTree(
  transaction: Y.Transaction,
  wrong: ReadonlySet<Child>,
  { mirror, cloned }: State,
): void {
  const root = mirror.fragment
  const writer = new PieceWriter(transaction, cloned)
  for (const row of neighbours([...wrong].filter((child) => child.parent === root))) {
    const left = row[0] && before(row[0])
    const pieces = fitBlocks(row, { root, wrong })
    writer.replace(root, { left, old: row }, pieces)
  }
  writer.finish()
  fillRoot(root)
}

function repairMeaning(transaction: Y.Transaction, { mirror, cloned }: State): void {
  const touched = touchedTypes(transaction)
  const writer = new PieceWriter(transaction, cloned)
  for (const [element, node] of mirror.preview(touched)) makeExpressible(element, node, writer)
  writer.finish()
}

/** What is wrong, and every element around it. */
function wrongTypes({ texts, elements, root }: Touched, mirror: Mirror): ReadonlySet<Child> {
  const wrong = new Set<Child>()
  for (const text of texts) {
    if (!fitsParent(text, mirror.fragment)) addWithAncestors(wrong, text)
  }
  for (const element of elements) {
    const hollow = needsContent(element.nodeName) && firstChild(element) === undefined
    if (hollow || !fitsParent(element, mirror.fragment)) addWithAncestors(wrong, element)
  }
  const front = root ? mirror.children[0] : undefined
  if (front && !isGone(front) && !fitsParent(front, mirror.fragment)) {
    addWithAncestors(wrong, front)
  }
  return wrong
}

function addWithAncestors(wrong: Set<Child>, child: Child): void {
  for (let type: Child | undefined = child; type && !wrong.has(type); ) {
    wrong.add(type)
    type = parentElement(type)
  }
}

/** Blocks in rows of neighbours, each in document order. */
function neighbours(blocks: readonly Child[]): Child[][] {
  const wrong = new Set(blocks)
  const rows: Child[][] = []
  for (const child of wrong) {
    const left = before(child)
    if (left !== undefined && wrong.has(left)) continue
    const row: Child[] = []
    for (let next: Child | undefined = child; next !== undefined; next = after(next)) {
      if (!wrong.has(next)) break
      row.push(next)
    }
    rows.push(row)
  }
  return rows
}

/** A document has at least one block besides its front matter. */
function fillRoot(root: Y.XmlFragment): void {
  const first = firstChild(root)
  const front = first instanceof Y.XmlElement && kindOf(first.nodeName) === 'front'
  if (first !== undefined && !(front && after(first) === undefined)) return
  root.insertAfter(first ?? null, [new Y.XmlElement('paragraph')])
}
