/**
 * Which inline tokens become which marks and nodes. Emphasis nested in its like counts once; leaves
 * carry no marks, a link around one becomes its attribute; a soft break is a newline in the text, a
 * blank in one-line blocks; an empty link shows its address; a task box belongs to its item.
 */
import type { Token } from 'markdown-it'
import type { ParseSpec } from 'prosemirror-markdown'
import { documentSchema } from '../document-schema.ts'
import type { ParseState, TokenHandler, TokenHandlers } from '../internals/parse-state.ts'
import { flatAddress, flatText } from './addresses.ts'
import { hasKnownName, isBreakTag, unfoldedLines } from './html.ts'
import { taskBox } from './task-box.ts'

const { nodes, marks } = documentSchema

export const inlineSpecs: Readonly<Record<string, ParseSpec>> = {
  em: { mark: 'em' },
  strong: { mark: 'strong' },
  s: { mark: 'strike' },
  link: { mark: 'link' },
  code_inline: { mark: 'code' },
}

const inline: TokenHandler = (state, { children, content }) => {
  state.parseTokens(withoutNestedEmphasis(children ?? []))
  const top = state.top()
  while (top.content.at(-1)?.type === nodes.hard_break) top.content.pop()
  takeTaskBox(state, content)
}

/** The stock handler ends a mark at the first end of two that are nested. */
function withoutNestedEmphasis(tokens: readonly Token[]): readonly Token[] {
  // Two that are nested begin and end.
  if (tokens.length < 4) return tokens
  const depths = new Map<string, number>()
  let kept: Token[] | undefined
  for (const [index, token] of tokens.entries()) {
    const isEmphasis = token.nesting !== 0 && token.tag !== 'a'
    const before = isEmphasis ? (depths.get(token.tag) ?? 0) : 0
    const after = before + token.nesting
    if (isEmphasis) depths.set(token.tag, after)
    if (isEmphasis && before > 0 && after > 0) kept ??= tokens.slice(0, index)
    else kept?.push(token)
  }
  return kept ?? tokens
}

/** Moves a task box at the start of an item's first paragraph to the item. */
function takeTaskBox(state: ParseState, source: string): void {
  const { type, content } = state.top()
  const item = state.stack.at(-2)
  const first = content[0]
  if (type !== nodes.paragraph || item?.type !== nodes.list_item) return
  const box = item.content.length === 0 ? taskBox(source) : undefined
  if (box === undefined || !first?.isText || first.marks.length > 0) return
  const text = first.text ?? ''
  if (taskBox(text) === undefined && !/^\[[ xX]\]$/.test(text)) return
  item.attrs = { checked: box.checked }
  const rest = text.slice(3).replace(/^[ \t]*\n?/, '')
  if (rest === '') content.shift()
  else content[0] = documentSchema.text(rest)
}

const softBreak: TokenHandler = (state) => {
  state.addText(state.stack.at(-1)?.type === nodes.paragraph ? '\n' : ' ')
}

const hardBreak: TokenHandler = (state) => {
  state.push(nodes.hard_break.create())
}

const openLink: TokenHandler = (state, token, tokens, index) => {
  const href = flatAddress(token.attrGet('href') ?? '')
  const title = flatText(token.attrGet('title') ?? '')
  state.openMark(marks.link.create({ href, title }))
  const next = tokens[index + 1]
  const blank = next?.type === 'text' && next.content.trim() === ''
  const close = blank ? tokens[index + 2] : next
  if (close?.type === 'link_close') state.addText(href || title)
}

const html: TokenHandler = (state, { content }) => {
  if (isBreakTag(content)) state.push(nodes.hard_break.create())
  else if (!hasKnownName(content)) state.addText(unfoldedLines(content))
  else {
    const attrs = { source: unfoldedLines(content), ...linkOfLeaf(state) }
    state.push(nodes.html_inline.create(attrs))
  }
}

const image: TokenHandler = (state, token) => {
  const attrs = {
    src: flatAddress(token.attrGet('src') ?? ''),
    alt: flatText(alternativeText(token.children ?? [])),
    title: flatText(token.attrGet('title') ?? ''),
  }
  state.push(nodes.image.create({ ...attrs, ...linkOfLeaf(state) }))
}

function linkOfLeaf(state: ParseState): { href: string | null; hrefTitle: string } {
  const link = marks.link.isInSet(state.top().marks)
  if (link === undefined) return { href: null, hrefTitle: '' }
  return { href: link.attrs['href'] as string, hrefTitle: link.attrs['title'] as string }
}

/** What an image's label shows: its text without any markup. */
function alternativeText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'image') return alternativeText(token.children ?? [])
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.type !== 'html_inline') return token.content
      return hasKnownName(token.content) ? '' : token.content
    })
    .join('')
}

export const inlineHandlers: TokenHandlers = {
  inline,
  softbreak: softBreak,
  hardbreak: hardBreak,
  link_open: openLink,
  html_inline: html,
  image,
}
