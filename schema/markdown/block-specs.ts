/**
 * Which block tokens become which nodes, and what of it cannot be declared: effective tightness,
 * definitions that something uses, bytes of front matter. Invariant: a block that closes is never
 * lost; the stock handler would drop one whose content does not fit.
 */
import type { Token } from 'markdown-it'
import type { ParseSpec } from 'prosemirror-markdown'
import { documentSchema } from '../document-schema.ts'
import type { ParseState, TokenHandler, TokenHandlers } from '../internals/parse-state.ts'
import { closedHtmlBlock } from './html.ts'
import { type DefinitionUse, definitionComment } from './link-definitions.ts'
import { isTight } from './node-attributes.ts'
import { effectiveTight } from './tightness.ts'

const { nodes } = documentSchema

const align = (cell: Token) => ({
  align: cell.attrGet('style')?.replace('text-align:', '') ?? null,
})

const containers: Readonly<Record<string, ParseSpec>> = {
  blockquote: { block: 'blockquote' },
  bullet_list: {
    block: 'bullet_list',
    getAttrs: (_, tokens, index) => ({ tight: showsNoParagraph(tokens, index) }),
  },
  ordered_list: {
    block: 'ordered_list',
    getAttrs: (list, tokens, index) => ({
      tight: showsNoParagraph(tokens, index),
      order: Number(list.attrGet('start') ?? 1),
    }),
  },
  list_item: { block: 'list_item' },
  paragraph: { block: 'paragraph' },
  heading: { block: 'heading', getAttrs: ({ tag }) => ({ level: Number(tag.slice(1)) }) },
  table: { block: 'table' },
  tr: { block: 'table_row' },
  th: { block: 'table_header', getAttrs: align },
  td: { block: 'table_cell', getAttrs: align },
}

export const blockSpecs: Readonly<Record<string, ParseSpec>> = {
  ...containers,
  thead: { ignore: true },
  tbody: { ignore: true },
  hr: { node: 'horizontal_rule' },
  html_block: {
    node: 'html_block',
    getAttrs: ({ content }) => ({ source: closedHtmlBlock(content) }),
  },
  code_block: { block: 'code_block' },
  fence: {
    block: 'code_block',
    getAttrs: ({ info }) => ({ params: info.replace(/\s+/g, ' ').trim() }),
  },
}

/** Whether the paragraphs right in a list's items are hidden: all of them are, or none. */
function showsNoParagraph(tokens: readonly Token[], index: number): boolean {
  const list = tokens[index]?.level ?? 0
  for (let next = index + 1; ; next++) {
    const token = tokens[next]
    if (token === undefined || token.level <= list) return true
    if (token.type === 'paragraph_open' && token.level === list + 2) return token.hidden
  }
}

const closeBlock: TokenHandler = (state) => {
  const { type } = state.top()
  if (state.closeNode() === null) throw new TypeError(`a ${type.name} does not fit the schema`)
}

const closeList: TokenHandler = (state) => {
  const list = state.closeNode()
  if (list === null) throw new TypeError('a list does not fit the schema')
  const tight = effectiveTight(list)
  if (tight === isTight(list)) return
  const { content } = state.top()
  content[content.length - 1] = list.type.create({ ...list.attrs, tight }, list.content)
}

/** Unlike the stock handler for code, it keeps a newline at the end. */
const frontMatter: TokenHandler = (state: ParseState, { content }) => {
  if (state.stack.length > 1 || state.top().content.length > 0) {
    throw new TypeError('front matter begins a document')
  }
  state.push(nodes.front_matter.create(null, documentSchema.text(content)))
}

const linkDefinition: TokenHandler = (state, { content, meta }) => {
  if ((meta as DefinitionUse).used) return
  state.push(nodes.html_block.create({ source: definitionComment(content) }))
}

export const blockHandlers: TokenHandlers = {
  ...Object.fromEntries(Object.keys(containers).map((name) => [`${name}_close`, closeBlock])),
  bullet_list_close: closeList,
  ordered_list_close: closeList,
  front_matter: frontMatter,
  link_definition: linkDefinition,
}
