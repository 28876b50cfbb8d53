/** Fingerprints of a document's markdown, as answers carry them (interface §2.2). */
import { createHash, hash } from 'node:crypto'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'

/** SHA-256, hex. */
export const contentHashOf = (markdown: string): string => hash('sha256', markdown)

/** The same without the text in one piece, which would be garbage at once. */
export function contentHashOfChunks({ chunks }: DocumentText): string {
  const digest = createHash('sha256')
  for (const { text } of chunks) digest.update(text)
  return digest.digest('hex')
}

export const liveEtagOf = (contentHash: string): string => contentHash.slice(0, 32)
