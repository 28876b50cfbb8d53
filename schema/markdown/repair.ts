/**
 * Repair: what a stored document must satisfy beyond the schema, so that canonical markdown can say
 * all of it. Written into the document in the commit that needs it. A node that needs nothing is
 * returned as the very same object; ids and `authored` marks are kept.
 */
import type { Attrs, Mark, Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { isSafeAddress } from './addresses.ts'
import { isInlineHtml } from './html.ts'
import { checkedOf, firstNumber, levelOf, orderOf, sourceOf } from './node-attributes.ts'
import { isHtmlBlock } from './parse-back.ts'
import { spellingOf } from './spelling.ts'
import { repairTable } from './table-repair.ts'

const { nodes, marks } = documentSchema

/** Nodes known to need nothing: nodes are immutable, so this never changes. */
const sound = new WeakSet<Node>()

/**
 * Tables are rectangular (as wide as the widest row, the first row headers and their alignment,
 * spans 1); task boxes stand before paragraphs; heading levels are 1…6; list numbers have nine
 * digits at most; HTML that does not read back becomes text; leaves carry no marks; links and
 * images lead to http, https, mailto or relative addresses; text holds no carriage return and no
 * NUL; how a block was written is not much longer than what it says.
 */
export function repairBlock(node: Node): Node {
  if (sound.has(node)) return node
  const repaired = withSpellingInBounds(repairedBlock(node))
  sound.add(repaired)
  return repaired
}

function repairedBlock(node: Node): Node {
  switch (node.type) {
    case nodes.html_block:
      return repairedHtmlBlock(withCleanAttributes(node))
    case nodes.table:
      return repairTable(node, repairedInline)
    case nodes.list_item:
      return repairedItem(withRepairedChildren(node))
    case nodes.blockquote:
    case nodes.bullet_list:
      return withRepairedChildren(node)
    case nodes.ordered_list:
      return withAttribute(withRepairedChildren(node), 'order', firstNumber(node), orderOf(node))
    case nodes.heading: {
      const level = Math.min(6, Math.max(1, Math.trunc(levelOf(node))))
      return withAttribute(repairedInline(node), 'level', level, levelOf(node))
    }
    default:
      return repairedInline(withCleanAttributes(node))
  }
}

/** A spelling is read to be printed, and counts in no bound of the document's text. */
function withSpellingInBounds(node: Node): Node {
  const spelling = spellingOf(node)
  if (spelling === null || spelling.length <= spellingFreeChars) return node
  const most = spellingFreeChars + spellingTimes * charsIn(node)
  return withAttribute(node, 'spelling', spelling.length > most ? null : spelling, spelling)
}

const spellingFreeChars = 512
/** A character may be written as a reference, which mostly has no more. */
const spellingTimes = 8

/** In the text, in attributes, and in the marks of all that a block without blocks holds. */
function charsIn(node: Node): number {
  let chars = (node.text ?? '').length + 8
  for (const { attrs } of [node, ...node.marks]) {
    for (const [name, value] of Object.entries(attrs)) {
      if (name !== 'spelling' && typeof value === 'string') chars += value.length
    }
  }
  const isHolder = !node.inlineContent && !isRowOrTable(node)
  return node.children.reduce((sum, child) => (isHolder ? sum : sum + charsIn(child)), chars)
}

const isRowOrTable = ({ type }: Node): boolean => type === nodes.table_row || type === nodes.table

function withRepairedChildren(node: Node): Node {
  return withChildren(node, node.children.map(repairBlock))
}

function withChildren(node: Node, children: readonly Node[]): Node {
  const same = children.length === node.childCount
  if (same && children.every((child, i) => child === node.maybeChild(i))) return node
  return node.type.create(node.attrs, children, node.marks)
}

function withAttribute(node: Node, name: string, value: unknown, before: unknown): Node {
  if (value === before) return node
  return node.type.create({ ...node.attrs, [name]: value }, node.content, node.marks)
}

function repairedItem(item: Node): Node {
  if (item.firstChild?.type === nodes.paragraph) return item
  return withAttribute(item, 'checked', null, checkedOf(item))
}

function repairedHtmlBlock(block: Node): Node {
  const source = sourceOf(block)
  if (isHtmlBlock(source)) return block
  const text = source === '' ? null : documentSchema.text(source)
  return nodes.paragraph.create({ id: block.attrs['id'] }, text)
}

/** A textblock with each of its inline nodes repaired. */
function repairedInline(textblock: Node): Node {
  if (textblock.isLeaf) return textblock
  return withChildren(
    textblock,
    textblock.children.map(repairedInlineNode).filter((n) => n !== null),
  )
}

function repairedInlineNode(node: Node): Node | null {
  if (node.isText) return repairedText(node)
  const bare = node.marks.length > 0 ? node.mark([]) : node
  const clean = withCleanAttributes(bare)
  if (clean.type === nodes.hard_break) return clean
  const linked = withSafeLink(clean)
  if (linked.type === nodes.image && !isSafeAddress(linked.attrs['src'] as string)) {
    return shownAs(linked, linked.attrs['alt'] as string)
  }
  if (linked.type === nodes.html_inline && !isInlineHtml(sourceOf(linked))) {
    return shownAs(linked, sourceOf(linked))
  }
  return linked
}

function repairedText(node: Node): Node {
  const text = cleanText(node.text ?? '')
  const kept = node.marks.filter(isAllowedMark)
  if (text === node.text && kept.length === node.marks.length) return node
  return documentSchema.text(text, kept)
}

const isAllowedMark = (mark: Mark): boolean =>
  mark.type !== marks.link || isSafeAddress(mark.attrs['href'] as string)

function withSafeLink(leaf: Node): Node {
  const href = leaf.attrs['href'] as string | null
  if (href === null || isSafeAddress(href)) return leaf
  return leaf.type.create({ ...leaf.attrs, href: null, hrefTitle: '' })
}

/** A leaf that cannot stay, as text; its link stays with it. */
function shownAs(leaf: Node, text: string): Node | null {
  if (text === '') return null
  const { href, hrefTitle } = leaf.attrs as { href: string | null; hrefTitle: string }
  const link = href === null ? [] : [marks.link.create({ href, title: hrefTitle })]
  return documentSchema.text(text, link)
}

function withCleanAttributes(node: Node): Node {
  const changed: Record<string, string> = {}
  for (const [name, value] of Object.entries(node.attrs as Attrs)) {
    if (typeof value === 'string' && value !== cleanText(value)) changed[name] = cleanText(value)
  }
  if (Object.keys(changed).length === 0) return node
  return node.type.create({ ...node.attrs, ...changed }, node.content, node.marks)
}

/** What markdown turns these characters into when it is read. */
function cleanText(text: string): string {
  if (!/[\r\0]/.test(text)) return text
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}
