/**
 * A poster: a whole PNG of moderate size whose every chunk has its checksum (extensions §11). It is
 * read as bytes; no pixel is decoded.
 */
import { crc32 } from 'node:zlib'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { pngChunks } from './png.ts'
import { type Bytes, ByteWindow, windowBytes } from './window.ts'

/** Refuses UNSUPPORTED_MEDIA_TYPE: it is none; PAYLOAD_TOO_LARGE: it is too wide or high. */
export async function requirePoster(bytes: Bytes): Promise<void> {
  // However many chunks there are, the file is read once for them and once for their checksums.
  const sums = new ByteWindow(bytes)
  for await (const chunk of pngChunks(new ByteWindow(bytes))) {
    if (chunk === undefined || !(await isIntact(sums, chunk))) {
      const message = 'The body is not a complete PNG image.'
      throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { accepted: ['image/png'] }, message)
    }
    if (chunk.type === 'IHDR') await requirePixels(bytes, chunk.from + 8)
  }
}

async function isIntact(
  window: ByteWindow,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  window.skip(from + 4 - window.at)
  let sum = 0
  for (let left = to - 4 - window.at; left > 0; ) {
    const count = Math.min(windowBytes, left)
    if (!(await window.see(count))) return false
    sum = crc32(window.ahead(count), sum)
    window.skip(count)
    left -= count
  }
  return (await window.see(4)) && window.ahead(4).readUInt32BE(0) === sum
}

async function requirePixels(bytes: Bytes, at: number): Promise<void> {
  const header = await bytes.read(at, 8)
  const size = Math.max(header.readUInt32BE(0), header.readUInt32BE(4))
  const limit = limits.posterMaxPixels
  if (size > limit) {
    const message = `A poster can be at most ${limit} pixels wide and high.`
    throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size }, message)
  }
}
