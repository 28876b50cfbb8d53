/**
 * How HTML reads as a document: our own names, and the plain elements that every other program
 * writes. What no rule names falls away and leaves its text; an address that no document links to
 * leaves the words of its link. Ids and authors are not read: a copy is a new thing.
 */
import { DOMParser, type TagParseRule } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { isSafeAddress } from '../../../schema/markdown/addresses.ts'

const addressMaxChars = 16 * 1024

/** The address, where a document may link to it. */
export function safeAddress(address: string | null): string | undefined {
  if (address === null || address.length > addressMaxChars) return undefined
  return isSafeAddress(address) ? address : undefined
}

type Attributes = Record<string, unknown> | false | null

const nothing = 'script, style, template, noscript, iframe, object, embed, svg, math, title, head'

const text = (element: HTMLElement, name: string) => element.getAttribute(name) ?? ''

function image(element: HTMLElement): Attributes {
  const src = safeAddress(element.getAttribute('src'))
  if (src === undefined || src === '') return false
  const href = safeAddress(element.getAttribute('data-href')) ?? null
  return { src, alt: text(element, 'alt'), title: text(element, 'title'), href }
}

function link(element: HTMLElement): Attributes {
  const href = safeAddress(element.getAttribute('href'))
  return href === undefined ? false : { href, title: text(element, 'title') }
}

function align(element: HTMLElement): Attributes {
  const name = element.getAttribute('data-align')
  return { align: name === null || !/^(left|center|right)$/.test(name) ? null : name }
}

function item(element: HTMLElement): Attributes {
  const checked = element.getAttribute('data-checked')
  return { checked: checked === null ? null : checked === 'true' }
}

const isTight = (element: HTMLElement) => element.getAttribute('data-tight') !== 'false'

function orderedList(element: HTMLElement): Attributes {
  const order = Number.parseInt(element.getAttribute('start') ?? '1', 10)
  const isFit = order >= 0 && order <= 999_999_999
  return { tight: isTight(element), order: isFit ? order : 1 }
}

export const formatRules: readonly TagParseRule[] = [
  { tag: 'a[href]', mark: 'link', getAttrs: link },
  { tag: 'strong, b', mark: 'strong' },
  { tag: 'em, i, cite, dfn', mark: 'em' },
  { tag: 's, del, strike', mark: 'strike' },
  { tag: 'code, tt, kbd, samp', mark: 'code' },
]

/** `space`: what becomes of blanks and line ends in the source of a paragraph. */
function rules(space: 'full' | false): TagParseRule[] {
  const written = { preserveWhitespace: space }
  return [
    { tag: nothing, ignore: true, priority: 90 },
    { tag: 'pre[data-front-matter]', node: 'front_matter', preserveWhitespace: 'full' },
    {
      tag: 'pre[data-html-block]',
      node: 'html_block',
      getAttrs: (element) => ({ source: element.textContent }),
    },
    {
      tag: 'pre',
      node: 'code_block',
      preserveWhitespace: 'full',
      getAttrs: (element) => ({ params: text(element, 'data-params') }),
    },
    {
      tag: 'code[data-html-inline]',
      node: 'html_inline',
      getAttrs: (element) => ({ source: element.textContent }),
    },
    { tag: 'p', node: 'paragraph', ...written },
    ...[1, 2, 3, 4, 5, 6].map((level) => ({
      tag: `h${level}`,
      node: 'heading',
      attrs: { level },
      ...written,
    })),
    { tag: 'hr', node: 'horizontal_rule' },
    { tag: 'blockquote', node: 'blockquote' },
    { tag: 'ul', node: 'bullet_list', getAttrs: (element) => ({ tight: isTight(element) }) },
    { tag: 'ol', node: 'ordered_list', getAttrs: orderedList },
    { tag: 'li', node: 'list_item', getAttrs: item },
    { tag: 'table', node: 'table' },
    { tag: 'tr', node: 'table_row' },
    { tag: 'th', node: 'table_header', getAttrs: align, ...written },
    { tag: 'td', node: 'table_cell', getAttrs: align, ...written },
    { tag: 'img', node: 'image', getAttrs: image },
    { tag: 'br', node: 'hard_break' },
    ...formatRules,
  ]
}

const parserWith = (space: 'full' | false) => new DOMParser(documentSchema, rules(space))

/** For HTML that this editor wrote: every blank counts. */
export const ownParser = parserWith('full')
/** For HTML of other programs, cleaned by `cleaned`. */
export const foreignParser = parserWith(false)
