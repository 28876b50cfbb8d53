/**
 * How each node and mark stands in a page: plain DOM specifications, no DOM. What the reader's own
 * editor draws by a view of its own (tables' menus, images, HTML source) starts from these too.
 * Every attribute that a page needs to read a copied piece back is in the DOM.
 */
import type { Attrs, DOMOutputSpec, Mark, Node } from 'prosemirror-model'
import { isSafeAddress } from './markdown/addresses.ts'

type NodeDom = (node: Node) => DOMOutputSpec
type MarkDom = (mark: Mark) => DOMOutputSpec

/** What a block carries for every page: its id, and a direction of its own. */
const block = (node: Node, more: Attrs = {}): Attrs => ({
  ...(node.attrs['id'] === null ? {} : { 'data-id': node.attrs['id'] as string }),
  ...more,
})
const written = (node: Node, more: Attrs = {}): Attrs => block(node, { dir: 'auto', ...more })

const cell =
  (tag: 'td' | 'th') =>
  (node: Node): DOMOutputSpec => {
    const align = node.attrs['align'] as string | null
    return [tag, { dir: 'auto', ...(align === null ? {} : { 'data-align': align }) }, 0]
  }

export const nodeDom: Readonly<Record<string, NodeDom>> = {
  front_matter: (node) => [
    'pre',
    block(node, { 'data-front-matter': '', class: 'front-matter' }),
    ['code', 0],
  ],
  link_definition: (node) => [
    'pre',
    block(node, { 'data-link-definition': '', class: 'link-definition' }),
    ['code', 0],
  ],
  paragraph: (node) => ['p', written(node), 0],
  heading: (node) => [`h${node.attrs['level'] as number}`, written(node), 0],
  code_block: (node) => [
    'pre',
    block(node, { 'data-params': node.attrs['params'] as string }),
    ['code', 0],
  ],
  horizontal_rule: (node) => ['hr', block(node)],
  html_block: (node) => [
    'pre',
    block(node, { 'data-html-block': '', class: 'html-source' }),
    node.attrs['source'] as string,
  ],
  blockquote: (node) => ['blockquote', block(node), 0],
  bullet_list: (node) => ['ul', block(node, { 'data-tight': String(node.attrs['tight']) }), 0],
  ordered_list: (node) => [
    'ol',
    block(node, {
      'data-tight': String(node.attrs['tight']),
      start: String(node.attrs['order']),
    }),
    0,
  ],
  list_item: (node) => {
    const checked = node.attrs['checked'] as boolean | null
    return ['li', block(node, checked === null ? {} : { 'data-checked': String(checked) }), 0]
  },
  table: (node) => [
    'div',
    block(node, { class: 'table-frame' }),
    ['table', { dir: directionOf(node) ?? null }, ['tbody', 0]],
  ],
  table_row: (node) => ['tr', block(node), 0],
  table_header: cell('th'),
  table_cell: cell('td'),
  image: (node) => [
    'img',
    {
      src: node.attrs['src'] as string,
      alt: node.attrs['alt'] as string,
      title: node.attrs['title'] as string,
      ...(node.attrs['href'] === null ? {} : { 'data-href': node.attrs['href'] as string }),
    },
  ],
  hard_break: () => ['br'],
  html_inline: (node) => [
    'code',
    { 'data-html-inline': '', class: 'html-source' },
    node.attrs['source'] as string,
  ],
}

export const markDom: Readonly<Record<string, MarkDom>> = {
  link: (mark) => [
    'a',
    {
      // What no document may link to is no link here either, whoever brought it.
      ...(isSafeAddress(mark.attrs['href'] as string)
        ? { href: mark.attrs['href'] as string }
        : {}),
      title: mark.attrs['title'] as string,
      rel: 'noopener noreferrer nofollow',
      target: '_blank',
    },
    0,
  ],
  strong: () => ['strong', 0],
  em: () => ['em', 0],
  strike: () => ['s', 0],
  code: () => ['code', { spellcheck: 'false' }, 0],
  authored: (mark) => ['span', { 'data-by': mark.attrs['by'] as string }, 0],
}

const letter = /\p{L}/u
/** Hebrew, Arabic, Syriac, Thaana, N’Ko and others after them; their presentation forms. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Which way a text runs, by the first letter that says so, as `dir="auto"` finds it. Pure. Of all
 * that stands in a block; undefined where no letter does. Its parts may have a `dir="auto"` of
 * their own, so that an element's would not see them.
 */
export function directionOf(block: Node): 'ltr' | 'rtl' | undefined {
  let first: string | undefined
  block.descendants(({ text }) => {
    first ??= text === undefined ? undefined : letter.exec(text)?.[0]
    return first === undefined
  })
  if (first === undefined) return undefined
  return rightToLeft.test(first) ? 'rtl' : 'ltr'
}
