/** The bound on a document's text (interface §8), measured as it was sent. */
import { Refusal } from '../../schema/errors.ts'

export const markdownBytes = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Refuses PAYLOAD_TOO_LARGE. */
export function requireMarkdownSize(size: number, limit: number): void {
  if (size > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
}
