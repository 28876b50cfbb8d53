/**
 * Bare URLs are text whose characters are never markup: `https://x.y/a_b_c*d` needs no escapes and
 * viewers show it as a link. The tokenizer's rule and the printer share one idea of where a URL
 * ends.
 */
import type { StateInline } from 'markdown-it'

const bareUrlMaxChars = 2048

const urlRun = /^https?:\/\/[^\s<>`|\\[\]]+/i
const shortestUrl = 'http://x'.length

/** Length of the URL that `text` begins with, 0 if none; the end is trimmed as GFM does. */
export function bareUrlLength(text: string): number {
  const run = urlRun.exec(text.slice(0, bareUrlMaxChars))?.[0]
  if (run === undefined) return 0
  let length = run.length
  let open = 0
  for (const char of run) open += char === '(' ? 1 : char === ')' ? -1 : 0
  while (length > shortestUrl) {
    const last = run[length - 1] ?? ''
    if (last === ')' && open < 0) open++
    else if (last === ';') length -= referenceLength(run, length) - 1
    else if (!/[?!.,:*_~'"]/.test(last)) break
    length--
  }
  return length >= shortestUrl ? length : 0
}

/** Length of the `&name;` that ends at `end`, or 1 for the lone semicolon. */
function referenceLength(run: string, end: number): number {
  return /&[a-z0-9]{1,31};$/i.exec(run.slice(Math.max(0, end - 34), end))?.[0].length ?? 1
}

/** The bare URLs of a text as [from, to); `before` is the character ahead of the text, if any. */
export function bareUrls(text: string, before: string): readonly (readonly [number, number])[] {
  if (!text.includes('://')) return []
  const found: [number, number][] = []
  const scheme = /https?:\/\//gi
  for (let match = scheme.exec(text); match !== null; match = scheme.exec(text)) {
    const ahead = match.index > 0 ? (text[match.index - 1] ?? '') : before
    if (/\w/.test(ahead)) continue
    const length = bareUrlLength(text.slice(match.index, match.index + bareUrlMaxChars))
    if (length === 0) continue
    found.push([match.index, match.index + length])
    scheme.lastIndex = match.index + length
  }
  return found
}

/** Inline rule at the `:` of `http://`: takes the rest of the URL as plain text. */
export function bareUrlRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a || state.src.charCodeAt(state.pos + 1) !== 0x2f) {
    return false
  }
  const ahead = state.src.slice(Math.max(0, state.pos - 6), state.pos)
  const scheme = /(?:^|\W)(https?)$/i.exec(ahead)?.[1]
  if (scheme === undefined) return false
  const from = state.pos - scheme.length
  const max = Math.min(state.posMax, from + bareUrlMaxChars)
  const length = bareUrlLength(state.src.slice(from, max))
  if (length === 0) return false
  if (!silent) state.pending += state.src.slice(state.pos, from + length)
  state.pos = from + length
  return true
}
