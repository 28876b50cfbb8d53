/**
 * Commands on blocks as changes of blocks: delete, move, insert. A block among top-level ones is
 * inserted as text, so that a list joins the list beside it as it does in markdown; beside nested
 * blocks the tree is changed. A holder that is left empty goes with its last block.
 */

import { Fragment, type Node } from 'prosemirror-model'
import { correspondenceOf } from '../../../../schema/diff/correspondence.ts'
import { assertNever } from '../../../../schema/errors.ts'
import { type BlockRange, DocumentText } from '../../../../schema/markdown/document-text.ts'
import { frontMatterIn, frontMatterMaxChars } from '../../../../schema/markdown/front-matter.ts'
import { isList } from '../../../../schema/markdown/node-attributes.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { repairBlock } from '../../../../schema/markdown/repair.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { effectiveTight } from '../../../../schema/markdown/tightness.ts'
import { diffTexts } from '../../../text/text-diff.ts'
import { judgeContent } from './content-checks.ts'
import { withMarkersOfPlace } from './list-markers.ts'
import {
  draftOf,
  nodesIn,
  type OperationResult,
  refused,
  trimmedParts,
  unchanged,
} from './operation.ts'
import type { Command, Destination } from './position.ts'
import { readsBack } from './read-back.ts'
import { orInvalid, spliceOperation } from './splice-operation.ts'
import { endOf, startOf } from './text-positions.ts'

/** Refuses INVALID_MARKDOWN, AMBIGUOUS_STRUCTURE and what a splice refuses. */
export const commandOperation = (text: DocumentText, command: Command): OperationResult =>
  orInvalid(() => commanded(text, command))

function commanded(text: DocumentText, command: Command): OperationResult {
  switch (command.kind) {
    case 'delete':
      return treeOperation(text, [{ block: command.block, change: { remove: true } }])
    case 'move':
      return moveOperation(text, command.block, command.to)
    case 'insert':
      return insertOperation(text, command.to, command.markdown)
    default:
      return assertNever(command)
  }
}

function moveOperation(text: DocumentText, block: BlockRange, to: Destination): OperationResult {
  const beside = 'block' in to ? to.block : endBlock(text, to.side)
  const isItself = beside.index === block.index && beside.pos === block.pos
  if (isItself) return unchanged
  const node = nodeAt(text, block)
  const side = 'block' in to ? to.side : to.side === 'start' ? 'before' : 'after'
  return treeOperation(text, [
    { block, change: { remove: true } },
    { block: beside, change: { [side]: [node] } },
  ])
}

/** The outermost top-level block; the start is behind front matter. */
function endBlock(text: DocumentText, side: 'start' | 'end'): BlockRange {
  const isHeaded = text.node(0).type.name === 'front_matter' && text.blockCount > 1
  const index = side === 'end' ? text.blockCount - 1 : isHeaded ? 1 : 0
  const { type } = text.node(index)
  return { id: null, type: type.name, index, pos: 0, from: text.start(index), to: text.end(index) }
}

const nodeAt = (text: DocumentText, { index, pos }: BlockRange): Node => {
  const top = text.node(index)
  const node = pos === 0 ? top : top.nodeAt(pos - 1)
  if (!node) throw new TypeError(`no block at ${pos} of top-level block ${index}`)
  return node
}

/** What happens to one block of the tree. */
interface Change {
  readonly remove?: true
  readonly before?: readonly Node[]
  readonly after?: readonly Node[]
}

interface Task {
  readonly block: BlockRange
  readonly change: Change
}

function treeOperation(text: DocumentText, work: readonly Task[]): OperationResult {
  const indexes = [...new Set(work.map(({ block }) => block.index))].sort((a, b) => a - b)
  const changes = indexes.map((index): BlockSplice => {
    const own = work.filter(({ block }) => block.index === index)
    const nodes = rebuilt(text.node(index), 0, own).map(repairBlock)
    return { from: index, to: index + 1, nodes }
  })
  const parts = withSomething(text, trimmedParts(text, changes))
  if (parts.length === 0 || text.length === 0) return unchanged
  return operationTo(text, parts)
}

function operationTo(text: DocumentText, parts: readonly BlockSplice[]): OperationResult {
  const draft = draftOf(text, parts)
  if (!readsBack(text, draft)) return refused('AMBIGUOUS_STRUCTURE', 'does_not_read_back')
  const replaced = parts.map(({ from, to, nodes }) => ({
    from,
    old: nodesIn(text, from, to),
    next: nodes,
  }))
  const correspondence = correspondenceOf(replaced)
  return { kind: 'operation', operation: { ...draft, correspondence } }
}

/** A document without any block holds one empty paragraph, as an empty text is read. */
function withSomething(text: DocumentText, parts: readonly BlockSplice[]): readonly BlockSplice[] {
  const [part] = parts
  const isAll = part?.nodes.length === 0 && part.from === 0 && part.to === text.blockCount
  return part && isAll ? [{ ...part, nodes: parseMarkdown('').children }] : parts
}

/** What stands in the place of `node`, which stands at `pos` of its top-level block. */
function rebuilt(node: Node, pos: number, work: readonly Task[]): Node[] {
  const own = work.filter(({ block }) => block.pos === pos).map(({ change }) => change)
  const inner = work.filter(({ block }) => block.pos > pos && block.pos < pos + node.nodeSize)
  const result = own.some(({ remove }) => remove) ? [] : [node]
  if (result.length > 0 && inner.length > 0) result.splice(0, 1, ...withoutEmpty(node, pos, inner))
  return [
    ...own.flatMap(({ before = [] }) => before),
    ...result,
    ...own.flatMap(({ after = [] }) => after),
  ]
}

function withoutEmpty(node: Node, pos: number, work: readonly Task[]): Node[] {
  const children: Node[] = []
  let at = pos + 1
  for (const child of node.children) {
    const isMeant = work.some(({ block }) => block.pos >= at && block.pos < at + child.nodeSize)
    if (isMeant) children.push(...rebuilt(child, at, work))
    else children.push(child)
    at += child.nodeSize
  }
  if (children.length === 0) return []
  const isSame =
    children.length === node.childCount &&
    children.every((child, index) => child === node.child(index))
  return [isSame ? node : node.copy(Fragment.fromArray(children))]
}

function insertOperation(text: DocumentText, to: Destination, given: string): OperationResult {
  const markdown = given.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
  if (markdown === '') return unchanged
  if (!('block' in to) || to.block.pos === 0) return insertAtTop(text, to, markdown)
  if (to.block.type === 'table_row') return insertRows(text, to, markdown)
  const parsed = parseAlone(text, markdown)
  if ('kind' in parsed) return parsed
  const nodes =
    to.block.type === 'list_item' ? itemsFor(text, to.block, parsed.nodes) : parsed.nodes
  if (nodes === undefined) return refused('AMBIGUOUS_STRUCTURE', 'not_items')
  return treeOperation(text, [{ block: to.block, change: { [to.side]: nodes } }])
}

/** The blocks of a text by itself. */
function parseAlone(
  text: DocumentText,
  markdown: string,
): OperationResult | { readonly nodes: readonly Node[] } {
  const empty = DocumentText.of(parseMarkdown('').children)
  const splice = { from: 0, to: 0, insert: markdown }
  const { children: nodes } = parseMarkdown(markdown, {
    start: false,
    definitions: text.definitions,
    isEdit: true,
  })
  const fault = judgeContent({ text: empty, ...splice, blocks: { from: 0, to: 1, nodes } })
  return fault ? refused('INVALID_MARKDOWN', fault) : { nodes }
}

/** The items of lists of the same kind; undefined when there is anything else. */
function itemsFor(
  text: DocumentText,
  item: BlockRange,
  nodes: readonly Node[],
): readonly Node[] | undefined {
  const top = text.node(item.index)
  const list = top.resolve(item.pos - 1).node()
  return nodes.every(({ type }) => type === list.type)
    ? nodes.flatMap(({ children }) => children)
    : undefined
}

const prefixMaxChars = 512

/** Rows are lines of the table, behind the prefixes of what holds it. */
function insertRows(
  text: DocumentText,
  to: Extract<Destination, { readonly block: BlockRange }>,
  markdown: string,
): OperationResult {
  const { block, side } = to
  const lines = markdown.split('\n').map((line) => line.trim())
  const isRows = lines.every((line) => line.includes('|') && !/^[-:| \t]+$/.test(line))
  if (!isRows) return refused('AMBIGUOUS_STRUCTURE', 'not_rows')
  const before = text.slice(Math.max(0, block.from - prefixMaxChars), block.from)
  const prefix = before.slice(before.lastIndexOf('\n') + 1).replace(/[^>\s]/g, ' ')
  const rows = lines.join(`\n${prefix}`)
  const made = spliceOperation(text, {
    from: side === 'after' ? block.to : block.from,
    to: side === 'after' ? block.to : block.from,
    insert: side === 'after' ? `\n${prefix}${rows}` : `${rows}\n${prefix}`,
  })
  if (made.kind !== 'operation') return made
  const added =
    countRows(made.operation.parts[0]?.nodes ?? []) - countRows([text.node(block.index)])
  return added === lines.length ? made : refused('AMBIGUOUS_STRUCTURE', 'not_rows')
}

function countRows(nodes: readonly Node[]): number {
  let count = 0
  const visit = (node: Node): boolean => {
    if (node.type.name === 'table_row') count++
    return node.type.name !== 'table_row' && !node.inlineContent
  }
  for (const node of nodes) if (visit(node)) node.descendants(visit)
  return count
}

function insertAtTop(text: DocumentText, to: Destination, markdown: string): OperationResult {
  const isEmpty = text.blockCount === 0 || text.length === 0
  if (isEmpty) return spliceOperation(text, { from: 0, to: text.length, insert: markdown })
  const at = gapOf(text, to)
  const isBehind = at.side === 'after'
  const words = at.offset === 0 ? withoutHead(text, markdown) : markdown
  const gap = joinsTightly(text, at, words) ? '\n' : '\n\n'
  const insert = isBehind ? gap + words : words + gap
  const splice = { from: at.offset, to: at.offset, insert }
  const made = spliceOperation(text, withMarkersOfPlace(text, splice))
  const index = isBehind ? at.index + 1 : at.index
  if (made.kind !== 'operation' || keepsNeighbours(made.operation.parts, index)) return made
  const parsed = parseAlone(text, markdown)
  if ('kind' in parsed) return parsed
  if (joinsList(text, at, parsed.nodes)) return made
  // Beside an equal block its text does not tell which of the two is new.
  const alone = operationTo(text, [{ from: index, to: index, nodes: parsed.nodes }])
  const isSame =
    alone.kind === 'operation' && diffTexts(made.operation.text, alone.operation.text) === undefined
  return isSame ? alone : refused('AMBIGUOUS_STRUCTURE', 'joins_its_neighbour')
}

/** Whether the new blocks join a list without blank lines between its items. */
function joinsTightly(text: DocumentText, { side, index }: Gap, markdown: string): boolean {
  const beside = text.node(index)
  if (!isList(beside) || !effectiveTight(beside)) return false
  const { children } = parseMarkdown(markdown, { start: false, definitions: text.definitions })
  return children.at(side === 'after' ? 0 : -1)?.type === beside.type
}

/** A rule that would begin a document's front matter is written so that it does not. */
function withoutHead(text: DocumentText, markdown: string): string {
  const head = `${markdown}\n\n${text.slice(0, frontMatterMaxChars)}`
  const isRule = frontMatterIn(head) !== undefined && frontMatterIn(markdown) === undefined
  return isRule ? markdown.replace(/^.*/, '***') : markdown
}

interface Gap {
  readonly side: 'after' | 'before'
  readonly index: number
  readonly offset: number
}

function gapOf(text: DocumentText, to: Destination): Gap {
  if ('block' in to) {
    const { index } = to.block
    const offset = to.side === 'after' ? text.end(index) : text.start(index)
    return { side: to.side, index, offset }
  }
  const offset = to.side === 'start' ? startOf(text) : endOf(text)
  const isBehind = to.side === 'end' || offset > text.start(text.indexAt(offset))
  return { side: isBehind ? 'after' : 'before', index: text.indexAt(offset), offset }
}

const keepsNeighbours = (parts: readonly BlockSplice[], index: number): boolean =>
  parts.every(({ from, to }) => from === index && to === index)

/** A list beside a list of its kind becomes part of it. */
function joinsList(text: DocumentText, { side, index }: Gap, nodes: readonly Node[]): boolean {
  const [before, behind] = side === 'after' ? [index, index + 1] : [index - 1, index]
  const alike = (a: Node | undefined, b: number): boolean =>
    a !== undefined && isList(a) && b >= 0 && b < text.blockCount && text.node(b).type === a.type
  return alike(nodes[0], before) || alike(nodes.at(-1), behind)
}
