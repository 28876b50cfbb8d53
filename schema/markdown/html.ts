/**
 * What counts as HTML in the dialect. Elements with a known name, comments, processing
 * instructions, declarations and CDATA are opaque atoms, kept byte for byte and never rendered;
 * anything else that looks like a tag (`vector<int>`) is text. `<br />` is never HTML here: it is a
 * break or a spacer.
 */
import htmlBlockNames from 'markdown-it/lib/common/html_blocks.mjs'
import { HTML_OPEN_CLOSE_TAG_RE, HTML_TAG_RE } from 'markdown-it/lib/common/html_re.mjs'

const elementNames: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote ' +
    'body br button canvas caption center cite code col colgroup data datalist dd del details dfn ' +
    'dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset ' +
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link ' +
    'main map mark marquee menu meta meter nav nobr noframes noscript object ol optgroup option ' +
    'output p param picture pre progress q rp rt ruby s samp script search section select slot ' +
    'small source span strike strong style sub summary sup table tbody td template textarea tfoot ' +
    'th thead time title tr track tt u ul var video wbr ' +
    'svg math g path rect circle'
  ).split(' '),
)

/** Blocks that end at a closing sequence of their own instead of a blank line. */
const enclosed: readonly {
  readonly opens: RegExp
  readonly closes: RegExp
  readonly closing: (source: string) => string
}[] = [
  {
    opens: /^<(?:script|pre|style|textarea)(?=\s|>|$)/i,
    closes: /<\/(?:script|pre|style|textarea)>/i,
    closing: (source) => `</${/^<(\w+)/.exec(source)?.[1] ?? 'pre'}>`,
  },
  { opens: /^<!--/, closes: /-->/, closing: () => '-->' },
  { opens: /^<\?/, closes: /\?>/, closing: () => '?>' },
  { opens: /^<!\[CDATA\[/, closes: /\]\]>/, closing: () => ']]>' },
  { opens: /^<![A-Za-z]/, closes: />/, closing: () => '>' },
]

const namedBlock = new RegExp(`^</?(?:${htmlBlockNames.join('|')})(?=\\s|/?>|$)`, 'i')
const loneTag = new RegExp(`${HTML_OPEN_CLOSE_TAG_RE.source}$`)

/** Whether text that begins with `<` may be HTML: not a tag at all, or a tag with a known name. */
export function hasKnownName(source: string): boolean {
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]*)/.exec(source)?.[1]
  return name === undefined || elementNames.has(name.toLowerCase())
}

/** `<br>`, `<br/>`, `<br />`: a break in a line, an empty paragraph alone on a line. */
export function isBreakTag(source: string): boolean {
  return /^<br[ \t]*\/?>$/i.test(source)
}

/** Whether the source, anywhere inside a line, is read as exactly one HTML atom. */
export function isInlineHtml(source: string): boolean {
  if (HTML_TAG_RE.exec(source)?.[0] !== source) return false
  return hasKnownName(source) && !isBreakTag(source) && unfoldedLines(source) === source
}

/** Line ends inside a tag lose the blanks around them: the indent of the container eats them. */
export function unfoldedLines(source: string): string {
  if (!source.includes('\n')) return source
  const lines = source.split('\n')
  const last = lines.length - 1
  const bare = lines.map((line, i) => withoutBlanks(line, i > 0, i < last))
  return bare.filter((line, i) => line !== '' || i === 0 || i === last).join('\n')
}

function withoutBlanks(line: string, atStart: boolean, atEnd: boolean): string {
  const isBlank = (char: string | undefined) => char === ' ' || char === '\t'
  let from = 0
  let to = line.length
  while (atStart && from < to && isBlank(line[from])) from++
  while (atEnd && to > from && isBlank(line[to - 1])) to--
  return line.slice(from, to)
}

/**
 * Whether an atom at the start of a line would become a block; `alone`: nothing follows in the
 * line.
 */
export function startsHtmlBlock(source: string, alone: boolean): boolean {
  if (enclosed.some((kind) => kind.opens.test(source)) || namedBlock.test(source)) return true
  return alone && !source.includes('\n') && loneTag.test(source)
}

/**
 * Whether a source is plainly one block, without reading it: a one-line comment, a named element.
 */
export function isPlainHtmlBlock(source: string): boolean {
  if (source.startsWith('<!--')) {
    return (
      !source.includes('\n') && source.length > 7 && source.indexOf('-->') === source.length - 3
    )
  }
  if (!namedBlock.test(source) || !hasKnownName(source)) return false
  return source.trimEnd() === source && !/\n[ \t]*\n|\r/.test(source)
}

/** The stored source of a block: no blanks around it, and closed when it was left open. */
export function closedHtmlBlock(content: string): string {
  const source = content.replace(/^[ ]+/, '').trimEnd()
  const kind = enclosed.find(({ opens }) => opens.test(source))
  if (kind === undefined || kind.closes.test(source)) return source
  return `${source}\n${kind.closing(source)}`
}

/** Whether a block ends by itself, not only at a blank line. */
export const isClosedHtml = (source: string): boolean =>
  enclosed.some(({ opens, closes }) => opens.test(source) && closes.test(source))

/** Whether a block begins with a tag that may stand right below a line of text. */
export const isNamedHtml = (source: string): boolean => namedBlock.test(source)
