/**
 * Cuts text between code points: half a surrogate pair is no text, and strict readers refuse it.
 */

/** At most `maxChars` UTF-16 units from the beginning. */
export function shortened(text: string, maxChars: number): string {
  return text.slice(0, isBetweenHalves(text, maxChars) ? maxChars - 1 : maxChars)
}

/** Whether an offset lies inside a surrogate pair. */
export function isBetweenHalves(text: string, offset: number): boolean {
  const [high, low] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)]
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}
