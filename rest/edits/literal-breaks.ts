/**
 * Line breaks that a client wrote as two characters, `\n`: the text is stored as it was given, and
 * the answer says so (extensions §4).
 */

/** Undefined where every value has line breaks, or none is written out. */
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
