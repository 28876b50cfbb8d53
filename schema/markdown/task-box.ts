/**
 * Task boxes: `[ ]`, `[x]` or `[X]` at the start of an item's first paragraph, followed by a blank
 * or the end of the line. The box is an attribute of the item, not text.
 */
const box = /^\[([ xX])\](?=[ \t\n]|$)[ \t]*/

/** The box that text begins with: its state and its length with the blanks behind it. */
export function taskBox(text: string): { checked: boolean; length: number } | undefined {
  const match = box.exec(text)
  if (match === null) return undefined
  return { checked: match[1] !== ' ', length: match[0].length }
}
