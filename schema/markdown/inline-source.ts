/**
 * Where the content of a textblock stands in the markdown that it was read from. markdown-it's
 * inline rules keep no positions, so a trace of one run notes them: what a rule produced is written
 * between where it began and where the next one began. Exact for every construct: each character of
 * the content is mapped to the characters that spell it, markup to none.
 */
import type { StateInline, Token } from 'markdown-it'
import { flatAddress, flatText } from './addresses.ts'
import { hasKnownName, isBreakTag, unfoldedLines } from './html.ts'
import type { MadeToken, ParseEnv } from './parse-env.ts'
import type { Segment } from './printed.ts'

/** Content that came from one place in the source. */
interface TracedPiece {
  readonly token: Token
  readonly from: number
  readonly to: number
  /** In characters of text; 0 for what is no text. */
  readonly length: number
}

interface PendingText {
  readonly from: number
  length: number
}

/** Follows one run of the inline rules; those for the label of an image are another run. */
export class InlineTrace {
  #pieces: readonly TracedPiece[] = []
  readonly #read: TracedPiece[] = []
  #state: StateInline | undefined
  #pos = 0
  #pendingLength = 0
  #pending: PendingText[] = []
  #made: MadeToken[] = []

  /** Before each rule is tried, and where a run ends. */
  note(state: StateInline): void {
    this.#state ??= state
    if (state !== this.#state) return
    this.#readStep(state.pos, state.pending.length)
    this.#pos = state.pos
    this.#pendingLength = state.pending.length
    this.#made = []
  }

  made(state: StateInline, made: MadeToken): void {
    this.#state ??= state
    if (state === this.#state) this.#made.push(made)
  }

  /** Once delimiters are paired and before pieces of text are joined. */
  settle(state: StateInline): void {
    if (state !== this.#state) return
    // Delimiters that became marks are no content.
    this.#pieces = this.#read.filter(
      ({ token, length }) => contentTypes.has(token.type) && (length === 0 || token.content !== ''),
    )
  }

  /** In order. */
  get pieces(): readonly TracedPiece[] {
    return this.#pieces
  }

  #readStep(end: number, pendingLength: number): void {
    let pos = this.#pos
    const [first, ...others] = this.#made
    if (first === undefined) this.#take(pos, pendingLength - this.#pendingLength)
    else if (first.isFlush) pos -= this.#flush(first.token, pos)
    else if (this.#pendingLength > 0) {
      // Nothing but blanks, which belong to the break.
      pos -= this.#pendingLength
      this.#pending = []
    }
    const rest = first?.isFlush === true ? others : this.#made
    let isAutolink = false
    for (const { token } of rest) {
      const { type, markup, content } = token
      const { length } = content
      if (type === 'link_open') isAutolink = markup === 'autolink'
      else if (type === 'code_inline') this.#code(token, pos, end)
      else if (type === 'text') {
        // An autolink's text, or a run of delimiters that may become marks.
        const from = isAutolink ? pos + 1 : pos
        this.#read.push({ token, from, to: from + length, length })
        pos = from + length
      } else if (contentTypes.has(type)) {
        const isText = type === 'text_special'
        this.#read.push({ token, from: pos, to: end, length: isText ? length : 0 })
      }
    }
  }

  #take(from: number, length: number): void {
    if (length > 0) this.#pending.push({ from, length })
  }

  /** Text becomes a token. Tells how many blanks at its end belong to the break behind it. */
  #flush(token: Token, pos: number): number {
    const held = this.#pendingLength
    const excess = held - token.content.length
    if (excess < 0) this.#take(pos, -excess)
    let left = token.content.length
    for (const { from, length } of this.#pending) {
      const own = Math.min(length, left)
      if (own > 0) this.#read.push({ token, from, to: from + own, length: own })
      left -= own
    }
    this.#pending = []
    return Math.max(0, excess)
  }

  /** The text of a code span is as long as what it is written as. */
  #code(token: Token, from: number, end: number): void {
    const ticks = token.markup.length
    const { length } = token.content
    const pad = end - from - 2 * ticks > length ? 1 : 0
    const start = from + ticks + pad
    this.#read.push({ token, from: start, to: start + length, length })
  }
}

const contentTypes: ReadonlySet<string> = new Set([
  'text',
  'text_special',
  'code_inline',
  'softbreak',
  'hardbreak',
  'html_inline',
  'image',
])

/** The inline state, which tells the trace of its environment what it makes. */
export function tracedState(State: typeof StateInline): typeof StateInline {
  return class extends State {
    override pushPending() {
      const token = super.pushPending()
      ;(this.env as ParseEnv).trace?.made(this, { token, isFlush: true })
      return token
    }

    override push(...[type, tag, nesting]: Parameters<StateInline['push']>) {
      const token = super.push(type, tag, nesting)
      ;(this.env as ParseEnv).trace?.made(this, { token, isFlush: false })
      return token
    }
  }
}

/**
 * The segments of a textblock of these inline tokens; `md` counts from the beginning of the inline
 * source, `pos` from that of the content.
 */
export function sourceSegments(
  children: readonly Token[],
  trace: InlineTrace,
  source: string,
): Segment[] {
  const { pieces } = trace
  const segments: Segment[] = []
  let [next, pos, md] = [0, 0, 0]
  const add = (from: number, to: number, length: number) => {
    segments.push({ md: from, mdLength: to - from, pos, length })
    pos += length
    md = to
  }
  for (const [index, token] of children.entries()) {
    const { type, content } = token
    if (type === 'link_open') {
      const address = shownAddress(children, index)
      if (address === '') continue
      const at = source.indexOf('(', md) + 1
      const end = source.startsWith(address, at) ? at + address.length : source.indexOf(')', at)
      add(at, end, address.length)
    } else if (type === 'text' || type === 'code_inline') {
      for (let left = content.length; left > 0; ) {
        const piece = pieces[next++]
        if (piece === undefined) {
          // Text that is read without the rules.
          add(md, md + left, left)
          break
        }
        add(piece.from, piece.to, piece.length)
        left -= piece.length
      }
    } else if (contentTypes.has(type)) {
      const piece = pieces[next++]
      if (piece !== undefined) add(piece.from, piece.to, leafLength(token))
    }
  }
  return segments
}

/** In positions: a break or an atom is one, HTML that is none is text. */
function leafLength({ type, content }: Token): number {
  const isText = type === 'html_inline' && !isBreakTag(content) && !hasKnownName(content)
  return isText ? unfoldedLines(content).length : 1
}

/** What a link without a text shows. */
function shownAddress(children: readonly Token[], index: number): string {
  const next = children[index + 1]
  const isBlank = next?.type === 'text' && next.content.trim() === ''
  const close = isBlank ? children[index + 2] : next
  if (close?.type !== 'link_close') return ''
  const link = children[index]
  return flatAddress(link?.attrGet('href') ?? '') || flatText(link?.attrGet('title') ?? '')
}
