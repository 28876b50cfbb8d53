/**
 * Front matter: `---` on the very first line, YAML, then `---` or `...`. It is told from a rule
 * between paragraphs by its first line that is no comment, which must be a `key:`. The YAML itself
 * is never parsed here: its bytes are content like any other.
 */
import type { StateBlock } from 'markdown-it'
import type { ParseEnv } from './parse-env.ts'

const fence = /^(?:---|\.\.\.)[ \t]*$/
/** The same of any line of a text. */
const fenceWithin = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?=\n|$)/
const key = /^(?:"[^"]*"|'[^']*'|[^\s:#&*!|>%@`\-[\]{},][^:]*)\s*:(?:\s|$)/

/** Whether text between the fences would be read back as front matter. */
export function isFrontMatter(text: string): boolean {
  if (fenceWithin.test(text)) return false
  const first = firstEntry(text)
  return first !== undefined && key.test(first)
}

/** The first line that is neither blank nor a comment. */
function firstEntry(text: string): string | undefined {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? undefined : end)
    if (line.trim() !== '' && !/^\s*#/.test(line)) return line
    if (end < 0) break
    from = end + 1
  }
  return undefined
}

/** The block rule; it pushes one `front_matter` token that holds the text between the fences. */
export function frontMatterRule(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const env = state.env as ParseEnv
  if (startLine !== 0 || state.level !== 0 || state.tokens.length > 0 || !env.start) return false
  const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line])
  if (!/^---[ \t]*$/.test(lineAt(0))) return false
  let close = 1
  while (close < endLine && !fence.test(lineAt(close))) close++
  if (close >= endLine) return false
  const text = state.src.slice(state.bMarks[1], Math.max(0, (state.bMarks[close] ?? 0) - 1))
  if (close === 1 || !isFrontMatter(text)) return false
  if (silent) return true
  const token = state.push('front_matter', '', 0)
  token.content = text
  token.map = [0, close + 1]
  state.line = close + 1
  return true
}
