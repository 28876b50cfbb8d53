/**
 * Front matter: `---` on the very first line or behind one empty line, YAML of at most 64 KiB, then
 * `---` or `...`. Its first line that is no comment must be a `key:`, which tells it from a rule
 * between paragraphs; or there is nothing between the fences. Anything else is body. The YAML is
 * never parsed here: its bytes are content like any other.
 */
import type { StateBlock } from 'markdown-it'
import type { ParseEnv } from './parse-env.ts'

export const frontMatterMaxChars = 64 * 1024

const opening = /^---[ \t]*$/
const closing = /^(?:---|\.\.\.)[ \t]*$/
/** A closing fence in a text of several lines. */
const closingLine = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?=\n|$)/

/** Whether text between the fences would be read back as front matter. */
export function isFrontMatter(text: string): boolean {
  if (text.length > frontMatterMaxChars || closingLine.test(text)) return false
  const first = firstEntry(text)
  return text === '' || (first !== undefined && isKeyLine(first))
}

/** The first line that is neither blank nor a comment. */
function firstEntry(text: string): string | undefined {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? undefined : end).trimStart()
    if (line !== '' && !line.startsWith('#')) return text.slice(from, end < 0 ? undefined : end)
    if (end < 0) break
    from = end + 1
  }
  return undefined
}

/** A line that begins otherwise may begin with a plain key. */
const noKeyStart = /^[\s:#&*!|>%@`\-[\]{},]/

/**
 * `key:` or `key: …`, the key plain or in quotes. The colons are found by hand: one regular
 * expression for the whole line would take the square of the blanks before a colon.
 */
function isKeyLine(line: string): boolean {
  if (noKeyStart.test(line)) return false
  const colons = [colonBehindQuotes(line), line.indexOf(':')]
  return colons.some((at) => at > 0 && /^(?:\s|$)/.test(line.slice(at + 1, at + 2)))
}

/** The colon behind a key in quotes; -1 where there is none. */
function colonBehindQuotes(line: string): number {
  const quote = line.charAt(0)
  const close = quote === '"' || quote === "'" ? line.indexOf(quote, 1) : -1
  if (close < 0) return -1
  const rest = line.slice(close + 1)
  const blanks = rest.length - rest.trimStart().length
  return rest.charAt(blanks) === ':' ? close + 1 + blanks : -1
}

/** A closing fence is read no further. */
const fenceMaxChars = 256

/** The front matter of a text: what stands between its fences, and the length of it all. */
export function frontMatterIn(
  markdown: string,
): { readonly source: string; readonly length: number } | undefined {
  const start = markdown.startsWith('\n') ? 1 : 0
  if (!markdown.startsWith('---', start)) return undefined
  const begin = markdown.indexOf('\n', start)
  if (begin < 0 || !opening.test(markdown.slice(start, begin))) return undefined
  const behind = markdown.slice(begin, begin + frontMatterMaxChars + fenceMaxChars)
  const close = closingLine.exec(behind)
  if (close === null) return undefined
  const source = behind.slice(1, Math.max(1, close.index))
  if (!isFrontMatter(source) || (source === '' && close.index > 0)) return undefined
  return { source, length: begin + close.index + close[0].length }
}

/** The block rule; it pushes one `front_matter` token that holds the text between the fences. */
export function frontMatterRule(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const env = state.env as ParseEnv
  if (startLine > 1 || state.level !== 0 || state.tokens.length > 0 || !env.start) return false
  const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line])
  if (!opening.test(lineAt(startLine)) || (startLine === 1 && lineAt(0) !== '')) return false
  const begin = state.bMarks[startLine + 1] ?? 0
  const lengthTo = (line: number) => Math.max(0, (state.bMarks[line] ?? 0) - 1 - begin)
  let close = startLine + 1
  while (close < endLine && lengthTo(close) <= frontMatterMaxChars) {
    if (closing.test(lineAt(close))) break
    close++
  }
  const text = state.src.slice(begin, begin + lengthTo(close))
  const isBlankLine = text === '' && close > startLine + 1
  if (close >= endLine || isBlankLine || !isFrontMatter(text)) return false
  if (silent) return true
  const token = state.push('front_matter', '', 0)
  token.content = text
  token.map = [startLine, close + 1]
  state.line = close + 1
  return true
}
