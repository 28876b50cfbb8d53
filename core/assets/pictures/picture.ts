/**
 * Which pictures are taken, recognised by the bytes of their files and not by what they are called,
 * and what is kept of one (extensions §11). What begins like one and cannot be read to its end (a
 * browser shows what there is of it) is kept as it is, unless there are traces of metadata in it.
 */
import { partsOfGif } from './gif.ts'
import { partsOfJpeg } from './jpeg.ts'
import type { Part } from './plan.ts'
import { partsOfPng, pngSignature } from './png.ts'
import { partsOfWebp } from './webp.ts'
import { type Bytes, windowBytes } from './window.ts'

const readers = {
  'image/png': partsOfPng,
  'image/jpeg': partsOfJpeg,
  'image/webp': partsOfWebp,
  'image/gif': partsOfGif,
} as const

export type PictureType = keyof typeof readers

export const pictureTypes = Object.keys(readers) as readonly PictureType[]

export const isPictureType = (type: string): type is PictureType =>
  pictureTypes.some((known) => known === type)

const begins: Readonly<Record<PictureType, (head: string) => boolean>> = {
  'image/png': (head) => head.startsWith(pngSignature.toString('latin1')),
  'image/jpeg': (head) => head.startsWith('\xff\xd8\xff'),
  'image/webp': (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
  'image/gif': (head) => /^GIF8[79]a/.test(head),
}
const headBytes = 12

/** What names metadata in any of them, each of fewer bytes than `nameBytes`. */
const metadataNames = [
  'Exif\0\0',
  'eXIf',
  'EXIF',
  'XMP ',
  'adobe.xmp',
  'ns.adobe.com',
  'xmpmeta',
  'Photoshop 3.0',
  'Raw profile type',
]
const nameBytes = 32

/** What is kept of a file; `undefined`: it is no picture of this type, or damaged and not clean. */
export async function keptPartsOf(
  type: PictureType,
  bytes: Bytes,
): Promise<readonly Part[] | undefined> {
  const parts = await readers[type](bytes)
  if (parts !== undefined) return parts
  const head = await bytes.read(0, headBytes)
  const isOne = begins[type](head.toString('latin1'))
  return isOne && !(await hasMetadata(bytes)) ? [{ from: 0, to: bytes.size }] : undefined
}

async function hasMetadata(bytes: Bytes): Promise<boolean> {
  for (let at = 0; at < bytes.size; at += windowBytes - nameBytes) {
    const piece = await bytes.read(at, Math.min(windowBytes, bytes.size - at))
    if (metadataNames.some((name) => piece.includes(name, 0, 'latin1'))) return true
  }
  return false
}
