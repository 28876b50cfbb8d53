/**
 * Slices of the document as canonical markdown and back. Loaded after the page is there: parser
 * and printer are large, and nothing is copied or pasted at once.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { frontMatterIn } from '../../../schema/markdown/front-matter.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { withStars } from './escaped-stars.ts'

const { nodes } = documentSchema

/** A selection's content as canonical markdown; a part of one block is its inline text alone. */
export function sliceMarkdown(slice: Slice): string {
  let { content, openStart, openEnd } = slice
  // A selection within one block is that block's content, not another such block.
  while (openStart > 0 && openEnd > 0 && content.childCount === 1) {
    const only = content.firstChild
    if (only === null || only.isTextblock) break
    content = only.content
    openStart -= 1
    openEnd -= 1
  }
  const only = content.childCount === 1 ? content.firstChild : null
  if (only?.isTextblock && openStart > 0 && openEnd > 0) {
    if (only.type.spec.code === true) return only.textContent
    return printed([nodes.paragraph.create(null, only.content)])
  }
  return printed(asBlocks(content))
}

const printed = (blocks: readonly Node[]): string =>
  printDocument(nodes.doc.create(null, blocks.map(repairBlock))).replace(/\n$/, '')

/** Siblings that may not stand in a document, wrapped so that they may. */
function asBlocks(content: Fragment): Node[] {
  const first = content.firstChild
  if (first === null) return []
  if (first.isInline) return [nodes.paragraph.create(null, content)]
  if (first.type === nodes.list_item) return [nodes.bullet_list.create(null, content)]
  if (first.type === nodes.table_row) return [nodes.table.create(null, content)]
  if (first.type === nodes.table_cell || first.type === nodes.table_header) {
    return [nodes.table.create(null, nodes.table_row.create(null, content))]
  }
  return [...content.content]
}

/** All that files say, one behind the other; `isWhole`: it is to be all of a document. */
export function filesSlice(texts: readonly string[], isWhole: boolean): Slice {
  const parts = texts.map((text, at) => parsed(text, isWhole && at === 0).content)
  return new Slice(
    parts.reduce((all, part) => all.append(part), Fragment.empty),
    0,
    0,
  )
}

/** Front matter is read as such also where it becomes a block among others. */
const parsed = (text: string, isWhole: boolean): Node =>
  parseMarkdown(text, { start: isWhole || frontMatterIn(text) !== undefined })

/** What a markdown text says, ready to be put in; a single paragraph joins the one it lands in. */
export function markdownSlice(text: string): Slice {
  const isLine = !text.trim().includes('\n')
  const doc = parsed(isLine ? withStars(text) : text, false)
  const isOneLine = doc.childCount === 1 && doc.firstChild?.type === nodes.paragraph
  if (isOneLine) return new Slice(doc.content, 1, 1)
  return new Slice(doc.content, 0, 0)
}
