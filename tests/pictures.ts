/** Pictures built byte by byte, whole ones and odd ones, for tests of any tier. */
import { crc32 } from 'node:zlib'
import type { Chance } from './chance.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

export const pngSignature = latin('\x89PNG\r\n\x1a\n')

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([latin(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

export function pngHeader(width = 1, height = 1): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, 2, 0, 0, 0], 8)
  return pngChunk('IHDR', data)
}

/** Pixels of one black dot. */
const dot = Buffer.from('789c6360606000000004000160', 'hex')

/** A whole PNG with these chunks between its header and its pixels. */
export const png = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([pngSignature, pngHeader(), ...chunks, pngChunk('IDAT', dot), pngChunk('IEND')])

/** A whole PNG of so many bytes, which nothing compresses. */
export function largePng(bytes: number, chance: Chance): Buffer {
  const rest = bytes - png(pngChunk('prVt')).length
  return png(pngChunk('prVt', chance.bytes(rest)))
}

export function jpegSegment(marker: number, data: Uint8Array | string): Buffer {
  const bytes = typeof data === 'string' ? latin(data) : Buffer.from(data)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

const frame = jpegSegment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]))
const scan = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
export const jfif = jpegSegment(0xe0, latin('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))
export const endOfImage = Buffer.from([0xff, 0xd9])

/** A whole JPEG with these segments behind its JFIF, and this coded. */
export const jpeg = (segments: readonly Buffer[] = [], coded = '\x12\xff\0\x34\xff\xd0\x56') =>
  Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), jfif, ...segments],
    ...[frame, scan, latin(coded), endOfImage],
  ])

/** EXIF as cameras write it: which way up, and a text that tells too much. */
export function tiff(orientation: number, secret = 'GPS 52.5200 N'): Buffer {
  const head = latin('II*\0\x08\0\0\0\x02\0')
  const entry = (tag: number, type: number, [count, value]: [number, number]) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const entries = [entry(0x10f, 2, [secret.length, 38]), entry(0x112, 3, [1, orientation])]
  return Buffer.concat([head, ...entries, Buffer.alloc(4), latin(secret)])
}

export const exif = (orientation: number, secret?: string) =>
  jpegSegment(0xe1, Buffer.concat([latin('Exif\0\0'), tiff(orientation, secret)]))

function riffChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.concat([latin(type), Buffer.alloc(4)])
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** A WebP with these chunks behind its pixels; flags say which. */
export function webp(chunks: Readonly<Record<string, Uint8Array>> = {}, flags = 0): Buffer {
  const body = Buffer.concat([
    riffChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    riffChunk('VP8L', latin('\x2f\0\0\0\0\x88\x88\x08')),
    ...Object.entries(chunks).map(([type, data]) => riffChunk(type, data)),
  ])
  return riffChunk('RIFF', Buffer.concat([latin('WEBP'), body]))
}

/** A GIF with these blocks before its image. */
export const gif = (...blocks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    latin('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff'),
    ...blocks,
    latin(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;'),
  ])

export const gifXmp = (text: string): Buffer =>
  Buffer.concat([latin(`!\xff\x0bXMP DataXMP`), Buffer.from([text.length]), latin(`${text}\0`)])
