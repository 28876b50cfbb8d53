/**
 * How large a document's markdown is in UTF-8 (interface §8, extensions §4: as canonical text).
 * Mostly its length says enough; bytes are counted near the bound only, and a chunk once.
 */
import type { DocumentText, TextChunk } from '../../schema/markdown/document-text.ts'

const counted = new WeakMap<TextChunk, number>()

function bytesOfChunk(chunk: TextChunk): number {
  let bytes = counted.get(chunk)
  if (bytes === undefined) {
    bytes = Buffer.byteLength(chunk.text)
    counted.set(chunk, bytes)
  }
  return bytes
}

export const bytesOf = (text: DocumentText): number =>
  text.chunks.reduce((sum, chunk) => sum + bytesOfChunk(chunk), 0)

/** The bytes of a text that has more than `maxBytes`; else undefined. */
export function bytesOver(text: DocumentText, maxBytes: number): number | undefined {
  const perUnitMax = 3
  if (text.length * perUnitMax <= maxBytes) return undefined
  const size = bytesOf(text)
  return size > maxBytes ? size : undefined
}
