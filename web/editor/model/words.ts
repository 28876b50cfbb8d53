/** Where words end, for whoever tells a mark from a sign of arithmetic. */

const withoutBlanks = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{sc=${script}}`)
  .join('')

/**
 * The last character of a word, a number or a bracket: behind it a star multiplies, and a grave is
 * an apostrophe. Scripts that part no words by blanks have no such character.
 */
export const wordEnd = `(?![${withoutBlanks}])[\\p{L}\\p{N}]|[)\\]}]`
