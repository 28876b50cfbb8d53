/** What differs between the words of a suggestion and those it would put there, as shown. Pure. */
import { diffInline } from '../../schema/diff/inline.ts'
import { plainRow, type Region } from '../../schema/diff/inline-row.ts'

interface ChangedWords {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** What differs between two plain texts, in words. */
export const wordRegions = (old: string, now: string): readonly Region[] =>
  inWords(diffInline(plainRow(old), plainRow(now)), old, now)

/** What differs, in words; all of it where only markup would be seen to. */
export function regionsOf(old: string, now: string): readonly ChangedWords[] {
  const regions = wordRegions(old, now).map(
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
}

/** Longer ones are told as wholes. */
export const comparedMaxChars = 20_000
/** Of what stays, beside what differs. */
export const besideChars = 40
