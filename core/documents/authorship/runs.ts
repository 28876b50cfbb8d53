/**
 * The runs of text that one update deleted and inserted. A run is what stood, or stands, together:
 * characters of one text with no living character of another hand between them. Formats and older
 * tombstones do not part a run. Must be read before the transaction ends, while deleted text is
 * still there. Knows nothing of actors' rights or of what is kept.
 */
import * as Y from 'yjs'
import {
  charsIn,
  firstItem,
  type Item,
  isVisible,
  itemOf,
  nextInDocument,
  parentOf,
  textAround,
  typeIn,
} from '../../../schema/yjs/items.ts'
import { isNew } from '../../yjs/transactions.ts'
import { type AuthorSpan, appendRun } from './exceptions.ts'
import type { AuthorsOf } from './projection.ts'

export interface Run {
  readonly kind: 'deleted' | 'inserted'
  /** In document order. */
  readonly items: readonly Item[]
  readonly text: string
  /** Of a deleted run: who wrote it. Of an inserted one: whom its clients belong to. */
  readonly authors: readonly AuthorSpan[]
  /** The run was, or is, all there is in its element. */
  readonly isBlock: boolean
  /** The run is a text of an element with several, which came, or went, as a whole. */
  readonly part?: BlockPart
}

/** One of the `pieces` texts of a block with breaks or images between them. */
export interface BlockPart {
  /** The id of the element's item. */
  readonly client: number
  readonly clock: number
  readonly index: number
  readonly pieces: number
}

interface RunItems {
  readonly kind: Run['kind']
  /** String items of texts, in any order. */
  readonly items: Iterable<Item>
}

/** Parts the found items into runs, each in document order; the runs themselves are in no order. */
export function gatherRuns(
  transaction: Y.Transaction,
  found: RunItems,
  authorsOf: AuthorsOf,
): Run[] {
  const members = new Set(found.items)
  const visited = new Set<Item>()
  const runs: Run[] = []
  const whole = new Map<Y.XmlText, Run>()
  for (const member of members) {
    if (visited.has(member)) continue
    const gathered = gather(member, members)
    let text = ''
    const authors: AuthorSpan[] = []
    for (const item of gathered.items) {
      visited.add(item)
      text += textOf(item)
      for (const { length, author } of authorsOf(item)) appendRun(authors, length, author)
    }
    const isBlock = gathered.fillsText && isAlone(transaction, member, found.kind)
    const run = { kind: found.kind, items: gathered.items, text, authors, isBlock }
    runs.push(run)
    const holder = textAround(member)
    if (gathered.fillsText && !isBlock && holder !== undefined) whole.set(holder, run)
  }
  const parts = partsOfBlocks(transaction, found.kind, whole)
  return runs.map((run) => {
    const part = parts.get(run)
    return part ? { ...run, part } : run
  })
}

/** Which of the texts are together all the text of an element that came, or went, as a whole. */
function partsOfBlocks(
  transaction: Y.Transaction,
  kind: Run['kind'],
  whole: ReadonlyMap<Y.XmlText, Run>,
): Map<Run, BlockPart> {
  const elements = new Set<Item>()
  for (const text of whole.keys()) {
    const element = text.parent instanceof Y.XmlElement ? itemOf(text.parent) : null
    if (element === null || element.deleted !== (kind === 'deleted')) continue
    if (isNew(transaction, element) === (kind === 'inserted')) elements.add(element)
  }
  const parts = new Map<Run, BlockPart>()
  for (const element of elements) {
    const runs = textsOf(element).flatMap((text) => {
      const run = whole.get(text)
      return run ?? (hasWords(text) ? [undefined] : [])
    })
    const { client, clock } = element.id
    const pieces = runs.length
    for (const [index, run] of runs.entries()) {
      if (run && pieces > 1) parts.set(run, { client, clock, index, pieces })
    }
  }
  return parts
}

/** The blocks of which runs are parts; each row in order, with gaps where a run is not given. */
export function blocksOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const blocks = new Map<string, Run[]>()
  for (const run of runs) {
    const { part } = run
    if (part === undefined) continue
    const key = `${part.client}/${part.clock}`
    const block = blocks.get(key) ?? []
    block[part.index] = run
    blocks.set(key, block)
  }
  return [...blocks.values()]
}

/** Deleted ones too. */
function textsOf(element: Item): Y.XmlText[] {
  const texts: Y.XmlText[] = []
  const holder = typeIn(element)
  for (let item = holder ? firstItem(holder) : null; item !== null; item = item.right) {
    const held = typeIn(item)
    if (held instanceof Y.XmlText) texts.push(held)
  }
  return texts
}

function hasWords(text: Y.XmlText): boolean {
  for (let item = firstItem(text); item !== null; item = item.right) {
    if (isVisible(item)) return true
  }
  return false
}

/**
 * Runs in chains: between the runs of a chain, in document order, no other text is alive. So if
 * the inserted runs of a chain repeat deleted ones in their order, the words of the document
 * stand as they stood, whatever became of the blocks around them.
 */
export function chainsOf(runs: readonly Run[], stepsMax: number): Run[][] {
  const starts = new Map<Item, Run>()
  for (const run of runs) {
    const first = run.items[0]
    if (first !== undefined) starts.set(first, run)
  }
  const following = new Map<Run, Run>()
  const heads = new Set(runs)
  const budget = { steps: stepsMax }
  for (const run of runs) {
    const next = nextRun(run, starts, budget)
    if (next === undefined) continue
    following.set(run, next)
    heads.delete(next)
  }
  return [...heads].map((head) => {
    const chain: Run[] = []
    for (let run: Run | undefined = head; run !== undefined; run = following.get(run)) {
      chain.push(run)
    }
    return chain
  })
}

/** The tombstones and other invisible items around a run, up to the living ones, in list order. */
export function invisibleAround(run: Run): Item[] {
  const first = run.items[0]
  const members = new Set(run.items)
  let start = first
  for (let left = first?.left ?? null; left !== null && !isVisible(left); left = left.left) {
    start = left
  }
  const around: Item[] = []
  for (let item = start ?? null; item !== null; item = item.right) {
    if (members.has(item)) continue
    if (isVisible(item)) break
    around.push(item)
  }
  return around
}

export const textOf = (item: Item): string => charsIn(item) ?? ''

function gather(seed: Item, members: ReadonlySet<Item>): { items: Item[]; fillsText: boolean } {
  let first = seed
  let left = seed.left
  for (; left !== null && (members.has(left) || !isVisible(left)); left = left.left) {
    if (members.has(left)) first = left
  }
  const items: Item[] = []
  let item: Item | null = first
  for (; item !== null && (members.has(item) || !isVisible(item)); item = item.right) {
    if (members.has(item)) items.push(item)
  }
  return { items, fillsText: left === null && item === null }
}

/**
 * Whether the text of an item is the only content its element has, or had before the transaction.
 */
function isAlone(transaction: Y.Transaction, item: Item, kind: Run['kind']): boolean {
  const text = textAround(item)
  const holder = text ? itemOf(text) : null
  if (holder === null || !(parentOf(holder) instanceof Y.XmlElement)) return false
  const counts = (sibling: Item): boolean =>
    typeIn(sibling) !== undefined &&
    (kind === 'inserted' ? !sibling.deleted : !isNew(transaction, sibling))
  for (let left = holder.left; left !== null; left = left.left) if (counts(left)) return false
  for (let right = holder.right; right !== null; right = right.right) {
    if (counts(right)) return false
  }
  return true
}

function nextRun(
  run: Run,
  starts: ReadonlyMap<Item, Run>,
  budget: { steps: number },
): Run | undefined {
  let item: Item | null = run.items.at(-1) ?? null
  while (item !== null && budget.steps > 0) {
    budget.steps -= 1
    item = nextInDocument(item)
    if (item === null) return undefined
    const found = starts.get(item)
    if (found !== undefined) return found
    if (!item.deleted && charsIn(item) !== undefined) return undefined
  }
  return undefined
}
