/**
 * How a text became another: splices that all count in the text before, ascending, no two touching.
 * Writes that follow each other become one change, so that an hour of typing in one place is one
 * splice. Pure values of strings: knows no documents.
 */

/** At `at` (UTF-16 units) `remove` units were taken out and `insert` put in. */
export interface TextReplacement {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

export type TextChange = readonly TextReplacement[]

export function applyChange(text: string, change: TextChange): string {
  const parts: string[] = []
  let read = 0
  for (const { at, remove, insert } of change) {
    parts.push(text.slice(read, at), insert)
    read = at + remove
  }
  parts.push(text.slice(read))
  return parts.join('')
}

/**
 * Splices that were made one after the other, each counting in the text the ones before it left.
 */
export function changeOf(steps: readonly TextReplacement[]): TextChange {
  const ascending: TextReplacement[] = []
  let shift = 0
  let end = -1
  for (const [index, { at, remove, insert }] of steps.entries()) {
    if (at <= end) {
      return steps.slice(index).reduce((change, step) => composed(change, [step]), ascending)
    }
    ascending.push({ at: at - shift, remove, insert })
    shift += insert.length - remove
    end = at + insert.length
  }
  return ascending
}

/** `second` counts in the text that `first` left; the result does both at once. */
export function composed(first: TextChange, second: TextChange): TextReplacement[] {
  const result: TextReplacement[] = []
  // Between the text before and the text between: how much the splices so far made it longer.
  let shift = 0
  let [done, later] = [0, 0]
  while (done < first.length || later < second.length) {
    const from = Math.min(startOf(first[done], shift), startOf(second[later], 0))
    const at = from - shift
    const group: Group = { from, to: from, kept: [], steps: [] }
    for (;;) {
      const [one, two] = [first[done], second[later]]
      if (one !== undefined && one.at + shift <= group.to) {
        const start = one.at + shift
        group.kept.push({ start, text: one.insert })
        group.to = Math.max(group.to, start + one.insert.length)
        shift += one.insert.length - one.remove
        done++
      } else if (two !== undefined && two.at <= group.to) {
        group.steps.push(two)
        group.to = Math.max(group.to, two.at + two.remove)
        later++
      } else break
    }
    const [remove, insert] = [group.to - shift - at, textOf(group)]
    if (remove > 0 || insert !== '') result.push({ at, remove, insert })
  }
  return result
}

/**
 * Changes that were made one after the other as one: neighbours are joined first, since each
 * joining reads all splices of both.
 */
export function compose(changes: readonly TextChange[]): TextChange {
  let row = changes
  while (row.length > 1) {
    const joined: TextChange[] = []
    for (let at = 0; at < row.length; at += 2) {
      const [first = [], second = []] = [row[at], row[at + 1]]
      joined.push(second.length > 0 ? composed(first, second) : first)
    }
    row = joined
  }
  return row[0] ?? []
}

const startOf = (splice: TextReplacement | undefined, by: number): number =>
  splice === undefined ? Number.POSITIVE_INFINITY : splice.at + by

/** Splices of both changes that touch; positions in the text between. */
interface Group {
  readonly from: number
  to: number
  /** What the first change put in. */
  readonly kept: { readonly start: number; readonly text: string }[]
  readonly steps: TextReplacement[]
}

/** What the second change leaves of the first one's text, with its own: the rest it took out. */
function textOf({ from, to, kept, steps }: Group): string {
  let text = ''
  let piece = 0
  const keep = (start: number, end: number) => {
    for (; piece < kept.length; piece++) {
      const next = kept[piece]
      if (next === undefined || next.start >= end) return
      text += next.text.slice(Math.max(0, start - next.start), Math.max(0, end - next.start))
      if (next.start + next.text.length > end) return
    }
  }
  let read = from
  for (const { at, remove, insert } of steps) {
    keep(read, at)
    text += insert
    read = at + remove
  }
  keep(read, to)
  return text
}
