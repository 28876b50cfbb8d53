/** Which way a text runs, by the first letter that says so, as `dir="auto"` finds it. Pure. */
import type { Node } from 'prosemirror-model'

const letter = /\p{L}/u
/** Hebrew, Arabic, Syriac, Thaana, N’Ko and others after them; their presentation forms. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Of all that stands in a block; undefined where no letter does. Its parts may have a `dir="auto"`
 * of their own, so that an element's would not see them.
 */
export function directionOf(block: Node): 'ltr' | 'rtl' | undefined {
  let first: string | undefined
  block.descendants(({ text }) => {
    first ??= text === undefined ? undefined : letter.exec(text)?.[0]
    return first === undefined
  })
  if (first === undefined) return undefined
  return rightToLeft.test(first) ? 'rtl' : 'ltr'
}
