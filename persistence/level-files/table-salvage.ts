/** What single flipped bits did to a table file, put right. */

import { viewOf } from './crc32c.ts'
import { mendByTrying, mendChecked } from './one-bit.ts'
import {
  type BlockHandle,
  entriesOf,
  footerBytes,
  footerOf,
  isSound,
  plainBlock,
  trailerBytes,
} from './table-file.ts'

/** Where, in bytes of the file, which are mended in place. What cannot be mended stays as it is. */
export function mendTable(bytes: Uint8Array): number[] {
  if (bytes.length < footerBytes) return []
  const mended: number[] = []
  const isMended = (block: BlockHandle): boolean => {
    if (isSound(viewOf(bytes), block)) return true
    if (!mendBlock(bytes, block)) return false
    mended.push(block.offset)
    return true
  }
  if (!leadsTo(bytes, isMended)) {
    const footer = { from: bytes.length - footerBytes, to: bytes.length }
    const isRight = () => leadsTo(bytes, (block) => isSound(viewOf(bytes), block))
    if (!mendByTrying(bytes, footer, isRight)) return mended
    mended.push(footer.from)
  }
  for (const top of Object.values(footerOf(bytes) ?? {})) {
    for (const { block } of entriesOf(plainBlock(bytes, top))) isMended(block)
  }
  return mended
}

/** Whether both blocks that the footer names are there and as they should be. */
function leadsTo(bytes: Uint8Array, isRight: (block: BlockHandle) => boolean): boolean {
  try {
    const footer = footerOf(bytes)
    return footer !== undefined && isRight(footer.metaIndex) && isRight(footer.index)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function mendBlock(bytes: Uint8Array, { offset, size }: BlockHandle): boolean {
  const to = offset + size + 1
  if (offset + size + trailerBytes > bytes.length) return false
  return mendChecked(bytes, { from: offset, to, checksumAt: to })
}
