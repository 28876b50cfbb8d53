/**
 * Which of the blocks that come are blocks that went: moved, wrapped into a list or quote, taken
 * out of one, or changed in type. Each added block is paired with a removed one of the same
 * content, or else of the same or like text, and is that block from then on; a removed block is
 * taken over at most once. The plan and the writing of an edit both ask here. Pure.
 */
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { diffStrings } from '../records/text-diff.ts'
import { contentKey, likeness } from './content.ts'
import { diffInline, inlineRow } from './inline.ts'

/** A block that goes. */
export interface RemovedBlock {
  readonly node: Node
  readonly id: string | undefined
  /** What holds it in Yjs; undefined while only planned. */
  readonly element: Y.XmlElement | undefined
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

/** `elements` gives what holds the block's children in Yjs. */
export function removedBlock(
  node: Node,
  held?: { readonly element: Y.XmlElement; elements(of: Y.XmlElement): readonly Y.XmlElement[] },
  parent?: RemovedBlock,
): RemovedBlock {
  const children: RemovedBlock[] = []
  const element = held?.element
  const id: unknown = element ? element.getAttribute('id') : node.attrs['id']
  const named = typeof id === 'string' ? id : undefined
  const block: RemovedBlock = { node, id: named, element, parent, children, taken: false }
  if (node.inlineContent || node.isLeaf) return block
  const elements = held?.elements(held.element)
  node.forEach((child, _offset, index) => {
    const own = elements?.[index]
    if (elements && own === undefined) {
      throw new TypeError(`a ${node.type.name} lacks a child in Yjs`)
    }
    children.push(removedBlock(child, held && own && { ...held, element: own }, block))
  })
  return block
}

export function addedBlock(node: Node): AddedBlock {
  if (node.inlineContent) return { node, children: [] }
  return { node, children: node.children.map(addedBlock) }
}

/** Words in common below which two texts have nothing to do with each other. */
const likenessMin = 0.4
const likenessMaxTries = 16_384

/** Gives added blocks their sources among the removed ones. */
export function pairSources(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  if (added.length === 0 || removed.length === 0) return
  const all = removed.flatMap(withDescendants)
  const byId = new Map(all.map((block) => [block.id, block]))
  const byContent = new Map<string, RemovedBlock[]>()
  for (const block of all.toReversed()) {
    const key = contentKey(block.node)
    const same = byContent.get(key)
    if (same) same.push(block)
    else byContent.set(key, [block])
  }
  for (const block of added) takeEqual(block, byId, byContent)
  takeNamed(added.flatMap(unsourcedTextblocks), byId)
  takeSameText(added.flatMap(unsourcedTextblocks), all.filter(isFreeText))
  takeAlike(added.flatMap(unsourcedTextblocks), all.filter(isFreeText))
  takeOnly(added.flatMap(unsourcedTextblocks), all.filter(isFreeText))
  for (const block of added) takeWrappers(block, byId)
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
  byId: ById,
  byContent: ReadonlyMap<string, RemovedBlock[]>,
): void {
  const named = namedBy(block, byId)
  const key = contentKey(block.node)
  const equal = byContent.get(key)
  while (equal?.at(-1)?.taken) equal.pop()
  const isNamed = named && isFree(named) && contentKey(named.node) === key
  const source = isNamed ? named : equal?.findLast(isFree)
  if (source) takeWhole(block, source)
  else for (const child of block.children) takeEqual(child, byId, byContent)
}

function takeWhole(block: AddedBlock, source: RemovedBlock): void {
  take(block, source)
  block.children.forEach((child, index) => {
    const own = source.children[index]
    if (own) takeWhole(child, own)
  })
}

/** The plan has decided already; the words may differ. */
function takeNamed(added: readonly AddedBlock[], byId: ById): void {
  for (const block of added) {
    const named = namedBy(block, byId)
    if (named && isFreeText(named)) take(block, named)
  }
}

/** The same words in a block of another type: a paragraph that becomes a heading. */
function takeSameText(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  const byText = new Map<string, RemovedBlock[]>()
  for (const block of removed.filter(({ node }) => node.textContent !== '').toReversed()) {
    const same = byText.get(block.node.textContent)
    if (same) same.push(block)
    else byText.set(block.node.textContent, [block])
  }
  for (const block of added) {
    const source = byText.get(block.node.textContent)?.pop()
    if (source) take(block, source)
  }
}

function take(block: AddedBlock, source: RemovedBlock): void {
  block.source = source
  source.taken = true
}

function namedBy({ node }: AddedBlock, byId: ById): RemovedBlock | undefined {
  const id: unknown = node.attrs['id']
  return typeof id === 'string' ? byId.get(id) : undefined
}

type ById = ReadonlyMap<string | undefined, RemovedBlock>

function takeAlike(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  let tries = 0
  for (const block of added) {
    let best: RemovedBlock | undefined
    let most = likenessMin
    for (const candidate of removed) {
      if (tries++ > likenessMaxTries) return
      if (candidate.taken) continue
      const like = likeness(candidate.node, block.node)
      const isNearer = best !== undefined && like === most && isNearerTo(block, candidate, best)
      if (like > most || isNearer) {
        best = candidate
        most = like
      }
    }
    if (best) take(block, best)
  }
}

/** Of two with as many words in common: whether the block begins and ends more like the first. */
function isNearerTo(block: AddedBlock, one: RemovedBlock, other: RemovedBlock): boolean {
  const text = block.node.textContent
  const shared = ({ node: { textContent: old } }: RemovedBlock): number =>
    old.length - (diffStrings(old, text)?.remove ?? 0)
  return shared(one) > shared(other)
}

/** An only text in place of an only one, all of whose letters stay: few, beside what was added. */
function takeOnly([block, ...more]: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  const [source] = removed
  if (!block || !source || more.length > 0 || removed.length > 1) return
  const regions = diffInline(inlineRow(source.node), inlineRow(block.node))
  if (regions.every(({ from, to }) => from === to)) take(block, source)
}

/** A wrapper is the one the plan says, or that its first taken-over child came from. */
function takeWrappers(block: AddedBlock, byId: ById): void {
  for (const child of block.children) takeWrappers(child, byId)
  if (block.source || block.node.inlineContent) return
  const named = namedBy(block, byId)
  const first = block.children.find((child) => child.source?.parent?.taken === false)
  const source = named && !named.taken && isWrapper(named) ? named : first?.source?.parent
  if (source) take(block, source)
}

const isWrapper = ({ node }: RemovedBlock): boolean => !node.inlineContent && !node.isLeaf
