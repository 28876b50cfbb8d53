/**
 * The laws every stored document obeys, in one function: its text is a fixed point, says exactly
 * the normalized document, maps back to content character by character, and knows nothing of ids or
 * authorship.
 */
import type { Mark, Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import { documentSchema, identifiedTypes } from '../../../../schema/document-schema.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { viewOf } from '../../../../schema/markdown/escape-view.ts'
import { normalize } from '../../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { PrintedBlock, Segment } from '../../../../schema/markdown/printed.ts'
import { printBlock, printDocument } from '../../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../../schema/markdown/read-markdown.ts'
import { repairBlock } from '../../../../schema/markdown/repair.ts'

export function repaired(doc: Node): Node {
  return documentSchema.nodes.doc.create(null, doc.children.map(repairBlock))
}

/** Throws if a law is broken for the document; it is repaired first, as a stored one is. */
export function checkLaws(generated: Node): void {
  const doc = repaired(generated)
  doc.check()
  for (const block of doc.children) assert.ok(repairBlock(block) === block, 'repair is idempotent')
  const md = printDocument(doc)
  const normal = normalize(doc)
  const read = parseMarkdown(md)
  read.check()
  if (md !== '') same(normalize(read), normal, md)
  assert.is(printDocument(read), md, 'the text is a fixed point')
  assert.is(printDocument(nameless(doc)), md, 'ids and authorship do not show')
  if (!isSpelled(doc)) {
    if (md !== '') same(readMarkdown(md), normal, md)
    assert.is(printDocument(normal), md, 'what is not spelled is canonical')
  }
  checkPrinted(doc, md)
}

/** Whether it says of any block how it was written. */
function isSpelled(doc: Node): boolean {
  let isSpelled = false
  doc.descendants(({ attrs }) => {
    isSpelled ||= typeof attrs['spelling'] === 'string' || typeof attrs['gap'] === 'string'
  })
  return isSpelled
}

/** The same without ids and authors. */
function nameless(node: Node): Node {
  if (node.isText)
    return node.mark(node.marks.filter((mark: Mark) => mark.type.name !== 'authored'))
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: null } : node.attrs
  return node.type.create(attrs, node.children.map(nameless), node.marks)
}

export function same(read: Node, normal: Node, md: string): void {
  if (read.eq(normal)) return
  assert.is(`${JSON.stringify(read)}`, `${JSON.stringify(normal)}`, md)
  assert.unreachable('nodes differ that look alike')
}

/** Blocks with the blank lines before them are the text, and their maps are right. */
export function checkPrinted(doc: Node, md: string): void {
  const text = DocumentText.of(doc.children)
  const { definitions } = text
  let joined = ''
  for (const [index, node] of doc.children.entries()) {
    const printed = text.printed(index)
    const { context } = text.chunks.flatMap(({ blocks }) => blocks)[index] ?? {}
    assert.ok(context && printBlock(node, context, definitions) === printed, 'it is remembered')
    if (printed.md !== '') joined += text.lead(index) + printed.md
    checkSegments(node, printed)
    checkRanges(node, printed)
  }
  assert.is(md, joined === '' ? '' : `${joined}\n`)
  assert.is(text.toString(), md)
}

/** Segments ascend, and say the content that they map. */
export function checkSegments(node: Node, printed: PrintedBlock): void {
  let md = 0
  let pos = 1
  for (const segment of printed.segments) {
    assert.ok(segment.md >= md && segment.pos >= pos, 'segments ascend')
    assert.ok(segment.mdLength > 0 && segment.length > 0, 'segments are not empty')
    md = segment.md + segment.mdLength
    pos = segment.pos + segment.length
    checkSegment(node, printed.md.slice(segment.md, md), segment)
  }
  assert.ok(md <= printed.md.length && pos <= node.nodeSize)
}

function checkSegment(block: Node, md: string, { pos, length, mdLength }: Segment): void {
  const content = block.textBetween(pos - 1, pos - 1 + length, '\ufffc', '\ufffc')
  if (mdLength === length && content !== '\ufffc') assert.is(flat(md), flat(content))
  else if (content === '\ufffc') checkLeaf(md)
  else checkUnit(md, content)
}

/** An image, HTML, a break, or HTML that shows as text. */
const checkLeaf = (md: string) => assert.match(md, /^(?:!\[|\\\n| {2,}\n|\\?<|&#)|^[a-z ]/)

/** An escape, an entity, blanks around a line end, or HTML that is no element. */
function checkUnit(md: string, content: string): void {
  const isLineEnd = /^\s+(?:[> \t]*)$/.test(md) && /^[ \n]$/.test(content)
  if (isLineEnd || md.startsWith('<')) return
  assert.is(viewOf(md).text, content)
}

const flat = (text: string) => text.replaceAll('\n', ' ')

/** One range for every identified node, in document order, each inside the one that holds it. */
function checkRanges(node: Node, printed: PrintedBlock): void {
  const expected: { type: string; id: string | null; pos: number }[] = []
  const visit = (n: Node, pos: number) => {
    if (!identifiedTypes.has(n.type.name)) return
    expected.push({ type: n.type.name, id: n.attrs['id'] as string | null, pos })
    n.forEach((child, offset) => {
      visit(child, pos + 1 + offset)
    })
  }
  visit(node, 0)
  const found = printed.blocks.map(({ type, id, pos }) => ({ type, id, pos }))
  assert.equal(found, expected)
  const open: { to: number; end: number }[] = []
  let from = 0
  for (const range of printed.blocks) {
    assert.ok(range.from >= from && range.to >= range.from, 'ranges are in order')
    from = range.from
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= range.pos) open.pop()
    assert.ok(range.to <= (open.at(-1)?.to ?? printed.md.length), 'ranges nest')
    const nested = range.pos === 0 ? node : node.nodeAt(range.pos - 1)
    const size = range.pos === 0 ? node.nodeSize : (nested?.nodeSize ?? 0)
    open.push({ to: range.to, end: range.pos + size })
  }
}
