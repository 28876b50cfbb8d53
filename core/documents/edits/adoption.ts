/**
 * Blocks that Yjs makes us write again although their text stays: moved, wrapped into a list or
 * quote, taken out of one, or changed in type. Each added block is paired with a removed one of the
 * same content, or else of like text; it takes over the id, the authors of the kept characters and
 * their credit. A removed block is taken over at most once. Reads Yjs, writes nothing.
 */
import { Fragment, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { type ActorId, unattributed } from '../../../schema/ids.ts'
import { childrenOf } from '../tree/children.ts'
import { contentKey, likeness } from './content.ts'
import { diffInline, type InlineRow, inlineRow, keptBetween } from './inline.ts'
import {
  type InlineChild,
  inlineChildren,
  type StructRange,
  structOfType,
  structsOfUnits,
} from './y-text.ts'

/** A block that goes, with the Yjs element that holds it. */
export interface RemovedBlock {
  readonly node: Node
  readonly element: Y.XmlElement
  readonly parent: RemovedBlock | undefined
  readonly children: readonly RemovedBlock[]
  taken: boolean
}

/** A block that comes, and whose place it takes, if any. */
export interface AddedBlock {
  readonly node: Node
  readonly children: readonly AddedBlock[]
  source?: RemovedBlock
}

export function removedBlock(
  node: Node,
  element: Y.XmlElement,
  parent?: RemovedBlock,
): RemovedBlock {
  const children: RemovedBlock[] = []
  const block: RemovedBlock = { node, element, parent, children, taken: false }
  if (node.inlineContent || node.isLeaf) return block
  const elements = blockChildren(element)
  node.forEach((child, _offset, index) => {
    const own = elements[index]
    if (own === undefined) throw new TypeError(`a ${node.type.name} lacks a child in Yjs`)
    children.push(removedBlock(child, own, block))
  })
  return block
}

export function addedBlock(node: Node): AddedBlock {
  if (node.inlineContent) return { node, children: [] }
  return { node, children: node.children.map(addedBlock) }
}

/** The element children of a container in Yjs, in order. */
export function blockChildren(element: Y.XmlElement): Y.XmlElement[] {
  return childrenOf(element).filter((child) => child instanceof Y.XmlElement)
}

/** Words in common below which two texts have nothing to do with each other. */
const likenessMin = 0.4
const likenessMaxTries = 16_384

/** Gives added blocks their sources among the removed ones. */
export function pairSources(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  if (added.length === 0 || removed.length === 0) return
  const all = removed.flatMap(withDescendants)
  const byId = new Map(all.map((block) => [block.element.getAttribute('id'), block]))
  const byContent = new Map<string, RemovedBlock[]>()
  for (const block of all.toReversed()) {
    const key = contentKey(block.node)
    const same = byContent.get(key)
    if (same) same.push(block)
    else byContent.set(key, [block])
  }
  for (const block of added) takeEqual(block, byId, byContent)
  takeAlike(added.flatMap(unsourcedTextblocks), all.filter(isFreeText))
  for (const block of added) takeWrappers(block)
}

function withDescendants(block: RemovedBlock): RemovedBlock[] {
  return [block, ...block.children.flatMap(withDescendants)]
}

const isFree = (block: RemovedBlock): boolean => !block.taken && block.children.every(isFree)
const hasText = (node: Node): boolean => node.inlineContent && node.content.size > 0
const isFreeText = (block: RemovedBlock): boolean => !block.taken && hasText(block.node)

function unsourcedTextblocks(block: AddedBlock): AddedBlock[] {
  if (block.node.inlineContent) return block.source || !hasText(block.node) ? [] : [block]
  return block.children.flatMap(unsourcedTextblocks)
}

function takeEqual(
  block: AddedBlock,
  byId: ReadonlyMap<string | undefined, RemovedBlock>,
  byContent: ReadonlyMap<string, RemovedBlock[]>,
): void {
  const id: unknown = block.node.attrs['id']
  const named = typeof id === 'string' ? byId.get(id) : undefined
  const key = contentKey(block.node)
  const equal = byContent.get(key)
  while (equal?.at(-1)?.taken) equal.pop()
  const isNamed = named && isFree(named) && contentKey(named.node) === key
  const source = isNamed ? named : equal?.findLast(isFree)
  if (source) takeWhole(block, source)
  else for (const child of block.children) takeEqual(child, byId, byContent)
}

function takeWhole(block: AddedBlock, source: RemovedBlock): void {
  block.source = source
  source.taken = true
  block.children.forEach((child, index) => {
    const own = source.children[index]
    if (own) takeWhole(child, own)
  })
}

function takeAlike(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  let tries = 0
  for (const block of added) {
    let best: RemovedBlock | undefined
    let most = likenessMin
    for (const candidate of removed) {
      if (tries++ > likenessMaxTries) return
      if (candidate.taken) continue
      const like = likeness(candidate.node, block.node)
      if (like > most) {
        best = candidate
        most = like
      }
    }
    if (!best) continue
    block.source = best
    best.taken = true
  }
}

/** A wrapper is the one its first taken-over child came from. */
function takeWrappers(block: AddedBlock): void {
  for (const child of block.children) takeWrappers(child)
  if (block.source || block.node.inlineContent) return
  const first = block.children.find((child) => child.source?.parent?.taken === false)
  const source = first?.source?.parent
  if (!source) return
  block.source = source
  source.taken = true
}

/** An added block as it is to be written, and whose structs its structs stand for. */
export interface Growth {
  readonly node: Node
  readonly children: readonly Growth[]
  readonly wrapper: readonly StructRange[]
  readonly kept: readonly KeptStructs[]
}

interface KeptStructs {
  readonly from: number
  readonly to: number
  readonly structs: readonly StructRange[]
}

/**
 * The node with its source's id and the authors of kept text as marks; the rest has no author yet.
 */
export function grow(block: AddedBlock): Growth {
  const { node, source } = block
  const children = block.children.map(grow)
  const wrapper = source ? structOfType(source.element) : []
  if (!node.inlineContent) {
    const content = Fragment.fromArray(children.map((child) => child.node))
    return { node: withIdOf(source, node, content), children, wrapper, kept: [] }
  }
  const next = inlineRow(node)
  if (!source) {
    const content = withAuthors(node, next, [])
    return { node: withIdOf(source, node, content), children, wrapper, kept: [] }
  }
  if (!source.node.inlineContent) throw new TypeError('text is taken over from text')
  const own = inlineChildren(source.element)
  const old = inlineRow(source.node)
  const kept = keptBetween(old, diffInline(old, next))
  const authors = authorsOf(own)
  const authored = kept.flatMap(({ from, to, nextFrom }) =>
    within(authors, from, to).map((run) => shift(run, nextFrom - from)),
  )
  return {
    node: withIdOf(source, node, withAuthors(node, next, authored)),
    children,
    wrapper,
    kept: kept.map(({ from, to, nextFrom }) => ({
      from: nextFrom,
      to: nextFrom + to - from,
      structs: structsOfUnits(own, from, to),
    })),
  }
}

/**
 * Ids come from sources only: a planned node may still carry that of a block that stays elsewhere.
 */
function withIdOf(source: RemovedBlock | undefined, node: Node, content: Fragment): Node {
  if (!identifiedTypes.has(node.type.name)) return node.copy(content)
  const id = source?.element.getAttribute('id') ?? null
  return node.type.create({ ...node.attrs, id }, content)
}

interface AuthorUnits {
  readonly from: number
  readonly to: number
  readonly by: ActorId
}

function authorsOf(children: readonly InlineChild[]): AuthorUnits[] {
  const runs: AuthorUnits[] = []
  for (const child of children) {
    if (!(child.type instanceof Y.XmlText)) continue
    let at = child.from
    for (const { insert, attributes } of child.type.toDelta()) {
      const by: ActorId = attributes?.authored?.by ?? unattributed
      runs.push({ from: at, to: at + insert.length, by })
      at += insert.length
    }
  }
  return runs
}

function within(runs: readonly AuthorUnits[], from: number, to: number): AuthorUnits[] {
  return runs
    .filter((run) => run.to > from && run.from < to)
    .map((run) => ({ ...run, from: Math.max(from, run.from), to: Math.min(to, run.to) }))
}

const shift = (run: AuthorUnits, by: number): AuthorUnits => ({
  ...run,
  from: run.from + by,
  to: run.to + by,
})

function withAuthors(node: Node, row: InlineRow, authors: readonly AuthorUnits[]): Fragment {
  const schema = node.type.schema
  const authoredType = schema.marks['authored']
  if (authoredType === undefined) throw new TypeError('the schema has no mark for authors')
  const content: Node[] = []
  let i = 0
  for (const run of row.runs) {
    if (run.leaf) {
      content.push(run.leaf)
      continue
    }
    for (let at = run.from; at < run.to; ) {
      while ((authors[i]?.to ?? Number.POSITIVE_INFINITY) <= at) i++
      const author = authors[i]
      const covered = author !== undefined && author.from <= at
      const to = Math.min(run.to, (covered ? author.to : author?.from) ?? run.to)
      const text = row.chars.slice(at, to)
      const marks = covered ? authoredType.create({ by: author.by }).addToSet(run.marks) : run.marks
      content.push(schema.text(text, marks))
      at = to
    }
  }
  return Fragment.fromArray(content)
}
