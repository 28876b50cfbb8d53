/**
 * The ProseMirror schema: what a document may hold. The same nodes and marks live in the Y.Doc's
 * fragment `prosemirror`, so a stock y-prosemirror editor with this schema is a full client.
 * Invariants: every attribute value is a primitive (y-prosemirror compares with `!==`); inline
 * leaves carry no marks (y-prosemirror loses them), so the link of an image or HTML atom is an
 * attribute. How the markdown of a block was written is in its attributes `gap` and `spelling`; a
 * block without them is written in the canonical form.
 */
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { markDom, nodeDom } from './document-dom.ts'

const id = { default: null, validate: 'string|null' }
/** The markdown of the block as it was written (see `markdown/spelling.ts`). */
const spelling = { default: null, validate: 'string|null' }
/** The blank lines before the block as they were written (see `markdown/gaps.ts`). */
const gap = { default: null, validate: 'string|null' }
const block = { id, gap, spelling }
const align = { default: null, validate: 'string|null' }
const cell = {
  content: 'inline*',
  isolating: true,
  attrs: {
    align,
    colspan: { default: 1, validate: 'number' },
    rowspan: { default: 1, validate: 'number' },
    colwidth: { default: null },
  },
}
const linkOfLeaf = {
  href: { default: null, validate: 'string|null' },
  hrefTitle: { default: '', validate: 'string' },
}
const tight = { default: true, validate: 'boolean' }

// A block that has to be made is of the first type that may stand there: a paragraph.
const nodes = {
  doc: { content: 'front_matter? block+' },
  front_matter: {
    content: 'text*',
    marks: 'authored',
    code: true,
    defining: true,
    attrs: { id, spelling },
  },
  paragraph: { content: 'inline*', group: 'block', whitespace: 'pre', attrs: block },
  heading: {
    content: 'inline*',
    group: 'block',
    whitespace: 'pre',
    defining: true,
    attrs: { ...block, level: { default: 1, validate: 'number' } },
  },
  code_block: {
    content: 'text*',
    marks: 'authored',
    group: 'block',
    code: true,
    defining: true,
    attrs: { ...block, params: { default: '', validate: 'string' } },
  },
  link_definition: {
    content: 'text*',
    marks: 'authored',
    group: 'block',
    code: true,
    defining: true,
    attrs: { id, gap },
  },
  horizontal_rule: { group: 'block', attrs: block },
  html_block: { group: 'block', atom: true, attrs: { ...block, source: { validate: 'string' } } },
  blockquote: { content: 'block+', group: 'block', defining: true, attrs: block },
  bullet_list: { content: 'list_item+', group: 'block', attrs: { ...block, tight } },
  ordered_list: {
    content: 'list_item+',
    group: 'block',
    attrs: { ...block, tight, order: { default: 1, validate: 'number' } },
  },
  list_item: {
    content: 'block+',
    defining: true,
    attrs: { ...block, checked: { default: null, validate: 'boolean|null' } },
  },
  table: {
    content: 'table_row+',
    group: 'block',
    isolating: true,
    tableRole: 'table',
    attrs: block,
  },
  table_row: {
    content: '(table_header | table_cell)+',
    tableRole: 'row',
    allowGapCursor: false,
    attrs: { id, spelling },
  },
  table_header: { ...cell, tableRole: 'header_cell' },
  table_cell: { ...cell, tableRole: 'cell' },
  text: { group: 'inline' },
  image: {
    inline: true,
    group: 'inline',
    attrs: {
      src: { validate: 'string' },
      alt: { default: '', validate: 'string' },
      title: { default: '', validate: 'string' },
      ...linkOfLeaf,
    },
  },
  hard_break: { inline: true, group: 'inline', selectable: false },
  html_inline: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { source: { validate: 'string' }, ...linkOfLeaf },
  },
} satisfies Record<string, NodeSpec>

const marks = {
  link: {
    attrs: { href: { validate: 'string' }, title: { default: '', validate: 'string' } },
    inclusive: false,
  },
  strong: {},
  em: {},
  strike: {},
  code: { code: true },
  authored: { attrs: { by: { validate: 'string' } }, excludes: 'authored' },
} satisfies Record<string, MarkSpec>

/** The specifications with how each stands in a page. */
function drawn<Name extends string, Spec extends object>(
  specs: Readonly<Record<Name, Spec>>,
  dom: Readonly<Record<string, unknown>>,
): Record<Name, Spec> {
  const entries = Object.entries<Spec>(specs).map(([name, spec]) => {
    const toDOM = dom[name]
    return [name, toDOM === undefined ? spec : { ...spec, toDOM }]
  })
  return Object.fromEntries(entries)
}

export const documentSchema = new Schema({
  nodes: drawn<keyof typeof nodes, NodeSpec>(nodes, nodeDom),
  marks: drawn<keyof typeof marks, MarkSpec>(marks, markDom),
})

/** Grows when an older page could no longer edit a document without harm. */
export const schemaVersion = 2

/** The one root of the Y.Doc. */
export const fragmentName = 'prosemirror'

/** Node types that carry a durable block id in `attrs.id`. */
export const identifiedTypes: ReadonlySet<string> = new Set([
  'front_matter',
  'link_definition',
  'paragraph',
  'heading',
  'code_block',
  'horizontal_rule',
  'html_block',
  'blockquote',
  'bullet_list',
  'ordered_list',
  'list_item',
  'table',
  'table_row',
])
