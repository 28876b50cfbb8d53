/**
 * What a new comment is about (interface §4.6): a quote, a block, the document or a thread. Refuses
 * with the codes of §7; judges nothing else of the comment.
 */
import { Refusal } from '../../../schema/errors.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import { nearestCandidates, tellingApart } from '../../../schema/markdown/candidates.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { findText, snippets } from '../../../schema/markdown/matching.ts'
import { findPlain, findPlainWhole } from '../../../schema/markdown/plain-search.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { nearestIndexOf, plainText } from '../../../schema/plain-text.ts'
import { shortened } from '../../../schema/shortened.ts'
import { blockAddress, tombstoneFields } from '../model/block-address.ts'
import type { Tombstones } from '../model/tombstones.ts'
import { type Anchor, blockWordsChars } from './anchor.ts'
import type { Anchoring } from './anchoring.ts'
import { type Spot, wordsIn } from './naming-words.ts'
import { nodeOf, rangeOf } from './placed.ts'

/** New words to talk about. */
export interface Target {
  readonly anchor: Anchor
  readonly quote: string
  readonly lead: number
  readonly trail: number
}

export interface Naming {
  readonly text: DocumentText
  readonly revision: number
  readonly tombstones: Tombstones
  readonly anchoring: Anchoring
}

/** `isPlain`: it suggests nothing, so that one block has to hold all of it. */
export function quoted(
  { text, revision, anchoring }: Naming,
  quote: string,
  isPlain: boolean,
): Target {
  const { total, matches } = findText(text, quote, {})
  const findSeen = isPlain ? findPlain : findPlainWhole
  const found = total > 0 ? matches : findSeen(text, quote, placesShown)
  const [match] = found
  if (match === undefined) {
    const candidates = nearestCandidates(text, quote)
    throw noSuchQuote(revision, candidates.length > 0 ? { candidates } : {})
  }
  if (found.length > 1) {
    const places = found.slice(0, placesShown)
    throw new Refusal('AMBIGUOUS', {
      revision,
      occurrences: Math.max(total, found.length),
      snippets: snippets(text, places),
      candidates: tellingApart(text, quote, places),
    })
  }
  const table = isPlain ? tableAt(text, match) : undefined
  if (table !== undefined) return { ...wholeBlock(text, table), quote }
  const words = wordsIn(text, match)
  if (words === undefined) throw new Refusal('COMMENT_ANCHOR_BLOCK_NOT_FOUND', { revision })
  const { from, to, lead, trail } = words
  const anchor = anchoring.range(from, to)
  // Markup alone: what it marks is meant.
  if (anchor === undefined) return { ...wholeBlock(text, from.block), quote }
  const isHeld = from.block === to.block || anchor.block !== from.block
  if (isPlain && !isHeld) throw new Refusal('MULTI_BLOCK_COMMENT_UNSUPPORTED', { revision })
  return { anchor, quote: text.slice(match.from, match.to), lead, trail }
}

/** Of a quote that stands at several places. */
const placesShown = 20

const noSuchQuote = (revision: number, more: Readonly<Record<string, unknown>> = {}): Refusal =>
  Refusal.ofTarget('NOT_FOUND', { revision, ...more }, 'The quote is not in the document.')

/** The table that a range is, with its delimiter row (extensions §13). */
function tableAt(text: DocumentText, { from, to }: TextRange): BlockId | undefined {
  const index = text.indexAt(from)
  const [within, end] = [from - text.start(index), to - text.start(index)]
  const table = text
    .printed(index)
    .blocks.find((block) => block.type === 'table' && block.from >= within && block.to <= end)
  if (table === undefined || !isBlockId(table.id)) return undefined
  const around = text.slice(from, text.start(index) + table.from)
  const behind = text.slice(text.start(index) + table.to, to)
  return around.trim() === '' && behind.trim() === '' ? table.id : undefined
}

/** Words by where they are, for who sees them: a quote would have to stand there once. */
export interface NamedPlace {
  readonly from: Spot
  readonly to: Spot
  /** The plain text between; it must read so, there or nearby in the same block. */
  readonly words: string
}

export function pointedAt({ text, revision, anchoring }: Naming, place: NamedPlace): Target {
  const spots = nearestSpots(text, place)
  const anchor = spots && anchoring.range(spots.from, spots.to)
  if (anchor === undefined) throw noSuchQuote(revision)
  const range = rangeOf(text, anchor)
  const { length } = place.words
  // Others may have written between its ends, but it costs what is sent.
  if (range === undefined || anchor.words.length > 2 * length + 1_000) throw noSuchQuote(revision)
  const markdown = text.slice(range.from, range.to)
  const quote = markdown.length > 4 * length + 1_000 ? anchor.words : markdown
  return { anchor, quote, lead: 0, trail: 0 }
}

/** Where the words are that were named; undefined: they are not there. */
function nearestSpots(text: DocumentText, { from, to, words }: NamedPlace) {
  const [first, last] = [plainOf(text, from.block), plainOf(text, to.block)]
  if (first === undefined || last === undefined || words === '') return undefined
  if (from.block !== to.block) {
    const isSo =
      words.startsWith(first.slice(from.offset)) && words.endsWith(last.slice(0, to.offset))
    return isSo ? { from, to } : undefined
  }
  const offset = nearestIndexOf(first, words, from.offset)
  if (offset === undefined) return undefined
  const { block } = from
  return { from: { block, offset }, to: { block, offset: offset + words.length } }
}

function plainOf(text: DocumentText, id: BlockId): string | undefined {
  const block = text.findBlock(id)
  return block && plainText(nodeOf(text, block))
}

/** The block's markdown as it is quoted of it. */
export function wholeBlock(text: DocumentText, id: BlockId): Target {
  const block = text.findBlock(id)
  if (block === undefined) throw new TypeError('a block that does not stand')
  const words = shortened(plainText(nodeOf(text, block)), blockWordsChars)
  const anchor = { scope: 'block', block: id, words, isLost: false } as const
  return { anchor, quote: text.slice(block.from, block.to), lead: 0, trail: 0 }
}

/** The id of a block that stands; for a suggestion a deleted one is stale. */
export function namedBlock(naming: Naming, id: string, isSuggestion: boolean): BlockId {
  const { text, revision, tombstones } = naming
  const durable = id.startsWith('blk_') ? durableId(text, id) : id
  if (durable === undefined) throw new Refusal('BLOCK_NOT_FOUND', { revision })
  const found = blockAddress(durable, text, tombstones)
  if (found.kind === 'block') return found.id
  if (found.kind === 'wrapper') throw new Refusal('BLOCK_ID_NOT_ADDRESSABLE', { revision })
  if (found.kind === 'unknown') throw Refusal.ofTarget('BLOCK_ID_NOT_FOUND', { revision })
  if (isSuggestion) {
    throw new Refusal('BLOCK_STALE', { revision, current_text: null, block_deleted: true })
  }
  throw new Refusal('BLOCK_TOMBSTONED', { revision, tombstone: tombstoneFields(found.place) })
}

/** `blk_<n>` is the n-th of `content_blocks`. */
function durableId(text: DocumentText, id: string): string | undefined {
  const position = /^blk_(\d{1,9})$/.exec(id)?.[1]
  if (position === undefined) return undefined
  let index = Number(position)
  for (const block of text.blocks()) if (index-- === 0) return block.id ?? undefined
  return undefined
}

/** The first block behind front matter (extensions §13). */
export function firstBlock({ text, revision }: Naming): Target {
  const at = text.blockCount > 0 && text.node(0).type.name === 'front_matter' ? 1 : 0
  const id: unknown = at < text.blockCount ? text.node(at).attrs['id'] : undefined
  if (!isBlockId(id)) throw new Refusal('COMMENT_ANCHOR_BLOCK_NOT_FOUND', { revision })
  return wholeBlock(text, id)
}
