/**
 * What a plain text on the clipboard is: markdown, cells, or words. Guesses only where the text
 * has a structure that no prose has; a wrong guess is one undo away.
 */
import { wordEnd } from '../model/words.ts'

const blockMarks = [
  /^#{1,6} \S/,
  /^\s{0,3}[-*+] \S/,
  /^\s{0,3}\d{1,9}[.)] \S/,
  /^> ?\S/,
  /^(```|~~~)/,
  /^\|.*\|\s*$/,
  /^\s{0,3}([-*_])( ?\1){2,}\s*$/,
]
const inlineMarks = new RegExp(
  [
    `(?<!${wordEnd})(?:\\*\\*\\S[^*\\n]*\\*\\*|__\\S[^_\\n]*__|\`[^\`\\n]+\`|~~\\S[^~\\n]*~~)`,
    '\\[[^\\]\\n]+\\]\\([^)\\s]+\\)',
    '!\\[[^\\]\\n]*\\]\\(',
  ].join('|'),
  'u',
)
/** Code, what stands between stars, or stars within a word. */
const starred = new RegExp(
  [
    '(?<code>(`+)(?!`).{0,1000}?[^`]\\2(?!`))',
    `(?<!${wordEnd}|\\*)(?<stars>\\*{1,3})(?=[^\\s*])(?<inside>.{0,1000}?[^\\s*])\\k<stars>(?!\\*)`,
    `(?<=${wordEnd})\\*+(?=[\\p{L}\\p{N}(])`,
  ].join('|'),
  'gu',
)

/** A line of markdown in which stars within a word or number are stars: `2*3*4` is arithmetic. */
export function withStars(line: string): string {
  return line.replace(starred, (found, ...rest) => {
    const { code, stars, inside } = rest.at(-1) as Record<string, string | undefined>
    if (code !== undefined) return found
    if (stars === undefined || inside === undefined) return found.replaceAll('*', '\\*')
    return stars + withStars(inside) + stars
  })
}

/** Whether a text holds markdown's structure. */
export function looksLikeMarkdown(text: string): boolean {
  if (inlineMarks.test(text)) return true
  const lines = text.split('\n')
  const marked = lines.filter((line) => blockMarks.some((mark) => mark.test(line))).length
  // A single line that begins with a dash may be prose; a heading or fence is none.
  return marked > 1 || (marked === 1 && (/^(#{1,6} |```|~~~|> )/m.test(text) || lines.length === 1))
}

/** The cells of tab- or comma-separated text; `undefined` where it is none. */
export function cellsOf(text: string): string[][] | undefined {
  const body = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')
  if (body.includes('\t')) return evenRows(separated(body, '\t'), { rows: 1, columns: 2 })
  if (!body.includes(',') || !body.includes('\n')) return undefined
  const rows = separated(body, ',')
  const isProse = rows.some((row) => row.some((cell) => cell.length > 120 || /^ \S/.test(cell)))
  const isSmall = rows.length < 3 && (rows[0]?.length ?? 0) < 3
  return isProse || isSmall ? undefined : evenRows(rows, { rows: 2, columns: 2 })
}

interface Least {
  readonly rows: number
  readonly columns: number
}

function evenRows(rows: string[][], least: Least): string[][] | undefined {
  const width = rows[0]?.length ?? 0
  const isEven = rows.every((row) => row.length === width)
  return isEven && rows.length >= least.rows && width >= least.columns ? rows : undefined
}

/** Cells may be quoted, with quotes doubled and lines within. */
function separated(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const quoted = text[at] === '"' ? /"((?:[^"]|"")*)"/y : undefined
    if (quoted !== undefined) quoted.lastIndex = at
    const whole = quoted?.exec(text)
    const follows = whole === null || whole === undefined ? '' : text.charAt(at + whole[0].length)
    let cell: string
    if (whole && (follows === '' || follows === '\n' || follows === separator)) {
      cell = (whole[1] ?? '').replaceAll('""', '"')
      at += whole[0].length
    } else {
      const nexts = [text.indexOf(separator, at), text.indexOf('\n', at), text.length]
      const end = Math.min(...nexts.filter((end) => end >= 0))
      cell = text.slice(at, end)
      at = end
    }
    row.push(cell)
    if (text[at] !== separator) {
      rows.push(row)
      row = []
    }
    at += 1
  }
  return rows
}
