/**
 * What a reader sees of a markdown text, by stock markdown-it: blocks, and in each the visible runs
 * with the set of marks they show. It ignores what no reader sees: marks inside their like, the
 * order in which equal marks nest, blanks that collapse, how a break is spelled, one at the end of
 * a block, comments of definitions.
 */
import MarkdownIt, { type Token } from 'markdown-it'

const stock = new MarkdownIt({ html: true, linkify: false })

export function rendering(markdown: string): string {
  return stock
    .parse(markdown, {})
    .map(renderedBlock)
    .filter((line) => line !== '')
    .join('\n')
}

function renderedBlock(token: Token): string {
  if (token.type === 'inline') return renderedInline(token.children ?? [])
  if (token.hidden) return ''
  if (token.type === 'html_block') {
    const source = collapsed(token.content.replace(/<!-- \[[^\]]*\]:.*?-->/gs, ''))
    const shown = breakSpelling(source).replace(/^(?:<br>)+$/, (all) =>
      all.replaceAll('><', '>\nhtml <'),
    )
    return source === '' ? '' : `html ${shown}`
  }
  const attrs = (token.attrs ?? []).map(([name, value]) => ` ${name}=${value}`).join('')
  const content = /^(?:fence|code_block)$/.test(token.type)
    ? `${token.info.trim()}|${token.content}`
    : ''
  const kind = token.type.replace(/^(?:fence|code_block)$/, 'code')
  return `${kind} ${token.tag}${attrs} ${content}`.trimEnd()
}

function renderedInline(tokens: readonly Token[]): string {
  const open: string[] = []
  const runs: { marks: string; text: string }[] = []
  const add = (text: string) => {
    const marks = [...new Set(open)].sort().join(' ')
    const last = runs.at(-1)
    if (last?.marks === marks) last.text += text
    else if (text !== '') runs.push({ marks, text })
  }
  for (const token of tokens) {
    if (token.nesting === 1) open.push(`${token.tag}${(token.attrs ?? []).join('=')}`)
    else if (token.nesting === -1)
      open.splice(
        open.findLastIndex((m) => m.startsWith(token.tag)),
        1,
      )
    else add(renderedLeaf(token))
  }
  const line = runs.map(({ marks, text }) => `{${marks}:${text}}`).join('')
  return collapsed(breakSpelling(line))
    .replace(/^(\{[^:}]*:) /, '$1')
    .replace(/(?:<br>| )\}$/, '}')
    .replace(/\{:\}$/, '')
}

function renderedLeaf(token: Token): string {
  if (token.type === 'softbreak') return ' '
  if (token.type === 'hardbreak') return '<br>'
  if (token.type === 'code_inline') return `<code>${token.content}</code>`
  if (token.type !== 'image') return token.content
  const title = token.attrGet('title') ?? ''
  return `<img ${token.attrGet('src')} ${stock.renderer.renderInlineAsText(token.children ?? [], stock.options, {})} ${title}>`
}

const breakSpelling = (html: string) => html.replace(/\s*<br[ \t]*\/?>\s*/g, '<br>')
const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()
