/** The bound on a document's text (interface §8), measured as it was sent. */
import { Refusal } from '../../schema/errors.ts'

export const markdownBytes = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Refuses PAYLOAD_TOO_LARGE. */
export function requireMarkdownSize(size: number, limit: number): void {
  if (size > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
}

/**
 * A warning about line breaks that were written as two characters, `\n`; the text is stored as it
 * was given (extensions §4). Undefined where every value has line breaks, or none is written out.
 */
export function literalBreaksWarning(values: readonly string[]): string | undefined {
  if (!values.some(hasLiteralBreaks)) return undefined
  return (
    'The text contains \\n as two characters and no line break. It was stored as sent. If you ' +
    'meant line breaks, send real ones: "\n" in JSON.'
  )
}

function hasLiteralBreaks(value: string): boolean {
  if (/[\r\n]/.test(value)) return false
  const first = value.indexOf('\\n')
  return first >= 0 && value.includes('\\n', first + 2)
}
