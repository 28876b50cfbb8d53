/**
 * From a tree that breaks the schema to the nearest one that keeps it, decided before anything is
 * written: what is out of place is wrapped, lifted, converted or said as text; only empty shells
 * go. Pure reading of Y types; the plan is made of pieces that name the types they come from.
 * Reading order is kept, but for what is lifted out of a block: that follows the block.
 */
import * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import { type Child, childrenOf, firstChild } from '../../../schema/yjs/children.ts'
import { contentOf, type Kind, kindOf } from './shape.ts'

/**
 * An element of the new tree: `source` as it is, `source` under another name, or a new one. Without
 * `children` it keeps those of its source.
 */
export interface ElementPiece {
  readonly name: string
  readonly source?: Y.XmlElement
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly children?: readonly FittedPiece[]
}

/** A text of the old tree, in place or moved. */
export interface TextPiece {
  readonly text: Y.XmlText
}

/** A leaf that has to be said as text. */
export interface SpelledLeaf {
  readonly leaf: Y.XmlElement
  readonly spelling: string
  readonly formats?: Readonly<Record<string, unknown>>
}

export type FittedPiece = ElementPiece | TextPiece | SpelledLeaf

interface Arranged {
  readonly inside: readonly FittedPiece[]
  /** What has to leave the element; it follows it in the parent. */
  readonly lifted: readonly FittedPiece[]
}

const isElement = (piece: FittedPiece): piece is ElementPiece => 'name' in piece
const kind = (piece: FittedPiece): Kind => (isElement(piece) ? kindOf(piece.name) : 'inline')
const isEmptyText = (piece: FittedPiece): boolean => 'text' in piece && piece.text.length === 0
const made = (name: string, children: readonly FittedPiece[]): ElementPiece => ({ name, children })

/** The pieces below a piece. */
export function contentsOf({ source, children }: ElementPiece): readonly FittedPiece[] {
  if (children !== undefined || source === undefined) return children ?? []
  return childrenOf(source).map(asItStands)
}

const asItStands = (child: Child): FittedPiece =>
  child instanceof Y.XmlText ? { text: child } : { name: child.nodeName, source: child }

/**
 * The top-level pieces for neighbouring children of the root; `wrong` types hold something wrong.
 */
export function fitBlocks(
  children: readonly Child[],
  { root, wrong }: { readonly root: Y.XmlFragment; readonly wrong: ReadonlySet<Child> },
): ElementPiece[] {
  const pieces = children.flatMap((child) => fit(child, wrong))
  const front = pieces.slice(0, 1).filter(isElement)
  const atStart = children[0] === firstChild(root) && front.some((piece) => kind(piece) === 'front')
  const blocks = atStart ? [...front, ...arrangeBlocks(pieces.slice(1))] : arrangeBlocks(pieces)
  return blocks.map((block) => bounded(block, { depth: 1, parent: root }))
}

/** The element made valid, with what had to leave it behind it; without it if nothing is left. */
function fit(child: Child, wrong: ReadonlySet<Child>): readonly FittedPiece[] {
  if (child instanceof Y.XmlText || !wrong.has(child)) return [asItStands(child)]
  const pieces = childrenOf(child).flatMap((each) => fit(each, wrong))
  const { inside, lifted } = arrange(child.nodeName, pieces)
  const content = contentOf(child.nodeName)
  const hollow = content === 'items' || content === 'rows' || content === 'cells'
  if (hollow && inside.length === 0) return lifted
  return [{ name: child.nodeName, source: child, children: inside }, ...lifted]
}

function arrange(name: string, pieces: readonly FittedPiece[]): Arranged {
  switch (contentOf(name)) {
    case 'blocks': {
      const blocks = arrangeBlocks(pieces)
      return { inside: blocks.length > 0 ? blocks : [made('paragraph', [])], lifted: [] }
    }
    case 'items':
      return { inside: arrangeItems(pieces), lifted: [] }
    case 'rows':
      return arrangeRows(pieces)
    case 'cells':
      return arrangeCells(pieces)
    case 'inline':
      return only('inline', kindOf(name) === 'cell' ? joined(pieces) : pieces)
    case 'text':
      return only('inline', pieces.map(spelled))
    case 'nothing':
      return { inside: [], lifted: pieces.filter((piece) => !isEmptyText(piece)) }
  }
}

function only(wanted: Kind, pieces: readonly FittedPiece[]): Arranged {
  return {
    inside: pieces.filter((piece) => kind(piece) === wanted),
    lifted: pieces.filter((piece) => kind(piece) !== wanted),
  }
}

function arrangeBlocks(pieces: readonly FittedPiece[]): ElementPiece[] {
  return groups(pieces).flatMap((group) => blocksOf(group.kind, group.pieces))
}

/** Pieces of one kind as blocks. */
function blocksOf(kind: Kind, pieces: readonly FittedPiece[]): ElementPiece[] {
  switch (kind) {
    case 'block':
      return pieces.filter(isElement)
    case 'front':
      return pieces.filter(isElement).map(asCodeBlock)
    case 'inline':
      return [made('paragraph', pieces)]
    case 'item':
      return [made('bullet_list', pieces)]
    case 'row':
      return [made('table', pieces)]
    case 'cell':
      return [made('table', [made('table_row', pieces)])]
  }
}

const asCodeBlock = (front: ElementPiece): ElementPiece => ({
  ...front,
  children: contentsOf(front),
  name: 'code_block',
  attributes: { params: 'yaml' },
})

/** A list right in a list gives its items; so no nesting grows. */
function arrangeItems(pieces: readonly FittedPiece[]): readonly FittedPiece[] {
  const flat = pieces.flatMap((piece) =>
    isElement(piece) && contentOf(piece.name) === 'items' ? contentsOf(piece) : [piece],
  )
  const items: FittedPiece[] = []
  let loose: FittedPiece[] = []
  const flush = () => {
    const blocks = arrangeBlocks(loose)
    if (blocks.length > 0) items.push(made('list_item', blocks))
    loose = []
  }
  for (const piece of flat) {
    if (kind(piece) !== 'item') loose.push(piece)
    else {
      flush()
      items.push(piece)
    }
  }
  flush()
  return items
}

function arrangeRows(pieces: readonly FittedPiece[]): Arranged {
  const inside: FittedPiece[] = []
  const lifted: FittedPiece[] = []
  for (const group of groups(pieces)) {
    if (group.kind === 'row') inside.push(...group.pieces)
    else if (group.kind === 'cell') inside.push(made('table_row', group.pieces))
    else if (group.kind === 'inline') {
      inside.push(made('table_row', [made('table_cell', group.pieces)]))
    } else lifted.push(...group.pieces)
  }
  return { inside, lifted }
}

function arrangeCells(pieces: readonly FittedPiece[]): Arranged {
  const inside: FittedPiece[] = []
  const lifted: FittedPiece[] = []
  for (const group of groups(pieces)) {
    if (group.kind === 'cell') inside.push(...group.pieces)
    else if (group.kind === 'inline') inside.push(made('table_cell', group.pieces))
    else {
      for (const piece of group.pieces) {
        if (!isProse(piece)) lifted.push(piece)
        else inside.push({ ...piece, name: 'table_cell', children: contentsOf(piece) })
      }
    }
  }
  return { inside, lifted }
}

const isProse = (piece: FittedPiece): piece is ElementPiece =>
  isElement(piece) && kind(piece) === 'block' && contentOf(piece.name) === 'inline'

/** The content of a cell: paragraphs in it become lines of it. */
function joined(pieces: readonly FittedPiece[]): readonly FittedPiece[] {
  const line: FittedPiece[] = []
  for (const piece of pieces) {
    if (!isProse(piece)) line.push(piece)
    else {
      if (line.some((each) => kind(each) === 'inline' && !isEmptyText(each))) {
        line.push(made('hard_break', []))
      }
      line.push(...contentsOf(piece))
    }
  }
  return line
}

/** An inline leaf as characters, for where nothing else may stand. */
function spelled(piece: FittedPiece): FittedPiece {
  if (!isElement(piece) || piece.source === undefined || kind(piece) !== 'inline') return piece
  const leaf = piece.source
  const attribute = (name: string) => String(leaf.getAttribute(name) ?? '')
  switch (piece.name) {
    case 'image':
      return { leaf, spelling: `![${attribute('alt')}](${attribute('src')})` }
    case 'html_inline':
      return { leaf, spelling: attribute('source') }
    default:
      return { leaf, spelling: '\n' }
  }
}

interface Group {
  readonly kind: Kind
  readonly pieces: FittedPiece[]
}

/** Neighbours of one kind together; texts without a character are left out. */
function groups(pieces: readonly FittedPiece[]): Group[] {
  const found: Group[] = []
  for (const piece of pieces) {
    if (isEmptyText(piece)) continue
    const last = found.at(-1)
    if (last?.kind === kind(piece)) last.pieces.push(piece)
    else found.push({ kind: kind(piece), pieces: [piece] })
  }
  return found
}

/**
 * Wrapping may have made the tree deeper than can be read back: there, only textblocks are left.
 * What stays with its parent is as deep as it was.
 */
function bounded(
  piece: ElementPiece,
  { depth, parent }: { readonly depth: number; readonly parent: Y.XmlFragment | undefined },
): ElementPiece {
  const { source, name } = piece
  const stays = source !== undefined && source.parent === parent && source.nodeName === name
  if (stays && piece.children === undefined) return piece
  const flatten = contentOf(name) === 'blocks' && depth + 3 > limits.nodeMaxDepth
  const children = contentsOf(piece).flatMap((child): readonly FittedPiece[] => {
    if (!isElement(child)) return [child]
    if (flatten) return textblocks(child)
    return [bounded(child, { depth: depth + 1, parent: stays ? source : undefined })]
  })
  return { ...piece, children }
}

function textblocks(piece: ElementPiece): readonly ElementPiece[] {
  if (kind(piece) === 'cell') return [made('paragraph', contentsOf(piece))]
  const content = contentOf(piece.name)
  const whole = content === 'inline' || content === 'text' || content === 'nothing'
  return whole ? [piece] : contentsOf(piece).filter(isElement).flatMap(textblocks)
}
