/**
 * A poster: a whole PNG of moderate size whose every chunk has its checksum (extensions §11). It is
 * read as bytes; no pixel is decoded.
 */
import { crc32 } from 'node:zlib'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { pngChunks } from './png.ts'
import { type Bytes, Window, windowBytes } from './window.ts'

/** Refuses UNSUPPORTED_MEDIA_TYPE: it is none; PAYLOAD_TOO_LARGE: it is too wide or high. */
export async function requirePoster(bytes: Bytes): Promise<void> {
  for await (const chunk of pngChunks(new Window(bytes))) {
    if (chunk === undefined || !(await isIntact(bytes, chunk))) {
      const message = 'The body is no whole PNG image.'
      throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { accepted: ['image/png'] }, message)
    }
    if (chunk.type === 'IHDR') await requirePixels(bytes, chunk.from + 8)
  }
}

async function isIntact(
  bytes: Bytes,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const end = to - 4
  let sum = 0
  for (let at = from + 4; at < end; at += windowBytes) {
    sum = crc32(await bytes.read(at, Math.min(windowBytes, end - at)), sum)
  }
  return (await bytes.read(end, 4)).readUInt32BE(0) === sum
}

async function requirePixels(bytes: Bytes, at: number): Promise<void> {
  const header = await bytes.read(at, 8)
  const size = Math.max(header.readUInt32BE(0), header.readUInt32BE(4))
  const limit = limits.posterMaxPixels
  if (size > limit) {
    const message = `A poster is at most ${limit} pixels wide and high.`
    throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size }, message)
  }
}
