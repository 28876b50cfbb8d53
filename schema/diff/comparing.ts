/**
 * How edits compare textblocks with what they become: by whole words, around words that somebody
 * talks about. Live typing compares by letters (`inline.ts`).
 */
import type { Node } from 'prosemirror-model'
import { diffWithin } from './inline.ts'
import { type InlineRow, inlineRow, type Region, type UnitRange } from './inline-row.ts'
import { commentedIn, type InlineChoice, ofWholeWords, stayingWords } from './whole-words.ts'

/** As `diffInline`, by this choice. */
export function diffBy(old: InlineRow, next: InlineRow, choice: InlineChoice): readonly Region[] {
  const commented = commentedIn(old, choice.commented)
  const regions = betweenStaying(old, next, stayingWords(old, next, choice.commented)).flatMap(
    (whole) => diffWithin(old, next, { whole, commented, unnamed: choice.unnamed }),
  )
  return choice.wholeWords
    ? ofWholeWords(regions, { old, next }, { commented, unnamed: choice.unnamed ?? [] })
    : regions
}

/** What lies between words that stay. */
function betweenStaying(old: InlineRow, next: InlineRow, staying: readonly Region[]): Region[] {
  const gaps: Region[] = []
  let [from, nextFrom] = [0, 0]
  const [to, nextTo] = [old.chars.length, next.chars.length]
  for (const word of [...staying, { from: to, to, nextFrom: nextTo, nextTo }]) {
    gaps.push({ from, to: word.from, nextFrom, nextTo: word.nextFrom })
    from = word.to
    nextFrom = word.nextTo
  }
  return gaps
}

/** How textblocks are compared with what they become. */
export interface Comparing {
  readonly wholeWords: boolean
  /** Words of a block that somebody talks about. */
  commented(block: Node): readonly string[]
  /** Units of a block that were not replaced. */
  unnamed(block: Node): readonly UnitRange[]
}

/** As somebody types: every letter that can stays. */
export const byLetters: Comparing = {
  wholeWords: false,
  commented: () => [],
  unnamed: () => [],
}

/** As edits are made that replace text. */
export const byWords: Comparing = { ...byLetters, wholeWords: true }

export const compareTexts = (old: Node, next: Node, comparing: Comparing): readonly Region[] =>
  diffBy(inlineRow(old), inlineRow(next), {
    wholeWords: comparing.wholeWords,
    commented: comparing.commented(old),
    unnamed: comparing.unnamed(old),
  })
