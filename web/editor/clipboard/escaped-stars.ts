/** Stars that are signs of markdown, and those that are stars. */
import { wordEnd } from '../model/words.ts'

/** Code, what stands between stars, or stars within a word. */
const starred = new RegExp(
  [
    '(?<code>(`+)(?!`).{0,1000}?[^`]\\2(?!`))',
    `(?<!${wordEnd}|\\*)(?<stars>\\*{1,3})(?=[^\\s*])(?<inside>.{0,1000}?[^\\s*])\\k<stars>(?!\\*)`,
    `(?<=${wordEnd})\\*+(?=[\\p{L}\\p{N}(])`,
  ].join('|'),
  'gu',
)

/** A line of markdown in which stars within a word or number are stars: `2*3*4` is arithmetic. */
export function withStars(line: string): string {
  return line.replace(starred, (found, ...rest) => {
    const { code, stars, inside } = rest.at(-1) as Record<string, string | undefined>
    if (code !== undefined) return found
    if (stars === undefined || inside === undefined) return found.replaceAll('*', '\\*')
    return stars + withStars(inside) + stars
  })
}
