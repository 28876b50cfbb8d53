/**
 * PNG: a signature, then chunks of length, type, data and checksum, from IHDR to IEND. EXIF and XMP
 * are chunks of their own; older programs keep them, and IPTC, as texts whose keyword says so.
 * Nothing is inflated, and no pixel is looked at.
 */
import { crc32 } from 'node:zlib'
import { orientationIn, tiffOf } from './orientation.ts'
import { KeptParts, type Part } from './plan.ts'
import { type Bytes, ByteWindow, windowBytes } from './window.ts'

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const frameBytes = 12
const keywordMaxBytes = 80
const metadataKeyword = /^(?:XML:com\.adobe\.xmp|Raw profile type (?:exif|xmp|iptc|8bim|APP1))\0/i

export interface PngChunk {
  readonly type: string
  /** Where its length stands, and where it ends. */
  readonly from: number
  readonly to: number
  readonly length: number
}

/**
 * The chunks of a whole PNG, each with the window at its data; `undefined` at the end in place of a
 * chunk: it is none.
 */
export async function* pngChunks(window: ByteWindow): AsyncGenerator<PngChunk | undefined> {
  if (!(await window.see(8)) || !window.ahead(8).equals(pngSignature)) return yield undefined
  window.skip(8)
  for (let isFirst = true; ; isFirst = false) {
    if (!window.has(8) && !(await window.see(8))) return yield undefined
    const from = window.at
    const length = window.ahead(8).readUInt32BE(0)
    const type = window.ahead(8).toString('latin1', 4, 8)
    const to = from + frameBytes + length
    const isFit = /^[A-Za-z]{4}$/.test(type) && to <= window.size
    if (!isFit || isFirst !== (type === 'IHDR')) return yield undefined
    window.skip(8)
    yield { type, from, to, length }
    window.skip(to - window.at)
    if (type === 'IEND') return
  }
}

/** `undefined`: it is no whole PNG. */
export async function partsOfPng(bytes: Bytes): Promise<readonly Part[] | undefined> {
  const window = new ByteWindow(bytes)
  const kept = new KeptParts()
  let hasPixels = false
  for await (const chunk of pngChunks(window)) {
    if (chunk === undefined) return undefined
    const { type, from, to, length } = chunk
    if (type === 'IDAT') hasPixels = true
    if (type === 'IHDR' && !(await isHeader(window, length))) return undefined
    if (!(await isMetadata(window, type, length))) continue
    kept.drop(from, to)
    if (type !== 'eXIf' || !(await window.see(Math.min(length, windowBytes)))) continue
    const orientation = orientationIn(window.ahead(Math.min(length, windowBytes)))
    if (orientation !== undefined) kept.put(chunkOf('eXIf', tiffOf(orientation)))
  }
  if (!hasPixels) return undefined
  kept.keepTo(bytes.size)
  return kept.done()
}

async function isHeader(window: ByteWindow, length: number): Promise<boolean> {
  if (length !== 13 || !(await window.see(13))) return false
  const header = window.ahead(13)
  return header.readInt32BE(0) > 0 && header.readInt32BE(4) > 0
}

async function isMetadata(window: ByteWindow, type: string, length: number): Promise<boolean> {
  if (type === 'eXIf') return true
  if (!/^[itz](?:EX|TX)t$/i.test(type)) return false
  const count = Math.min(length, keywordMaxBytes)
  return (await window.see(count)) && metadataKeyword.test(window.ahead(count).toString('latin1'))
}

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}
