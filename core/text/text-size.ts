/**
 * How large a document's markdown is in UTF-8 (interface §8, extensions §4: as canonical text).
 * Mostly its length says enough; bytes are counted near the bound only, and a chunk once.
 */
import type { DocumentText, TextChunk } from '../../schema/markdown/document-text.ts'
import { remembered } from '../../schema/remembered.ts'

const bytesOfChunk = remembered(({ text }: TextChunk) => Buffer.byteLength(text))

export const bytesOf = (text: DocumentText): number =>
  text.chunks.reduce((sum, chunk) => sum + bytesOfChunk(chunk), 0)

/** The bytes of a text that has more than `maxBytes`; else undefined. */
export function bytesOver(text: DocumentText, maxBytes: number): number | undefined {
  const perUnitMax = 3
  if (text.length * perUnitMax <= maxBytes) return undefined
  const size = bytesOf(text)
  return size > maxBytes ? size : undefined
}
