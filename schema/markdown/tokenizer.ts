/**
 * The configured markdown-it: GFM tables and strikethrough, HTML, emphasis beside Chinese, Japanese
 * and Korean characters, no linkifying, no typography, and the dialect's own rules. Invariant: no text is dropped; addresses are kept as written, and one
 * with a scheme other than http, https or mailto makes no link at all.
 */
import MarkdownIt, { type StateBlock, type StateInline, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { stockRule } from '../internals/stock-rules.ts'
import { isSafeAddress } from './addresses.ts'
import { bareUrlRule } from './bare-urls.ts'
import { frontMatterRule } from './front-matter.ts'
import { hasKnownName, isBreakTag } from './html.ts'
import { tracedState } from './inline-source.ts'
import { definitionRule } from './link-definitions.ts'
import {
  type BlockRule,
  countSkip,
  countStep,
  limitedState,
  type ParseEnv,
  parseEnv,
} from './parse-env.ts'
import { spellsItself } from './plain-text.ts'
import { noteSources } from './source-lines.ts'
import { wholeTableRule } from './table-rule.ts'

type InlineRule = (state: StateInline, silent: boolean) => boolean

/** A line that is only `<br />` is an empty paragraph. */
const spacerRule: BlockRule = (state, line, _end, silent) => {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return false
  if (!isBreakTag(lineText(state, line).trim())) return false
  if (silent) return true
  const open = state.push('paragraph_open', 'p', 1)
  open.map = [line, line + 1]
  state.push('inline', '', 0).children = []
  state.push('paragraph_close', 'p', -1)
  state.line = line + 1
  return true
}

function lineText(state: StateBlock, line: number): string {
  const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  return state.src.slice(from, state.eMarks[line])
}

function knownHtmlRule(stock: BlockRule): BlockRule {
  return (state, line, end, silent) => {
    const text = lineText(state, line)
    return text.startsWith('<') && hasKnownName(text) && stock(state, line, end, silent)
  }
}

/**
 * One blank leaves each side of a code span that has one on both, unless there is nothing else. The
 * stock rule errs on spans of blanks only and on spans with line separators.
 */
function codeSpanRule(stock: InlineRule): InlineRule {
  return (state, silent) => {
    const from = state.pos
    const count = state.tokens.length
    if (!stock(state, silent)) return false
    const token = silent || state.tokens.length === count ? undefined : state.tokens.at(-1)
    if (token?.type === 'code_inline') {
      const ticks = token.markup.length
      const raw = state.src.slice(from + ticks, state.pos - ticks).replaceAll('\n', ' ')
      const padded = raw.startsWith(' ') && raw.endsWith(' ') && /[^ ]/.test(raw)
      token.content = padded ? raw.slice(1, -1) : raw
    }
    return true
  }
}

function createTokenizer(): MarkdownIt {
  const md = new MarkdownIt('default', { html: true, linkify: false, typographer: false })
  md.normalizeLink = (address) => address
  md.normalizeLinkText = (address) => address
  md.validateLink = isSafeAddress

  const { ruler: blocks } = md.block
  const { ruler: inlines } = md.inline
  md.block.State = limitedState(md.block.State)
  blocks.at('table', wholeTableRule(stockRule(blocks, 'table')), {
    alt: ['paragraph', 'reference'],
  })
  blocks.at('html_block', knownHtmlRule(stockRule(blocks, 'html_block')), {
    alt: ['paragraph', 'reference', 'blockquote'],
  })
  blocks.at('reference', definitionRule(stockRule(blocks, 'reference')))
  blocks.before('html_block', 'spacer', spacerRule)
  blocks.before('table', 'front_matter', frontMatterRule)
  inlines.at('backticks', codeSpanRule(stockRule(inlines, 'backticks')))
  inlines.before('text', 'count_step', countStep)
  inlines.after('newline', 'bare_url', bareUrlRule)
  md.use(cjkFriendly)
  md.inline.State = tracedState(md.inline.State)
  noteSources(md)
  const { skipToken, tokenize } = md.inline
  md.inline.ruler2.before('fragments_join', 'trace', (state) => {
    ;(state.env as ParseEnv).trace?.settle(state)
    return false
  })
  md.inline.tokenize = function (state) {
    tokenize.call(this, state)
    ;(state.env as ParseEnv).trace?.note(state)
  }
  md.inline.skipToken = function (state) {
    countSkip(state.env as ParseEnv)
    skipToken.call(this, state)
  }
  return md
}

/** Dropped at the beginning of a text: some programs save files with it. */
export const byteOrderMark = '\ufeff'

/** What `parse` does, faster where a text has no markup; only this is used. */
export function tokenize(text: string, env: ParseEnv): readonly Token[] {
  const { core, block, inline } = tokenizer
  const isMarked = env.start && text.startsWith(byteOrderMark)
  const state = new core.State(isMarked ? text.slice(1) : text, tokenizer, env)
  normalize(state)
  block.parse(state.src, tokenizer, env, state.tokens)
  const { tokens } = state
  for (const token of tokens) {
    if (token.type !== 'inline') continue
    if (spellsItself(token.content)) token.children = [textToken(state, token.content)]
    else {
      inline.parse(token.content, tokenizer, env, token.children ?? [])
      state.tokens = [token]
      joinText(state)
    }
  }
  return tokens
}

/** What delimiters (`*`, `_`) at a place of an inline text may do. */
export function flanksAt(text: string, at: number): { opens: boolean; closes: boolean } {
  const { inline } = tokenizer
  const state = new inline.State(text, tokenizer, parseEnv({}), [])
  const { can_open: opens, can_close: closes } = state.scanDelims(at, text[at] !== '_')
  return { opens, closes }
}

/** The tokens of a table of one cell with this text. */
export function tokenizeCell(text: string, env: ParseEnv): readonly Token[] {
  const { core } = tokenizer
  const state = new core.State('', tokenizer, env)
  const { Token } = state
  const make = (type: string, tag: string, nesting: -1 | 0 | 1) => new Token(type, tag, nesting)
  const inline = make('inline', '', 0)
  inline.content = text
  inline.children = []
  tokenizer.inline.parse(text, tokenizer, env, inline.children)
  state.tokens = [inline]
  joinText(state)
  const open = ['table', 'tr', 'th'].map((tag) => make(`${tag}_open`, tag, 1))
  const close = ['th', 'tr', 'table'].map((tag) => make(`${tag}_close`, tag, -1))
  return [...open, inline, ...close]
}

/** Wants an environment of `parseEnv`; throws INVALID_MARKDOWN over a limit. */
export const tokenizer: MarkdownIt = createTokenizer()

/** Line ends, and characters that may not be. */
const normalize = stockRule(tokenizer.core.ruler, 'normalize')
const joinText = stockRule(tokenizer.core.ruler, 'text_join')

/** What the inline rules make of a text without markup. */
function textToken({ Token }: InstanceType<MarkdownIt['core']['State']>, content: string): Token {
  const token = new Token('text', '', 0)
  token.content = content
  return token
}
