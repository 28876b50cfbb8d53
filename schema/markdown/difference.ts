/**
 * What tells two pieces of markdown apart, in one word, for somebody who quoted one and meant the
 * other.
 */
import { differing } from './alignment.ts'
import { viewOf } from './escape-view.ts'

export type Difference =
  | 'unicode form'
  | 'invisible'
  | 'whitespace'
  | 'quotes'
  | 'case'
  | 'number'
  | 'escape'
  | 'markup'
  | 'punctuation'
  | 'word'
  | 'words'
  | 'several'

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()

const link = /!?\[([^[\]\n]*)\]\([^()\s]*(?: "[^"\n]*")?\)/g

const withoutMarkup = (text: string): string =>
  text
    .replace(/^[ \t]*(?:#{1,6}|>|[-+*])[ \t]+/gm, '')
    .replace(link, '$1')
    .replace(/[*_~`]+/g, '')

/** What each difference leaves out of account. */
const leavingOut: readonly (readonly [Difference, (text: string) => string])[] = [
  ['unicode form', (text) => text.normalize('NFC')],
  [
    'invisible',
    (text) => text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+/g, ''),
  ],
  ['whitespace', collapsed],
  [
    'quotes',
    (text) => text.replace(/[\u2018-\u201b\u2032]/g, "'").replace(/[\u201c-\u201f\u2033«»]/g, '"'),
  ],
  ['case', (text) => text.toLowerCase()],
  ['number', (text) => text.replace(/^([ \t>]*)\d{1,9}(?=[.)](?:\s|$))/gm, '$1')],
  ['escape', (text) => viewOf(viewOf(text).text).text],
  ['markup', (text) => collapsed(withoutMarkup(text))],
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
