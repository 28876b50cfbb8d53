/**
 * Text that markdown spells as it is, which most is: a short cut for printer and parser, not a
 * rule. Knows no nodes.
 */

/** A letter first, then nothing that could ever be escaped, elided or read as something else. */
const plainText = /^\p{L}[^\\`*_~[\]<>&|!\r\n]*$/u

/** Whether a textblock of this text alone is written so, behind its marker, and read back as it. */
export function spellsItself(text: string): boolean {
  if (text.trimEnd() !== text || !plainText.test(text)) return false
  return !text.includes('://') && !text.includes('\0')
}
