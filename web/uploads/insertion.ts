/** Where a file goes in a document, from the place at which it was brought. Pure. */
import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model'
import { nodes } from '../editor/model/nodes.ts'

/** The content takes the place of [at, to). */
export interface Insertion {
  readonly at: number
  readonly to: number
  readonly content: Fragment
}

/**
 * In words it stands among them, and within a word at its nearer end; beside images, in headings
 * and where no words are, in a paragraph of its own at the nearest place that takes one.
 */
export function insertionAt(doc: Node, pos: number, image: Node): Insertion {
  const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)))
  const { parent } = $pos
  const isLine = parent.type === nodes.table_cell || parent.type === nodes.table_header
  if (isLine || (parent.type === nodes.paragraph && !isOfImages(parent))) {
    const at = besideWord($pos)
    return { at, to: at, content: Fragment.from(image) }
  }
  const at = besideBlock($pos)
  return { at, to: at, content: Fragment.from(nodes.paragraph.create(null, image)) }
}

function besideWord({ pos, parent, parentOffset }: ResolvedPos): number {
  const text = parent.textBetween(0, parent.content.size, '', '\ufffc')
  const word = words.segment(text).containing(parentOffset)
  if (word?.isWordLike !== true || word.index === parentOffset) return pos
  const before = parentOffset - word.index
  const after = word.segment.length - before
  return before < after ? pos - before : pos + after
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A block stands in the place of an empty paragraph, else at the nearest place that takes one. */
export function blockInsertionAt(doc: Node, pos: number, block: Node): Insertion {
  const $pos = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)))
  const content = Fragment.from(block)
  if ($pos.parent.type === nodes.paragraph && $pos.parent.content.size === 0) {
    return { at: $pos.before(), to: $pos.after(), content }
  }
  const at = besideBlock($pos)
  return { at, to: at, content }
}

/** The nearest place for a block: before a text that begins here, else behind what is around. */
function besideBlock($pos: ResolvedPos): number {
  const { depth, parent, parentOffset } = $pos
  if (takesBlock($pos, depth, $pos.index())) return $pos.pos
  const isStart = parent.inlineContent && parentOffset === 0 && parent.content.size > 0
  if (isStart && takesBlock($pos, depth - 1, $pos.index(depth - 1))) return $pos.before()
  for (let outer = depth - 1; outer >= 0; outer--) {
    if (takesBlock($pos, outer, $pos.index(outer) + 1)) return $pos.after(outer + 1)
  }
  return $pos.node(0).content.size
}

const takesBlock = ($pos: ResolvedPos, depth: number, index: number): boolean =>
  $pos.node(depth).canReplaceWith(index, index, nodes.paragraph)

const isOfImages = (paragraph: Node): boolean =>
  paragraph.childCount > 0 && paragraph.children.every(({ type }) => type === nodes.image)
