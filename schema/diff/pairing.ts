/**
 * Which of the blocks that come are blocks that went: moved, wrapped into a list or quote, taken
 * out of one, or changed in type. Each added block is paired with a removed one of the same
 * content, or else of the same or like text, and is that block from then on; a removed block is
 * taken over at most once.
 */
import type { Node } from 'prosemirror-model'
import { type AddedBlock, type RemovedBlock, take } from './blocks.ts'
import { contentKey, likeness } from './content.ts'
import { textEnds } from './ends.ts'
import { diffInline } from './inline.ts'
import { inlineRow } from './inline-row.ts'

/** Words in common below which two texts have nothing to do with each other. */
const likenessMin = 0.4
const likenessMaxTries = 16_384

/** Gives added blocks their sources among the removed ones; ends with how many have one. */
export function pairSources({
  added,
  removed,
}: {
  readonly added: readonly AddedBlock[]
  readonly removed: readonly RemovedBlock[]
}): number {
  if (added.length === 0 || removed.length === 0) return 0
  const all: RemovedBlock[] = []
  for (const block of removed) gather(block, () => true, all)
  const byId = new Map(all.map((block) => [block.node.attrs['id'], block]))
  const byContent = new Map<string, RemovedBlock[]>()
  for (const block of all.toReversed()) {
    const key = contentKey(block.node)
    const same = byContent.get(key)
    if (same) same.push(block)
    else byContent.set(key, [block])
  }
  for (const block of added) takeEqual(block, byId, byContent)
  takeNamed(unsourced(added), byId)
  takeSameText(unsourced(added), all.filter(isFreeText))
  takeAlike(unsourced(added), all.filter(isFreeText))
  takeOnly(unsourced(added), all.filter(isFreeText))
  for (const block of added) takeWrappers(block, byId)
  return all.filter(({ isTaken }) => isTaken).length
}

interface Tree<Block> {
  readonly children: readonly Block[]
}

/** Enters a block and those in it that are wanted, in order. */
function gather<Block extends Tree<Block>>(
  block: Block,
  isWanted: (block: Block) => boolean,
  into: Block[],
): void {
  if (isWanted(block)) into.push(block)
  for (const child of block.children) gather(child, isWanted, into)
}

/** Texts that have no source yet. */
export function unsourced(added: readonly AddedBlock[]): AddedBlock[] {
  const texts: AddedBlock[] = []
  const isWanted = ({ node, source }: AddedBlock) => source === undefined && hasText(node)
  for (const block of added) gather(block, isWanted, texts)
  return texts
}

const isFree = (block: RemovedBlock): boolean => !block.isTaken && block.children.every(isFree)
const hasText = (node: Node): boolean => node.inlineContent && node.content.size > 0
const isFreeText = (block: RemovedBlock): boolean => !block.isTaken && hasText(block.node)

function takeEqual(
  block: AddedBlock,
  byId: ById,
  byContent: ReadonlyMap<string, RemovedBlock[]>,
): void {
  const named = namedBy(block, byId)
  const key = contentKey(block.node)
  const equal = byContent.get(key)
  while (equal?.at(-1)?.isTaken) equal.pop()
  const isNamed = named && isFree(named) && contentKey(named.node) === key
  const source = isNamed ? named : equal?.findLast(isFree)
  if (source) {
    takeWhole(block, source)
    return
  }
  for (const child of block.children) takeEqual(child, byId, byContent)
}

function takeWhole(block: AddedBlock, source: RemovedBlock): void {
  take(block, source)
  block.children.forEach((child, index) => {
    const own = source.children[index]
    if (own) takeWhole(child, own)
  })
}

/** It says itself who it was; the words may differ. */
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

function namedBy({ node }: AddedBlock, byId: ById): RemovedBlock | undefined {
  const id: unknown = node.attrs['id']
  return typeof id === 'string' ? byId.get(id) : undefined
}

type ById = ReadonlyMap<unknown, RemovedBlock>

function takeAlike(added: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  let tries = 0
  for (const block of added) {
    let best: RemovedBlock | undefined
    let most = likenessMin
    for (const candidate of removed) {
      if (tries++ > likenessMaxTries) return
      if (candidate.isTaken) continue
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
  const shared = ({ node }: RemovedBlock): number => {
    const { front, back } = textEnds(node.textContent, text)
    return front + back
  }
  return shared(one) > shared(other)
}

/** Of longer texts it takes too long to see whether one goes on in the other. */
const goesOnMaxSize = 128 * 1024

/** An only text in place of an only one, all of whose letters stay: few, beside what was added. */
function takeOnly([block, ...more]: readonly AddedBlock[], removed: readonly RemovedBlock[]): void {
  const [source] = removed
  if (!block || !source || more.length > 0 || removed.length > 1) return
  if (source.node.nodeSize + block.node.nodeSize > goesOnMaxSize) return
  const regions = diffInline(inlineRow(source.node), inlineRow(block.node))
  if (regions.every(({ from, to }) => from === to)) take(block, source)
}

/** A wrapper is the one it says, or that its first taken-over child came from. */
function takeWrappers(block: AddedBlock, byId: ById): void {
  for (const child of block.children) takeWrappers(child, byId)
  if (block.source || block.node.inlineContent) return
  const named = namedBy(block, byId)
  const first = block.children.find((child) => child.source?.parent?.isTaken === false)
  const source = named && !named.isTaken && isWrapper(named) ? named : first?.source?.parent
  if (source) take(block, source)
}

const isWrapper = ({ node }: RemovedBlock): boolean => !node.inlineContent && !node.isLeaf
