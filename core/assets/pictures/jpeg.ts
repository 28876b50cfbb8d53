/**
 * JPEG: segments behind markers up to the end of the image. Of what programs put beside the picture
 * what the colours need is kept (JFIF, colour profile, Adobe's transform), and comments; EXIF, XMP,
 * IPTC and whatever else has a place of its own goes, with what follows the picture's end: cameras
 * keep further pictures there, with EXIF of their own. No pixel is decoded.
 */
import { orientationIn, tiffOf } from './orientation.ts'
import { KeptParts, type Part } from './plan.ts'
import { type Bytes, ByteWindow } from './window.ts'

const marker = {
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  firstApplication: 0xe0,
  lastApplication: 0xef,
} as const

const exifName = 'Exif\0\0'
/** Which of the application's segments are part of what one sees. */
const keptNames: Readonly<Record<number, string>> = {
  224: 'JFIF\0',
  226: 'ICC_PROFILE\0',
  238: 'Adobe',
}

/** `undefined`: it is no whole JPEG. */
export async function partsOfJpeg(bytes: Bytes): Promise<readonly Part[] | undefined> {
  const window = new ByteWindow(bytes)
  const kept = new KeptParts()
  let hasFrame = false
  let hasScan = false
  if ((await nextMarker(window)) !== marker.startOfImage || window.at !== 2) return undefined
  for (;;) {
    const from = window.at
    const found = await nextMarker(window)
    if (found === undefined || found === marker.startOfImage) return undefined
    if (found === marker.endOfImage) break
    if (isAlone(found)) continue
    if (!(await window.see(2))) return undefined
    const length = window.ahead(2).readUInt16BE(0)
    if (length < 2 || !(await window.see(length))) return undefined
    const data = window.ahead(length).subarray(2)
    if (isFrame(found)) hasFrame = true
    if (isTakenOff(found, data)) {
      kept.drop(from, window.at + length)
      const orientation = exifOrientation(data)
      if (orientation !== undefined) kept.put(segmentOf(orientation))
    }
    window.skip(length)
    if (found !== marker.startOfScan) continue
    hasScan = true
    if (!(await skipScan(window))) return undefined
  }
  if (!hasFrame || !hasScan) return undefined
  kept.keepTo(window.at)
  return kept.done()
}

/** Goes behind the marker here; `undefined`: there is none. */
async function nextMarker(window: ByteWindow): Promise<number | undefined> {
  if (!(await window.see(2)) || window.ahead(1)[0] !== 0xff) return undefined
  // Any number of 0xff may stand before.
  while ((window.has(2) || (await window.see(2))) && window.ahead(2)[1] === 0xff) window.skip(1)
  const found = (await window.see(2)) ? window.ahead(2)[1] : undefined
  if (found === undefined || found === 0) return undefined
  window.skip(2)
  return found
}

/** To the marker that ends what is coded; false: the file ends in it. */
async function skipScan(window: ByteWindow): Promise<boolean> {
  for (;;) {
    if (!window.has(2) && !(await window.see(2))) return false
    const ahead = window.ahead(window.size)
    const at = ahead.indexOf(0xff)
    const next = ahead[at + 1]
    if (at < 0) window.skip(ahead.length)
    else if (next === undefined) window.skip(at)
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) window.skip(at + 2)
    else {
      window.skip(at)
      return true
    }
  }
}

const isAlone = (found: number): boolean => found === 1 || (found >= 0xd0 && found <= 0xd7)

const isFrame = (found: number): boolean =>
  found >= 0xc0 && found <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(found)

function isTakenOff(found: number, data: Buffer): boolean {
  if (found < marker.firstApplication || found > marker.lastApplication) return false
  const name = keptNames[found]
  return name === undefined || data.toString('latin1', 0, name.length) !== name
}

const exifOrientation = (data: Buffer): number | undefined =>
  data.toString('latin1', 0, exifName.length) === exifName
    ? orientationIn(data.subarray(exifName.length))
    : undefined

function segmentOf(orientation: number): Buffer {
  const data = Buffer.concat([Buffer.from(exifName, 'latin1'), tiffOf(orientation)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
