/**
 * What became of blocks and their words, said once for each change: blocks that stay, go and come,
 * who of these is one of those, which regions of a text were rewritten, and what went from one text
 * to another. Invariant: an immutable value; whoever writes, names or shows a change asks it and
 * compares nothing again. It knows no ids but those in nodes, and neither markdown nor Yjs.
 */
import type { Node } from 'prosemirror-model'
import {
  type AddedBlock,
  type BlockRow,
  matchRow,
  type RemovedBlock,
  type StayingBlock,
} from './blocks.ts'
import { type Carried, compareWords, type Words } from './carried.ts'
import { byLetters, type Comparing, compareTexts } from './comparing.ts'
import type { Region } from './inline-row.ts'
import { KnownTexts } from './known-texts.ts'
import { pairSources } from './pairing.ts'
import { isChangedText, type NewText } from './passages.ts'

/** Siblings that give way to others. */
export interface Replaced {
  /** Where they begin among all of theirs. */
  readonly from: number
  readonly old: readonly Node[]
  readonly next: readonly Node[]
}

/** The same, with what became of them. */
export interface Part {
  readonly from: number
  readonly row: BlockRow
}

export interface Correspondence {
  /** Ascending and apart; what one loses another may have. */
  readonly parts: readonly Part[]
  /** Of each text that goes on and changed, in its own block or in the one that it came to. */
  readonly regions: ReadonlyMap<NewText, readonly Region[]>
  readonly carried: readonly Carried[]
}

/** All of it at once, for nodes that have their ids or need none. */
export function correspondenceOf(all: readonly Replaced[]): Correspondence {
  const parts = match(all)
  pairMoved(parts)
  return complete(parts)
}

/** Who stays. Of those that come it is not known yet who they were. */
export function match(all: readonly Replaced[]): Part[] {
  const texts = knownTexts(all)
  return all.map(({ from, old, next }) => ({ from, row: matchRow(old, next, texts) }))
}

function knownTexts(all: readonly Replaced[]): KnownTexts {
  const [only] = all
  if (only && all.length === 1) return new KnownTexts(only.old, only.next)
  return new KnownTexts(
    all.flatMap(({ old }) => old),
    all.flatMap(({ next }) => next),
  )
}

/** Finds out who of those that come is one of those that go; answers how many are. */
export const pairMoved = (parts: readonly Part[]): number => pairSources(changesIn(parts))

/** When it is known who was whom: what became of the words. */
export function complete(parts: readonly Part[], comparing: Comparing = byLetters): Correspondence {
  const { texts, added, removed } = changesIn(parts)
  const isOneRow = added.length + removed.length === 0 && texts.length < 2
  const words = isOneRow
    ? wordsOf(texts, comparing)
    : compareWords(
        parts.map(({ row }) => row),
        comparing,
      )
  return { parts, ...words }
}

/** Nothing but the text of one block changes: there is nowhere to carry it. */
const wordsOf = (texts: readonly StayingBlock[], comparing: Comparing): Words => ({
  regions: new Map(texts.map((text) => [text, compareTexts(text.old, text.node, comparing)])),
  carried: [],
})

/** Who changed, at any depth of what stays. */
interface Changes {
  readonly texts: StayingBlock[]
  readonly added: AddedBlock[]
  readonly removed: RemovedBlock[]
}

function changesIn(parts: readonly Part[]): Changes {
  const changes: Changes = { texts: [], added: [], removed: [] }
  for (const { row } of parts) enter(row, changes)
  return changes
}

function enter({ old, next }: BlockRow, changes: Changes): void {
  for (const block of old) if (block) changes.removed.push(block)
  for (const block of next) {
    if (block.kind === 'comes') changes.added.push(block)
    else if (block.row) enter(block.row, changes)
    else if (isChangedText(block)) changes.texts.push(block)
  }
}
