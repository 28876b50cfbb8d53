/**
 * The one thing of a photograph's EXIF that is kept: which way up it is (extensions §11). Reads it
 * out of the first directory, and writes an EXIF that says nothing else.
 */

const orientationTag = 0x0112
const shortType = 3
const tiffHeaderBytes = 8
const entryBytes = 12

/** 2 to 8; `undefined`: upright, or not said, or not to be understood. */
export function orientationIn(tiff: Buffer): number | undefined {
  if (tiff.length < tiffHeaderBytes) return undefined
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return undefined
  const entries = short(directory)
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * entryBytes
    if (at + entryBytes > tiff.length) return undefined
    if (short(at) !== orientationTag || short(at + 2) !== shortType) continue
    const value = short(at + 8)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** TIFF with one directory of one entry. */
export function tiffOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(tiffHeaderBytes + 2 + entryBytes + 4)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(tiffHeaderBytes, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
