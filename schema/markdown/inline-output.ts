/**
 * The text of one textblock while it is being written, with the segments that map it to content,
 * and the delimiters of emphasis, whose neighbours may have to be encoded once everything is
 * written.
 */
import { lastAtMost } from './bisect.ts'
import type { TextRun } from './inline-runs.ts'
import type { Segment } from './printed.ts'

export interface Delimiter {
  readonly from: number
  readonly to: number
  readonly opens: boolean
}

export interface InlineText {
  readonly md: string
  /** `pos` counts from the start of the textblock's content. */
  readonly segments: readonly Segment[]
  /**
   * For each line, what it begins with in place of the columns that its containers ask and of its
   * own first blanks, or ''.
   */
  readonly leads?: readonly string[]
}

export class InlineOutput {
  readonly segments: Segment[] = []
  readonly delimiters: Delimiter[] = []
  #md = ''
  #last = ''
  #onFirstLine = true
  #solidFrom = -1

  get md(): string {
    return this.#md
  }

  /** The last character written, '' at the start. */
  get last(): string {
    return this.#last
  }

  get atLineStart(): boolean {
    return this.#last === '' || this.#last === '\n'
  }

  get onFirstLine(): boolean {
    return this.#onFirstLine
  }

  /** Characters that stand for no content. */
  markup(md: string): void {
    if (md === '') return
    this.#md += md
    const low = md.charCodeAt(md.length - 1)
    const pair = low >= 0xdc00 && low <= 0xdfff && md.length > 1
    this.#last = md.slice(pair ? -2 : -1)
    if (md.includes('\n')) this.#onFirstLine = false
  }

  delimiter(md: string, opens: boolean): void {
    const from = this.#md.length
    this.markup(md)
    this.delimiters.push({ from, to: this.#md.length, opens })
  }

  /** Something written that is one position of content. */
  unit(md: string, pos: number): void {
    this.segments.push({ md: this.#md.length, mdLength: md.length, pos, length: 1 })
    this.markup(md)
  }

  /** The characters [from, to) of a run, as they are. */
  text(run: TextRun, from: number, to: number): void {
    const { origins } = run
    const first = lastAtMost(origins.length, from, (at) => origins[at]?.at ?? 0)
    for (let index = Math.max(0, first); index < origins.length; index++) {
      const origin = origins[index]
      if (origin === undefined || origin.at >= to) break
      const start = Math.max(from, origin.at)
      const end = Math.min(to, origins[index + 1]?.at ?? run.text.length)
      if (start >= end) continue
      if (origin.solid) this.#solid(origin.from, end - start)
      else {
        const pos = origin.from + start - origin.at
        this.segments.push({ md: this.#md.length, mdLength: end - start, pos, length: end - start })
      }
      this.markup(run.text.slice(start, end))
    }
  }

  /** More of a leaf that shows its source: one unit, escapes inside included. */
  #solid(pos: number, length: number): void {
    const last = this.segments.at(-1)
    const end = this.#md.length + length
    if (this.#solidFrom === pos && last?.pos === pos) {
      this.segments[this.segments.length - 1] = { ...last, mdLength: end - last.md }
    } else this.segments.push({ md: this.#md.length, mdLength: length, pos, length: 1 })
    this.#solidFrom = pos
  }
}

/**
 * A change to written text: `replacement` stands for `length` characters of content from `at` on.
 */
export interface InlineChange {
  readonly at: number
  readonly length: number
  readonly replacement: string
}

/** Applies changes, ascending and each inside one text segment; a replaced character is a unit. */
export function withChanges(text: InlineText, changes: readonly InlineChange[]): InlineText {
  if (changes.length === 0) return text
  let md = ''
  let taken = 0
  const segments: Segment[] = []
  const rest = [...changes].reverse()
  for (const segment of text.segments) {
    let { md: at, pos } = segment
    const end = segment.md + segment.mdLength
    md += text.md.slice(taken, at)
    const keep = (until: number) => {
      const length = until === end && at === segment.md ? segment.length : until - at
      if (until > at) segments.push({ md: md.length, mdLength: until - at, pos, length })
      md += text.md.slice(at, until)
      pos += until - at
      at = until
    }
    for (let next = rest.at(-1); next !== undefined && next.at < end; next = rest.at(-1)) {
      rest.pop()
      keep(next.at)
      if (next.length > 0) {
        const mdLength = next.replacement.length
        segments.push({ md: md.length, mdLength, pos, length: next.length })
      }
      md += next.replacement
      at += next.length
      pos += next.length
    }
    keep(end)
    taken = end
  }
  return { md: md + text.md.slice(taken), segments }
}
