/**
 * Which blocks a revision touched, for its history row: those that came, went or read otherwise
 * than before, each with a fingerprint of what stood there before. So it can be told of any
 * revision which blocks differ from it, also where a change was taken back since.
 */
import { hash } from 'node:crypto'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { PrintedBlock } from '../../../schema/markdown/printed.ts'
import type { TouchedBlock } from '../../commit/history-row.ts'
import { addressedIn } from '../views/block-listing.ts'
import type { ChangedBlocks } from './changed-blocks.ts'

/** What is in a longer block is not looked at: it counts as one that reads otherwise. */
const lookedIntoMaxChars = 512 * 1024

/** Of the markdown of a block; 72 bits. */
export const fingerprintOf = (quote: string): string =>
  hash('sha256', quote, 'base64url').slice(0, 12)

/** Said in place of a fingerprint that nobody made. */
export const unknownFingerprint = ''

export function touchedBlocks(changed: ChangedBlocks): readonly TouchedBlock[] {
  const { gone, stretches } = changed
  const same = flatBlocks(changed)
  if (same !== undefined) return same
  const now = new Map<BlockId, string | undefined>()
  for (const { what, printed } of stretches) {
    if (what === 'whole') for (const [id, quote] of quotesIn(printed)) now.set(id, quote)
  }
  const touched: TouchedBlock[] = []
  const were = new Set<BlockId>()
  for (const { printed } of gone) {
    for (const [id, quote] of quotesIn(printed)) {
      were.add(id)
      if (now.has(id) && quote !== undefined && now.get(id) === quote) continue
      touched.push([id, quote === undefined ? unknownFingerprint : fingerprintOf(quote)])
    }
  }
  for (const id of now.keys()) if (!were.has(id)) touched.push([id, null])
  return touched
}

/** Mostly: one block reads otherwise, or a few, with nothing inside that has its own address. */
function flatBlocks({ gone, stretches }: ChangedBlocks): readonly TouchedBlock[] | undefined {
  if (gone.length !== stretches.length) return undefined
  const touched: TouchedBlock[] = []
  for (const [index, { printed: old }] of gone.entries()) {
    const now = stretches[index]
    if (now?.what !== 'whole' || old.blocks.length + now.printed.blocks.length > 2) return undefined
    const id = old.blocks[0]?.id
    if (id === undefined || !isBlockId(id) || id !== now.printed.blocks[0]?.id) return undefined
    if (old.md === now.printed.md || old.md.length > lookedIntoMaxChars) return undefined
    touched.push([id, fingerprintOf(old.md)])
  }
  return touched
}

function* quotesIn(printed: PrintedBlock): Generator<[BlockId, string | undefined]> {
  const isLong = printed.md.length > lookedIntoMaxChars
  for (const { id, from, to } of addressedIn(printed)) {
    if (id !== null) yield [id, isLong ? undefined : printed.md.slice(from, to)]
    if (isLong) return
  }
}
