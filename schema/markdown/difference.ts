/**
 * What tells two pieces of markdown apart, in one word, for somebody who quoted one and meant the
 * other.
 */
import { differing } from './alignment.ts'

export type Difference =
  | 'whitespace'
  | 'quotes'
  | 'case'
  | 'escape'
  | 'markup'
  | 'punctuation'
  | 'word'
  | 'words'
  | 'several'

const collapsed = (text: string): string => text.replace(/[\s\u200b-\u200d]+/gu, ' ').trim()

/** What each difference leaves out of account. */
const leavingOut: readonly (readonly [Difference, (text: string) => string])[] = [
  ['whitespace', collapsed],
  [
    'quotes',
    (text) => text.replace(/[\u2018-\u201b\u2032]/g, "'").replace(/[\u201c-\u201f\u2033«»]/g, '"'),
  ],
  ['case', (text) => text.toLowerCase()],
  ['escape', (text) => text.replace(/\\(?=[!-/:-@[-`{-~])/g, '')],
  [
    'markup',
    (text) =>
      collapsed(text.replace(/^[ \t]*(?:#{1,6}|>|[-+*])[ \t]+/gm, '').replace(/[*_~`]+/g, '')),
  ],
  ['punctuation', (text) => collapsed(text.replace(/\p{P}+/gu, ''))],
]

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+|[^\s]/gu

/** Words, and each other character by itself; so are characters of scripts without blanks. */
export const wordsIn = (text: string): { readonly word: string; readonly at: number }[] =>
  Array.from(text.matchAll(wordPattern), (match) => ({ word: match[0], at: match.index }))

const wordsOf = (text: string): readonly string[] => wordsIn(text).map(({ word }) => word)

const isWord = (symbol: string | undefined): boolean =>
  symbol !== undefined && /[\p{L}\p{N}\p{M}]/u.test(symbol)

/** Texts with more pairs of words are not compared word by word. */
const pairsMax = 250_000

/** Undefined when the texts are equal. Time grows with the product of their lengths in words. */
export function differenceOf(quoted: string, stands: string): Difference | undefined {
  if (quoted === stands) return undefined
  const [only] = leavingOut.filter(([, left]) => left(quoted) === left(stands))
  if (only !== undefined) return only[0]
  const everything = (text: string) => leavingOut.reduce((left, [, leave]) => leave(left), text)
  const [mine, theirs] = [wordsOf(quoted.toLowerCase()), wordsOf(stands.toLowerCase())]
  if (mine.length * theirs.length > pairsMax) return 'words'
  const pairs = differing(mine, theirs)
  const words = pairs.filter((pair) => pair.some(isWord))
  if (words.length === 0 || everything(quoted) === everything(stands)) return 'several'
  return words.length === 1 ? 'word' : 'words'
}
