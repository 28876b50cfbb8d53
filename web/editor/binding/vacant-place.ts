/**
 * Where a block stood that somebody else deleted while one was in it: a caret between blocks. It is
 * drawn and not written; only what is typed there makes a paragraph.
 */
import { Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model'
import { Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { Mappable } from 'prosemirror-transform'
import { documentSchema } from '../../../schema/document-schema.ts'

const { nodes } = documentSchema

export class VacantPlace extends Selection {
  constructor($place: ResolvedPos) {
    super($place, $place)
    this.visible = false
  }

  /** Whether text could be written there. */
  static isAt($place: ResolvedPos): boolean {
    return wrappersAt($place) !== undefined
  }

  override map(doc: Node, mapping: Mappable): Selection {
    return selectionAt(doc, mapping.map(this.head, -1))
  }

  override content(): Slice {
    return Slice.empty
  }

  override eq(other: Selection): boolean {
    return other instanceof VacantPlace && other.head === this.head
  }

  override toJSON() {
    return { type: 'vacant', pos: this.head }
  }

  static override fromJSON(doc: Node, { pos }: { readonly pos: number }): VacantPlace {
    return new VacantPlace(doc.resolve(pos))
  }

  override getBookmark() {
    return bookmarkAt(this.head)
  }
}

Selection.jsonID('vacant', VacantPlace)

const bookmarkAt = (pos: number) => ({
  map: (mapping: Mappable) => bookmarkAt(mapping.map(pos, -1)),
  resolve: (doc: Node) => selectionAt(doc, pos),
})

function selectionAt(doc: Node, pos: number): Selection {
  const $place = doc.resolve(pos)
  return VacantPlace.isAt($place) ? new VacantPlace($place) : Selection.near($place)
}

/** What a paragraph must stand in to stand there, outermost first. */
function wrappersAt($place: ResolvedPos) {
  const { parent } = $place
  if (parent.inlineContent || parent.type.spec['tableRole'] !== undefined) return undefined
  const wrappers = parent.contentMatchAt($place.index()).findWrapping(nodes.paragraph)
  return wrappers ?? undefined
}

/** Makes a paragraph there, with the caret behind `text`; of another selection nothing. */
export function fillPlace(tr: Transaction, text = ''): Transaction {
  const { selection } = tr
  const wrappers = selection instanceof VacantPlace ? wrappersAt(selection.$head) : undefined
  if (wrappers === undefined) return tr
  const paragraph = nodes.paragraph.create(null, text === '' ? null : documentSchema.text(text))
  const block = wrappers.reduceRight((inner, type) => type.create(null, inner), paragraph)
  tr.insert(selection.head, block)
  const caret = selection.head + wrappers.length + 1 + text.length
  return tr.setSelection(TextSelection.create(tr.doc, caret)).scrollIntoView()
}

/** A block that went from under the caret. */
export interface Vacated {
  /** As it was last seen: alone in the blocks that went with it. */
  readonly block: Node
  /** Where it stood. */
  readonly pos: number
  /** Of the caret, from there on, as if the block still stood. */
  readonly caret: number
}

const vacatedKey = 'vacated'

export const vacatedBy = (tr: Transaction): Vacated | undefined => tr.getMeta(vacatedKey)

/**
 * After others' changes: a caret whose block went with them stays where that stood, and goes after
 * it where it stands now elsewhere. Whether one of these was so.
 */
export function keepPlace(tr: Transaction, { $head, $anchor }: Selection): boolean {
  if (!tr.docChanged || !$head.parent.inlineContent || !$head.sameParent($anchor)) return false
  const depth = depthOfGone(tr, $head)
  if (depth === undefined) return false
  const moved = standing(tr.doc, $head.parent)
  if (moved !== undefined) {
    const { pos, node } = moved
    const caret = pos + 1 + Math.min($head.parentOffset, node.content.size)
    tr.setSelection(TextSelection.create(tr.doc, caret))
    return true
  }
  const $place = tr.doc.resolve(tr.mapping.map($head.before(depth), -1))
  if (!VacantPlace.isAt($place) || isBlank(tr.doc)) return false
  const block = aloneIn($head, depth)
  const caret = $head.depth - depth + 1 + $head.parentOffset
  const vacated: Vacated = { block, pos: $place.pos, caret }
  tr.setSelection(new VacantPlace($place)).setMeta(vacatedKey, vacated)
  return true
}

/** Of the outermost of the blocks around the caret that went. */
function depthOfGone({ mapping }: Transaction, $head: ResolvedPos): number | undefined {
  for (let depth = 1; depth <= $head.depth; depth++) {
    if (mapping.mapResult($head.start(depth)).deletedAcross) return depth
  }
  return undefined
}

/** The text block of this one's id. */
function standing(doc: Node, { attrs }: Node) {
  const id = attrs['id']
  let found: { readonly node: Node; readonly pos: number } | undefined
  if (typeof id !== 'string') return undefined
  doc.descendants((node, pos) => {
    if (node.inlineContent && node.attrs['id'] === id) found = { node, pos }
    return found === undefined && !node.inlineContent
  })
  return found
}

/** All that there is is an empty paragraph, written or not: that is place enough. */
const isBlank = ({ childCount, firstChild }: Node): boolean =>
  childCount === 1 && firstChild?.type === nodes.paragraph && firstChild.content.size === 0

/** The block of the caret in what was around it, without what was beside it. */
function aloneIn($head: ResolvedPos, depth: number): Node {
  let block = $head.parent
  for (let at = $head.depth - 1; at >= depth; at--) {
    block = $head.node(at).copy(Fragment.from(block))
  }
  return block
}
