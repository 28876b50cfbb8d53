/** What differs between the words of a suggestion and those it would put there, as shown. Pure. */
import { diffInline } from '../../schema/diff/inline.ts'
import { plainRow, type Region } from '../../schema/diff/inline-row.ts'

interface ChangedWords {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** What differs, in words; all of it where only markup would be seen to. */
export function regionsOf(old: string, now: string): readonly ChangedWords[] {
  const changed = diffInline(plainRow(old), plainRow(now))
  const regions = inWords(changed, old, now).map(
    ({ from, to, nextFrom, nextTo }): ChangedWords => ({
      from,
      to,
      text: now.slice(nextFrom, nextTo),
    }),
  )
  const isMarkup = regions.some(({ from, to, text }) =>
    [old.slice(from, to), text].some(
      (part) =>
        part.trim() !== '' &&
        /^[\s*_~`#>|[\]()!-]*(?:[^\s*_~`#>|[\]()!-][\s*_~`#>|[\]()!-]*)?$/.test(part) &&
        !/[\p{L}\p{N}]/u.test(part),
    ),
  )
  return isMarkup ? [{ from: 0, to: old.length, text: now }] : regions
}

/**
 * A word that becomes another one is struck whole, not but for the letters that both have; what is
 * only put in or only taken away stays as small as it is.
 */
function inWords(changed: readonly Region[], old: string, now: string): Region[] {
  const wide: Region[] = []
  for (const region of changed) {
    let { from, to, nextFrom, nextTo } = region
    if (from < to && nextFrom < nextTo) {
      const before = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+$/u.exec(old.slice(0, from))?.[0].length ?? 0
      const after = /^[\p{L}\p{N}]*/u.exec(old.slice(to))?.[0].length ?? 0
      const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)
      if (isWord(old[from]) || isWord(now[nextFrom]))
        [from, nextFrom] = [from - before, nextFrom - before]
      if (isWord(old[to - 1]) || isWord(now[nextTo - 1]))
        [to, nextTo] = [to + after, nextTo + after]
    }
    const last = wide.at(-1)
    if (last !== undefined && from <= last.to) Object.assign(last, { to, nextTo })
    else wide.push({ from, to, nextFrom, nextTo })
  }
  return wide
}

export interface Part {
  readonly is: 'kept' | 'gone' | 'come'
  readonly words: string
}

/** Longer ones are told as wholes. */
const comparedMaxChars = 20_000
/** Of what stays, beside what differs. */
const besideChars = 40

/** All of it in order, of what stays as much as tells where that is. */
export function partsOf(old: string, now: string): readonly Part[] {
  const isLong = Math.max(old.length, now.length) > comparedMaxChars
  const regions = isLong ? [{ from: 0, to: old.length, text: now }] : regionsOf(old, now)
  const parts: Part[] = []
  let at = 0
  for (const { from, to, text } of regions) {
    const kept = beside(old.slice(at, from), { isFirst: parts.length === 0, isLast: false })
    parts.push({ is: 'kept', words: kept }, { is: 'gone', words: old.slice(from, to) })
    parts.push({ is: 'come', words: text })
    at = to
  }
  const rest = beside(old.slice(at), { isFirst: parts.length === 0, isLast: true })
  parts.push({ is: 'kept', words: rest })
  return parts.filter(({ words }) => words !== '')
}

interface Ends {
  readonly isFirst: boolean
  readonly isLast: boolean
}

function beside(words: string, { isFirst, isLast }: Ends): string {
  const [before, after] = [isFirst ? 0 : besideChars, isLast ? 0 : besideChars]
  if (words.length <= before + after + 1) return words
  return `${words.slice(0, before)}…${words.slice(words.length - after)}`
}
