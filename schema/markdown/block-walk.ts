/**
 * The block rules over a text in steps. What can be long is walked by ourselves (lists, quotes,
 * text); every other rule is the stock one or the dialect's, in one go. Invariant: the tokens are
 * those that the rules give when the stock parser walks them.
 */
import type MarkdownIt from 'markdown-it'
import type { StateBlock, Token } from 'markdown-it'
import { codeIndent, contentStart, indentIn, isInterrupted, markingLines } from './block-lines.ts'
import { type Walk, walkingList } from './list-walk.ts'
import type { ParseEnv } from './parse-env.ts'
import { walkingQuote } from './quote-walk.ts'

/** The block tokens of a text. */
export function walkingBlocks(text: string, md: MarkdownIt, env: ParseEnv): Token[] {
  const tokens: Token[] = []
  if (text === '') return tokens
  const state = markingLines(text, { md, env, tokens })
  walking(state, 0, state.lineMax)
  return tokens
}

/** The blocks of the lines [from, to), as far as they belong to what holds them. */
const walking: Walk = (state, from, to) => {
  let hasEmptyLines = false
  for (let line = from; line < to; ) {
    line = state.skipEmptyLines(line)
    state.line = line
    if (line >= to || indentIn(state, line) < 0) return
    walkingBlock(state, line, to)
    if (state.line <= line) throw new TypeError('a block rule took no line')
    line = state.line
    state.tight = !hasEmptyLines
    if (state.isEmpty(line - 1)) hasEmptyLines = true
    if (line < to && state.isEmpty(line)) {
      hasEmptyLines = true
      state.line = ++line
    }
  }
}

function walkingBlock(state: StateBlock, line: number, end: number): void {
  const named = namedRules(state.md)
  for (const rule of state.md.block.ruler.getRules('')) {
    if (rule === named.list || rule === named.blockquote) {
      if (!rule(state, line, end, true)) continue
      const walk = rule === named.list ? walkingList : walkingQuote
      walk(state, { line, end, inside: walking })
      return
    }
    // Before the rules of text, which are one here.
    if (rule === named.lheading) break
    if (rule(state, line, end, false)) return
  }
  walkingText(state, line, end)
}

type BlockRule = ReturnType<MarkdownIt['block']['ruler']['getRules']>[number]

interface Named {
  readonly list: BlockRule | undefined
  readonly blockquote: BlockRule | undefined
  readonly lheading: BlockRule | undefined
}

const known = new WeakMap<MarkdownIt, Named>()

function namedRules(md: MarkdownIt): Named {
  let named = known.get(md)
  if (named === undefined) {
    const { __rules__: rules } = md.block.ruler as unknown as {
      __rules__: { readonly name: string; readonly fn: BlockRule }[]
    }
    const at = (name: string) => rules.find((rule) => rule.name === name)?.fn
    named = { list: at('list'), blockquote: at('blockquote'), lheading: at('lheading') }
    known.set(md, named)
  }
  return named
}

/** A paragraph, or a heading that is underlined. */
function walkingText(state: StateBlock, line: number, end: number): void {
  const { parentType } = state
  state.parentType = 'paragraph'
  let next = line + 1
  let underline: string | undefined
  for (; next < end && !state.isEmpty(next); next++) {
    const indent = indentIn(state, next)
    // Not code: it goes on with the paragraph.
    if (indent >= codeIndent) continue
    underline = indent >= 0 ? underlineIn(state, next) : undefined
    if (underline !== undefined) break
    // A line that a quote took without its marker was looked at there.
    if ((state.sCount[next] ?? 0) >= 0 && isInterrupted(state, 'paragraph', next, end)) break
  }
  state.parentType = parentType
  writeText(state, { from: line, to: next, underline })
}

function underlineIn(state: StateBlock, line: number): string | undefined {
  const from = contentStart(state, line)
  const char = state.src[from]
  if (char !== '-' && char !== '=') return undefined
  let at = state.skipChars(from, char.charCodeAt(0))
  at = state.skipSpaces(at)
  return at >= (state.eMarks[line] ?? 0) ? char : undefined
}

interface TextLines {
  readonly from: number
  readonly to: number
  readonly underline: string | undefined
}

function writeText(state: StateBlock, { from, to, underline }: TextLines): void {
  const content = trimmed(state.getLines(from, to, state.blkIndent, false))
  const name = underline === undefined ? 'paragraph' : 'heading'
  const tag = underline === undefined ? 'p' : underline === '=' ? 'h1' : 'h2'
  state.line = underline === undefined ? to : to + 1
  const open = state.push(`${name}_open`, tag, 1)
  open.map = [from, state.line]
  const inline = state.push('inline', '', 0)
  inline.content = content
  inline.map = [from, to]
  inline.children = []
  const close = state.push(`${name}_close`, tag, -1)
  if (underline !== undefined) open.markup = close.markup = underline
}

function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

/** Only these; other blanks are content. */
const isBlank = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
