/**
 * The one door to another kind of block, for menus and keys alike. Each selected text block takes
 * the kind. Text and headings stand in no list, and text in no quote; in lists what is an item
 * stays as deep as it is, and what is none becomes one; a quote goes around all of it; code is one
 * block where it was several, a line each, and is a block a line again. Tables, rules and HTML stay
 * what they are, and nobody's id, words or authors are lost.
 */
import type { Node } from 'prosemirror-model'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { rewrite } from '../binding/rewrite.ts'
import { exchange, manyChanges } from '../model/exchange.ts'
import { newId } from '../model/new-id.ts'
import { isList, type ListKind, nodes, withChildren } from '../model/nodes.ts'
import { codeBlock, heading, paragraph, type TextblockType } from './block-types.ts'
import { withinDepth } from './depth.ts'
import { type Lifting, lifted, nodesOf } from './lifting-blocks.ts'
import { listed } from './listing.ts'
import { quoted, unquoted } from './quotes.ts'
import { ReplacedBlocks } from './replaced-blocks.ts'
import {
  type BlockKindName,
  isTextBlock,
  type SelectedBlock,
  selectedBlocks,
  touches,
} from './selected-blocks.ts'

/** What is selected of a document, and what becomes of its text blocks. */
interface Selected {
  readonly doc: Node
  readonly blocks: readonly SelectedBlock[]
  readonly touches: (node: Node, pos: number) => boolean
  readonly successors: ReplacedBlocks
}

/** Makes the selected blocks of this kind; false, and nothing done, where all are already. */
export const convert = (kind: BlockKindName): Command => conversion((of) => converted(of, kind))

/** The same, but a list, quote or code in which all the selected blocks are is taken away. */
export const toggle = (kind: BlockKindName): Command =>
  conversion((of) => takenAway(of, kind) ?? converted(of, kind))

function conversion(change: (of: Selected) => Node): Command {
  return withinDepth((state, dispatch) => {
    const blocks = selectedBlocks(state)
    if (blocks.length === 0) return false
    const { doc, selection } = state
    const successors = new ReplacedBlocks()
    const isTouched = (node: Node, pos: number) => touches(selection, node, pos)
    const target = change({ doc, blocks, touches: isTouched, successors })
    if (target === doc) return false
    if (dispatch === undefined) return true
    const tr = changedTo(state, target, blocks.length)
    successors.select(tr, state.selection, target)
    dispatch(tr.scrollIntoView())
    return true
  })
}

function changedTo({ tr }: EditorState, target: Node, count: number): Transaction {
  if (count < manyChanges) rewrite(tr, target)
  else exchange(tr, named(target))
  return tr
}

/** With an id for each block that has none: given one by one later they would be steps again. */
function named(node: Node): Node {
  if (node.isTextblock ? node.attrs['id'] !== null : node.isLeaf) return node
  const whole = node.isTextblock ? node : withChildren(node, node.children.map(named))
  if (!identifiedTypes.has(whole.type.name) || whole.attrs['id'] !== null) return whole
  return whole.type.create({ ...whole.attrs, id: newId() }, whole.content)
}

function converted(of: Selected, kind: BlockKindName): Node {
  switch (kind) {
    case 'text':
      return out(of, { lists: true, quotes: true }, paragraph)
    case 'bullet':
    case 'ordered':
    case 'task':
      return asList(of, kind)
    case 'quote':
      return of.blocks.every(({ isQuoted }) => isQuoted) ? of.doc : asQuote(of)
    case 'code':
      return of.blocks.every(isCode) ? of.doc : asCode(of)
    default:
      return out(of, { lists: true, quotes: false }, heading(Number(kind.slice(-1))))
  }
}

/** The document without what all the selected blocks are of; undefined where they are not. */
function takenAway(of: Selected, kind: BlockKindName): Node | undefined {
  const { doc, blocks } = of
  if (kind === 'quote')
    return blocks.every(({ isQuoted }) => isQuoted) ? withoutQuote(of) : undefined
  if (kind === 'code') {
    return blocks.every(isCode) ? out(of, { lists: false, quotes: false }, paragraph) : undefined
  }
  if (!blocks.every(({ within }) => within === kind)) return undefined
  const leaving = {
    touches: of.touches,
    turn: (block: Node) => [block],
    lists: true,
    quotes: false,
  }
  return withChildren(doc, nodesOf(lifted(doc, 0, leaving)))
}

const isCode = ({ node }: SelectedBlock): boolean =>
  node.type === nodes.code_block || !isTextBlock(node)

const turning =
  ({ successors }: Selected, wanted: TextblockType) =>
  (block: Node) =>
    isTextBlock(block) ? successors.turn(block, wanted) : [block]

function out(of: Selected, left: Pick<Lifting, 'lists' | 'quotes'>, wanted: TextblockType): Node {
  const leaving = { ...left, touches: of.touches, turn: turning(of, wanted) }
  return withChildren(of.doc, nodesOf(lifted(of.doc, 0, leaving)))
}

const asList = (of: Selected, kind: ListKind): Node =>
  listed(of.doc, 0, { kind, touches: of.touches, turn: turning(of, paragraph) })

const asQuote = (of: Selected): Node =>
  withContainer(of, (container, start) => quoted(container, start, of.touches))

/** Out of everything that does not hold all of them; blocks that then follow each other are one. */
function asCode(of: Selected): Node {
  const leaving = {
    touches: of.touches,
    turn: turning(of, codeBlock()),
    lists: true,
    quotes: true,
  }
  return withContainer(of, (container, start) => {
    const row: Node[] = []
    let code: Node[] = []
    const close = () => {
      if (code.length > 0) row.push(of.successors.join(code))
      code = []
    }
    for (const { node, isFree } of lifted(container, start, leaving)) {
      if (isFree && node.type === nodes.code_block) code.push(node)
      else {
        close()
        row.push(node)
      }
    }
    close()
    return withChildren(container, row)
  })
}

/** Out of the quote that holds them all, or else of each that holds some. */
function withoutQuote(of: Selected): Node {
  const isQuote = ({ type }: Node) => type === nodes.blockquote
  const around = (container: Node, start: number) =>
    withChildren(container, unquoted(container, start, of.touches))
  return withContainer(of, around, isQuote)
}

/**
 * The document with another node for the innermost that holds all selected blocks and is no list;
 * or, where it is in such a node as `outside` says, for what is around that.
 */
function withContainer(
  { doc, blocks }: Selected,
  change: (container: Node, start: number) => Node,
  outside: (node: Node) => boolean = () => false,
): Node {
  const [first, last] = [blocks[0]?.pos ?? 0, blocks.at(-1)?.pos ?? 0]
  const $first = doc.resolve(first)
  let depth = $first.sharedDepth(last)
  for (let at = depth; at > 0; at--) {
    if (!outside($first.node(at))) continue
    depth = at - 1
    break
  }
  // A box stands before a paragraph alone: a task that begins with one of them is left, too.
  const isBoxed = (at: number) =>
    ($first.node(at).attrs['checked'] ?? null) !== null && $first.index(at) === 0
  while (isList($first.node(depth)) || isBoxed(depth)) depth--
  let node = change($first.node(depth), $first.start(depth))
  for (let at = depth - 1; at >= 0; at--) {
    const parent = $first.node(at)
    node = parent.copy(parent.content.replaceChild($first.index(at), node))
  }
  return node
}
