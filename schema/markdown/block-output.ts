/**
 * The text of one block while it is being written, line by line behind the prefixes of the
 * containers that are open (`> `, indents). A prefix or a marker's blank is only written once
 * something follows it in its line, so that no line ends in a blank that containers put there.
 */
import type { Node } from 'prosemirror-model'
import type { InlineText } from './inline-output.ts'
import { idOf } from './node-attributes.ts'
import type { NestedRange, Segment } from './printed.ts'
import { type Included, PrintedPart } from './printed-parts.ts'
import { allColumns, blanksBeyond, columnsLeftOut, leadOfLine } from './spelling.ts'

export interface PrintedItem {
  /** With the task box, if there is one. */
  readonly text: string
  /** Behind it. */
  readonly blanks: string
  readonly part: PrintedPart
}

export class BlockOutput {
  readonly #segments: (Segment | Included)[] = []
  readonly #blocks: (NestedRange | Included)[] = []
  readonly #pieces: string[] = []
  /** Of the text so far. */
  #length = 0
  /** What goes ahead of the next text in the current line. */
  #pending = ''
  #prefix: string
  /** Ranges of blocks that are open and have no text yet. */
  readonly #unbegun: OpenRange[] = []

  /** `prefix` goes ahead of every line but the first. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get prefix(): string {
    return this.#prefix
  }

  /** Text without line ends. */
  write(text: string): void {
    if (text === '') return
    this.#put(this.#pending)
    this.#begin()
    this.#put(text)
    this.#pending = ''
  }

  /** A line that may begin with a lead. */
  ledLine(line: string): void {
    const lead = leadOfLine(line)
    if (lead !== '' && this.#pending === this.#prefix) this.#pending = this.#withLead(lead)
    this.write(line.slice(lead.length))
  }

  /** Blanks that are only written if something follows in the line. */
  blank(blanks = ' '): void {
    this.#put(this.#pending)
    this.#pending = blanks
  }

  endLine(): void {
    this.#put(`${this.#pending.trimEnd()}\n`)
    this.#pending = this.#prefix
  }

  /** The prefix of a line whose own blanks stand in the place of some columns of it. */
  #withLead(lead: string): string {
    const prefix = this.#prefix
    const left = columnsLeftOut(lead)
    const blanks = lead.slice(left)
    if (left === allColumns) return blanks
    const quotes = prefix.lastIndexOf('>') + 1
    const own = prefix.length - quotes - (quotes > 0 && prefix[quotes] === ' ' ? 1 : 0)
    if (blanks === '') return prefix.slice(0, Math.max(0, prefix.length - left))
    if (left === own) return prefix.slice(0, prefix.length - own) + blanks
    return prefix + blanksBeyond(lead)
  }

  /** Lines of blanks behind the markers of the quotes around, each with its line end. */
  blankLines(gap: string): void {
    if (gap === '') return
    const quotes = this.#prefix.slice(0, this.#prefix.lastIndexOf('>') + 1)
    for (const blanks of gap.split('\n').slice(0, -1)) this.#put(`${quotes}${blanks}\n`)
    this.#pending = this.#prefix
  }

  /** Ends this line; then lines of blanks behind the markers of the quotes around. */
  emptyEnd(lines: readonly string[]): void {
    for (const blanks of lines) {
      this.endLine()
      this.#emptyLine(blanks)
    }
  }

  /** Without its line end. */
  #emptyLine(blanks: string): void {
    this.#put(this.#prefix.slice(0, this.#prefix.lastIndexOf('>') + 1) + blanks)
    this.#pending = ''
  }

  /** Lines of blanks, the first of them behind what stands in this line. */
  blankStart(gap: string): void {
    const second = gap.indexOf('\n') + 1
    this.#put(gap.slice(0, second))
    this.#pending = this.#prefix
    this.blankLines(gap.slice(second))
  }

  /** Does `body` with a longer prefix for all lines that begin in it. */
  within(prefix: string, body: () => void): void {
    const outer = this.#prefix
    this.#prefix = outer + prefix
    body()
    this.#prefix = outer
  }

  /** Does `body` and records what it wrote as the range of a block. */
  block(node: Node, pos: number, body: () => void): void {
    const range = { type: node.type.name, id: idOf(node), pos, from: 0, to: 0 }
    this.#blocks.push(range)
    this.#unbegun.push(range)
    body()
    range.to = this.#length
    if (this.#unbegun.at(-1) !== range) return
    this.#unbegun.pop()
    range.from = range.to
  }

  #begin(): void {
    if (this.#unbegun.length === 0) return
    for (const range of this.#unbegun) range.from = this.#length
    this.#unbegun.length = 0
  }

  lines(text: string): void {
    if (this.#prefix === '' && this.#pending === '') this.write(text)
    else this.#lineStarts(text)
  }

  /** Text with line ends, and its segments, whose positions count from `pos`. */
  map(text: InlineText, pos: number): void {
    if (text.md === '') return
    const isLed = text.leads?.some((lead) => lead !== '') ?? false
    if (this.#prefix === '' && this.#pending === '' && !isLed) {
      const at = this.#length
      this.#begin()
      this.#put(text.md)
      for (const own of text.segments) {
        const { mdLength, length } = own
        this.#segments.push({ md: own.md + at, mdLength, pos: own.pos + pos, length })
      }
      return
    }
    this.#place(text.segments, pos, this.#lineStarts(text.md, text.leads))
  }

  /** What was written elsewhere behind the same prefix; `pos` is added to its positions. */
  include(part: PrintedPart, pos: number): void {
    this.write(part.md)
    this.#include({ part, md: this.#length - part.md.length, pos })
  }

  /** An item at `pos` with its content, whose lines have the marker's width as an indent. */
  includeItem(node: Node, pos: number, { text, blanks, part }: PrintedItem): void {
    const lead = leadOfLine(text)
    if (lead !== '') {
      const isBegun = this.#pending !== this.#prefix
      this.#pending = isBegun ? this.#pending : this.#withLead(lead)
    }
    const from = this.#length + this.#pending.length
    this.write(text.slice(lead.length))
    this.blank(blanks)
    this.write(part.md)
    this.#include({ part, md: this.#length - part.md.length, pos, item: { node, from } })
  }

  #put(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#length += text.length
  }

  #include(included: Included): void {
    this.#segments.push(included)
    this.#blocks.push(included)
  }

  finish(): PrintedPart {
    return new PrintedPart({
      md: this.#pieces.join(''),
      // Copies have no room to grow, and many of them are kept.
      segments: this.#segments.slice(),
      blocks: this.#blocks.slice(),
    })
  }

  /** Writes lines and tells where each of them begins: in the text, and in what is written. */
  #lineStarts(md: string, leads: InlineText['leads'] = []): readonly LineStart[] {
    const starts: LineStart[] = []
    for (let own = 0; ; ) {
      const lead = leads[starts.length] ?? ''
      const end = md.indexOf('\n', own)
      const whole = md.slice(own, end < 0 ? undefined : end)
      if (whole === '' && lead !== '') this.#emptyLine(lead)
      const isLed = whole !== '' && lead !== '' && this.#pending === this.#prefix
      if (isLed) this.#pending = this.#withLead(lead)
      const line = isLed ? whole.slice(blanksBeyond(lead).length) : whole
      const pending = line === '' ? this.#pending.trimEnd().length : this.#pending.length
      starts.push({ own, written: this.#length + pending - (whole.length - line.length) })
      this.write(line)
      if (end < 0) return starts
      this.endLine()
      own = end + 1
    }
  }

  /** Cuts segments at line ends, behind which a prefix is written. */
  #place(segments: readonly Segment[], pos: number, starts: readonly LineStart[]): void {
    let line = 0
    const lineOf = (at: number) => {
      while ((starts[line + 1]?.own ?? Number.POSITIVE_INFINITY) <= at) line++
      return starts[line] ?? { own: 0, written: 0 }
    }
    for (const segment of segments) {
      const isText = segment.mdLength === segment.length
      const end = segment.md + segment.mdLength
      for (let at = segment.md; at < end; ) {
        const start = lineOf(at)
        const lineEnd = starts[line + 1]?.own ?? Number.POSITIVE_INFINITY
        const cut = isText ? Math.min(end, lineEnd) : end
        const md = start.written + at - start.own
        const last = lineOf(cut - 1)
        const mdLength = last.written + cut - last.own - md
        const length = isText ? cut - at : segment.length
        this.#segments.push({
          md,
          mdLength,
          pos: pos + segment.pos + (isText ? at - segment.md : 0),
          length,
        })
        at = cut
      }
    }
  }
}

type OpenRange = { -readonly [Key in keyof NestedRange]: NestedRange[Key] }

interface LineStart {
  readonly own: number
  readonly written: number
}
