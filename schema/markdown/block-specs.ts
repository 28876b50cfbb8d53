/**
 * Which block tokens become which nodes, and what of it cannot be declared: bytes of front matter,
 * how a block was written. Invariant: a block that closes is never lost; the stock handler would
 * drop one whose content does not fit.
 */
import type { Token } from 'markdown-it'
import type { ParseSpec } from 'prosemirror-markdown'
import { documentSchema } from '../document-schema.ts'
import type { TokenHandler, TokenHandlers } from '../internals/parse-state.ts'
import { closedHtmlBlock } from './html.ts'
import { writtenBlock } from './source-lines.ts'

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

/** Unlike the stock handler for code, it keeps a newline at the end. */
const frontMatter: TokenHandler = (state, { content }) => {
  if (state.stack.length > 1 || state.top().content.length > 0) {
    throw new TypeError('front matter begins a document')
  }
  state.push(nodes.front_matter.create(null, content === '' ? null : documentSchema.text(content)))
}

const linkDefinition: TokenHandler = (state, { content }) => {
  state.push(nodes.link_definition.create(null, documentSchema.text(content)))
}

const leaves = ['hr', 'html_block', 'code_block', 'fence'] as const

/** The stock handlers, with how each block was written; no block is lost when it closes. */
export function blockHandlers(stock: TokenHandlers): TokenHandlers {
  const own: Record<string, TokenHandler> = {}
  for (const name of Object.keys(containers)) {
    const [open, close] = [stock[`${name}_open`], `${name}_close`]
    own[`${name}_open`] = (state, token, tokens, index) => {
      open?.(state, token, tokens, index)
      state.top().written = writtenBlock(token)
    }
    own[close] = (state) => {
      const { type, written, inner } = state.top()
      if (state.closeNode() === null) throw new TypeError(`a ${type.name} does not fit the schema`)
      state.onBlock(state.top(), written, inner)
    }
  }
  const leafHandlers = { front_matter: frontMatter, link_definition: linkDefinition }
  for (const [name, handler] of [
    ...leaves.map((leaf) => [leaf, stock[leaf]] as const),
    ...Object.entries(leafHandlers),
  ]) {
    own[name] = (state, token, tokens, index) => {
      handler?.(state, token, tokens, index)
      state.onBlock(state.top(), writtenBlock(token))
    }
  }
  return own
}
