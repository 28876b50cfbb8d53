/**
 * The laws every stored document obeys, in one function: its canonical text is a fixed point, says
 * exactly the normalized document, maps back to content character by character, and knows nothing
 * of ids or authorship.
 */
import type { Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import { documentSchema, identifiedTypes } from '../../../schema/document-schema.ts'
import { contextOf, soleBlock } from '../../../schema/markdown/context.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { PrintedBlock, Segment } from '../../../schema/markdown/printed.ts'
import { printDocument, printBlock } from '../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'

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
  if (md !== '') same(read, normal, md)
  assert.is(printDocument(read), md, 'canonical text is a fixed point')
  assert.is(printDocument(normal), md, 'ids and authorship do not show')
  checkPrinted(doc, md)
}

function same(read: Node, normal: Node, md: string): void {
  if (read.eq(normal)) return
  assert.is(`${JSON.stringify(read)}`, `${JSON.stringify(normal)}`, md)
  assert.unreachable('nodes differ that look alike')
}

/** Blocks joined are the canonical text, and their maps are right. */
export function checkPrinted(doc: Node, md: string): void {
  const texts: string[] = []
  let previous: { node: Node; alternate: boolean } | undefined
  for (const node of doc.children) {
    const context = contextOf(previous, node, node === soleBlock(doc.children))
    const printed = printBlock(node, context)
    assert.ok(printBlock(node, context) === printed, 'printing is remembered')
    if (printed.md !== '') texts.push(printed.md)
    checkSegments(node, printed)
    checkRanges(node, printed)
    previous = { node, alternate: context.alternate }
  }
  const joined = texts.join('\n\n')
  assert.is(md, joined === '' ? '' : `${joined}\n`)
}

function checkSegments(node: Node, printed: PrintedBlock): void {
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
  if (mdLength === length) assert.is(flat(md), flat(content))
  else if (content === '\ufffc') assert.match(md, /^(?:!\[|\\\n|\\?<|&#)|^[a-z ]/)
  else assert.is(md, `&#${content.codePointAt(0)};`)
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
