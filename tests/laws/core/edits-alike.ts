/**
 * Whether a text is what a reference on strings says, where strings alone do not tell all of it:
 * items are numbered on when others come or go, a row that an edit made short is padded, a rule
 * in the first line is written with stars or with dashes, and what is deleted as whole lines takes
 * blank lines along (interface §4.5). Everything else is to be the same byte for byte. Knows
 * nothing of the service.
 */

/** How the text that was made may differ from the reference. */
export interface Leeway {
  /** Whole lines were deleted: blank lines are not compared. */
  readonly blankLines: boolean
}

export function isAlike(told: string, made: string, { blankLines }: Leeway): boolean {
  if (told === made) return true
  const [a, b] = [told, made].map((text) => linesOf(text, blankLines)) as [string[], string[]]
  return a.length === b.length && a.every((line, index) => isLineAlike(line, b, index))
}

const linesOf = (text: string, isWithoutBlank: boolean): string[] =>
  text.split('\n').filter((line) => !isWithoutBlank || line !== '')

const isLineAlike = (told: string, made: readonly string[], index: number): boolean => {
  const line = made[index] ?? ''
  // Dashes in the first line may open front matter, and stay where they were written there.
  const isHead = index === 0 && isRule(told) && isRule(line)
  return told === line || isHead || isNumberedOn(told, made, index) || isPadded(told, line)
}

const isRule = (line: string): boolean => line === '---' || line === '***'

const numbered = /^([ >]*)(\d{1,9})([.)](?: .*)?)$/

/** The same item with the number behind that of the item before it. */
function isNumberedOn(told: string, made: readonly string[], index: number): boolean {
  const [old, now] = [numbered.exec(told), numbered.exec(made[index] ?? '')]
  if (!old || !now || old[1] !== now[1] || old[3] !== now[3]) return false
  for (let at = index - 1; at >= 0; at--) {
    const before = numbered.exec(made[at] ?? '')
    if (before?.[1] === now[1]) return Number(before?.[2]) + 1 === Number(now[2])
  }
  return false
}

/** A row with the same cells and empty ones behind them, in the canonical form. */
function isPadded(told: string, made: string): boolean {
  if (!made.startsWith('| ') || !made.endsWith(' |') || !told.includes('|')) return false
  const [old, now] = [cellsOf(told), cellsOf(made)]
  const isMore = now.length >= old.length && now.slice(old.length).every((cell) => cell === '')
  return isMore && old.every((cell, index) => cell === now[index])
}

const cellsOf = (row: string): string[] => {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  // A break at the end of a cell says nothing.
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replace(/\\|<br \/>\s*$/g, '').trim())
}
