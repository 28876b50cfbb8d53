/**
 * Which threads a planned edit takes words from (interface §4.5, comment preservation): those of
 * which a character goes and that are not anchored to the same words elsewhere. What was written
 * into the words that were commented may go again. Pure: told from the text before and the text
 * that the plan makes.
 */
import type { Node } from 'prosemirror-model'
import { diffBy } from '../../../schema/diff/comparing.ts'
import { inlineRow, keptBetween } from '../../../schema/diff/inline-row.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { lastAtMost } from '../../../schema/markdown/bisect.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { someOccurrences } from '../../../schema/occurrences.ts'
import { plainText } from '../../../schema/plain-text.ts'
import type { Operation } from '../edits/plan/operation.ts'
import { contextChars, type RangeAnchor } from './anchor.ts'
import { contextOf } from './anchoring.ts'
import { nodeOf } from './placed.ts'
import type { Thread } from './thread.ts'
import type { Threads } from './threads.ts'

export interface Planned {
  readonly before: DocumentText
  readonly operations: readonly Operation[]
  readonly after: DocumentText
}

/** The newest first; those whose words are gone already are not among them. */
export function threadsAtRisk(planned: Planned, threads: Threads): readonly Thread[] {
  if (threads.isEmpty || planned.operations.length === 0) return []
  const { gone, come } = changedBlocks(planned)
  const concerned = threads.standingIn(gone)
  if (concerned.length === 0) return []
  const kept = new KeptWords(planned, threads)
  const words = new Elsewhere(planned.after, come)
  /** Only what was written into the words since they were quoted goes. */
  const isAsQuoted = ({ quote, lead, trail }: Thread, anchor: RangeAnchor): boolean => {
    const quoted = quote.slice(lead, quote.length - trail)
    if (quoted === '' || quoted.length >= anchor.words.length) return false
    return kept.left(anchor) === quoted && words.hold({ ...anchor, words: quoted })
  }
  const atRisk: Thread[] = []
  for (const thread of concerned) {
    const { anchor } = thread
    const isKept =
      anchor.scope === 'block'
        ? planned.after.findBlock(anchor.block) !== undefined
        : kept.hold(anchor) || words.hold(anchor) || isAsQuoted(thread, anchor)
    if (!isKept) atRisk.push(thread)
  }
  return atRisk
}

/** What stays of a block. */
interface KeptBlock {
  /** Whether all of an anchor in it does. */
  holds(anchor: RangeAnchor): boolean
  /** The characters of an anchor that do. */
  left(anchor: RangeAnchor): string
}

/** What stays of blocks, compared once for each, however many threads are in it. */
class KeptWords {
  readonly #planned: Planned
  readonly #threads: Threads
  readonly #blocks = new Map<BlockId, KeptBlock>()

  constructor(planned: Planned, threads: Threads) {
    this.#planned = planned
    this.#threads = threads
  }

  /** Whether every character of an anchor in one block stays in it. */
  hold(anchor: RangeAnchor): boolean {
    return this.#blockOf(anchor)?.holds(anchor) ?? false
  }

  /** The characters of an anchor in one block that stay in it. */
  left(anchor: RangeAnchor): string {
    return this.#blockOf(anchor)?.left(anchor) ?? ''
  }

  #blockOf({ from, to }: RangeAnchor): KeptBlock | undefined {
    if (from.block !== to.block) return undefined
    const known = this.#blocks.get(from.block) ?? this.#compared(from.block)
    this.#blocks.set(from.block, known)
    return known
  }

  #compared(id: BlockId): KeptBlock {
    const { before, after } = this.#planned
    const [old, next] = [blockIn(before, id), blockIn(after, id)]
    if (old === undefined || next === undefined) return { holds: () => false, left: () => '' }
    if (old === next) return { holds: () => true, left: ({ words }) => words }
    if (!old.inlineContent || !next.inlineContent) {
      const text = plainText(next)
      return { holds: (anchor) => standsIn(text, anchor), left: () => '' }
    }
    const [row, other] = [inlineRow(old), inlineRow(next)]
    const choice = { wholeWords: true, commented: this.#threads.wordsIn(id) }
    const kept = joined(keptBetween(row, diffBy(row, other, choice)))
    const text = plainText(old)
    const at = (offset: number) => lastAtMost(kept.length, offset, (n) => kept[n]?.from ?? 0)
    return {
      holds: ({ from, to }) => (kept[at(from.offset)]?.to ?? 0) >= to.offset,
      left: ({ from, to }) =>
        kept
          .slice(Math.max(0, at(from.offset)), at(to.offset) + 1)
          .map((one) => text.slice(Math.max(one.from, from.offset), Math.min(one.to, to.offset)))
          .join(''),
    }
  }
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** Stretches between which nothing went are one. */
function joined(kept: readonly Stretch[]): readonly Stretch[] {
  const all: { from: number; to: number }[] = []
  for (const { from, to } of kept) {
    const last = all.at(-1)
    if (last?.to === from) last.to = to
    else all.push({ from, to })
  }
  return all
}

function blockIn(text: DocumentText, id: BlockId): Node | undefined {
  const block = text.findBlock(id)
  return block && nodeOf(text, block)
}

/** The blocks that the plan changes or brings, in which words may stand that left their own. */
class Elsewhere {
  readonly #texts: readonly string[]
  #left: number = limits.wordsSoughtMaxChars

  constructor(after: DocumentText, ids: ReadonlySet<BlockId>) {
    this.#texts = [...ids].slice(0, soughtInMax).flatMap((id) => {
      const node = blockIn(after, id)
      return node === undefined ? [] : [plainText(node)]
    })
  }

  /** They are taken along where they go with what is beside them; past a bound none are. */
  hold(anchor: RangeAnchor): boolean {
    return this.#texts.some((text) => this.#holdsIn(text, anchor))
  }

  #holdsIn(text: string, anchor: RangeAnchor): boolean {
    this.#left -= text.length
    return this.#left > 0 && standsIn(text, anchor)
  }
}

/** Places that are looked at in one text. */
const placesMax = 256

/** Whether the words stand with what was beside them, as far as that is there. */
function standsIn(text: string, anchor: RangeAnchor): boolean {
  const { length } = anchor.words
  return someOccurrences(text, anchor.words, placesMax).some((at) => {
    const { isAlike } = contextOf(anchor, text, { at, length, isNew: () => true })
    return isAlike || length >= contextChars
  })
}

const soughtInMax = 64

/** Blocks that are not as they were, by their ids before and after. */
function changedBlocks({ before, operations }: Planned) {
  const gone = new Set<BlockId>()
  const come = new Set<BlockId>()
  let text = before
  for (const operation of operations) {
    for (const { from, to, nodes } of operation.parts) {
      const old = Array.from({ length: to - from }, (_, n) => text.node(from + n))
      enterChanged(old, nodes, gone)
      enterChanged(nodes, old, come)
    }
    text = operation.text
  }
  return { gone, come }
}

/** The ids of those that are not among the others, at any depth. */
function enterChanged(nodes: readonly Node[], others: readonly Node[], into: Set<BlockId>): void {
  const kept = new Set(others)
  const changed = nodes.filter((node) => !kept.has(node))
  for (const { attrs } of changed) {
    const id: unknown = attrs['id']
    if (isBlockId(id)) into.add(id)
  }
  const inner = (all: readonly Node[]) =>
    all.filter((node) => !node.inlineContent).flatMap(({ children }) => children)
  const children = inner(changed)
  if (children.length > 0) enterChanged(children, inner(others), into)
}
