/**
 * WebP: chunks in a RIFF container, whose size and flags stand before what they are about. EXIF and
 * XMP are chunks of their own; IPTC has no place in it. No pixel is decoded.
 */
import { orientationIn, tiffOf } from './orientation.ts'
import { KeptParts, type Part } from './plan.ts'
import { type Bytes, ByteWindow, windowBytes } from './window.ts'

const headBytes = 12
const chunkHeadBytes = 8
const exifFlag = 0x08
const xmpFlag = 0x04
const pixels: readonly string[] = ['VP8 ', 'VP8L', 'ANMF']

/** `undefined`: it is no whole WebP. */
export async function partsOfWebp(bytes: Bytes): Promise<readonly Part[] | undefined> {
  const window = new ByteWindow(bytes)
  if (!(await window.see(headBytes))) return undefined
  const head = Buffer.from(window.ahead(headBytes))
  const end = head.readUInt32LE(4) + chunkHeadBytes
  const names = head.toString('latin1', 0, 4) + head.toString('latin1', 8, 12)
  if (names !== 'RIFFWEBP' || end > bytes.size) return undefined
  const kept = new KeptParts()
  kept.drop(0, headBytes)
  kept.put(head)
  window.skip(headBytes)
  const found = await readChunks(window, end, kept)
  if (found === undefined) return undefined
  head.writeUInt32LE(end - chunkHeadBytes + found.grownBy, 4)
  kept.keepTo(bytes.size)
  return kept.done()
}

async function readChunks(
  window: ByteWindow,
  end: number,
  kept: KeptParts,
): Promise<{ readonly grownBy: number } | undefined> {
  let grownBy = 0
  let flags: Buffer | undefined
  let hasPixels = false
  while (window.at < end) {
    if (!window.has(chunkHeadBytes) && !(await window.see(chunkHeadBytes))) return undefined
    const from = window.at
    const type = window.ahead(4).toString('latin1')
    const length = window.ahead(chunkHeadBytes).readUInt32LE(4)
    const to = from + chunkHeadBytes + length + (length % 2)
    if (to > end) return undefined
    window.skip(chunkHeadBytes)
    if (pixels.includes(type)) hasPixels = true
    if (type === 'VP8X') {
      if (length < 10 || !(await window.see(1))) return undefined
      flags = Buffer.from([(window.ahead(1)[0] ?? 0) & ~(exifFlag | xmpFlag)])
      kept.drop(window.at, window.at + 1)
      kept.put(flags)
    } else if (type === 'EXIF' || type === 'XMP ') {
      kept.drop(from, to)
      const orientation = type === 'EXIF' ? await orientationHere(window, length) : undefined
      const instead = orientation === undefined ? Buffer.alloc(0) : chunkOf(orientation)
      kept.put(instead)
      if (instead.length > 0) flags?.writeUInt8((flags[0] ?? 0) | exifFlag, 0)
      grownBy += instead.length - (to - from)
    }
    window.skip(to - window.at)
  }
  return hasPixels ? { grownBy } : undefined
}

async function orientationHere(window: ByteWindow, length: number): Promise<number | undefined> {
  const count = Math.min(length, windowBytes)
  if (!(await window.see(count))) return undefined
  const data = window.ahead(count)
  // Some write it as in a JPEG.
  const isNamed = data.toString('latin1', 0, 6) === 'Exif\0\0'
  return orientationIn(isNamed ? data.subarray(6) : data)
}

function chunkOf(orientation: number): Buffer {
  const tiff = tiffOf(orientation)
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
  head.writeUInt32LE(tiff.length, 4)
  return Buffer.concat([head, tiff])
}
