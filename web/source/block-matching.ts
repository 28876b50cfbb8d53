/**
 * Freshly read blocks take over what the blocks that they are were known by: ids, and authors of
 * the text that stayed. So an edit of the source changes what it changed and nothing else, also
 * where a paragraph became a heading or went into a list. Pure.
 */
import { Fragment, type Node } from 'prosemirror-model'
import {
  type AddedBlock,
  addedBlock,
  type RemovedBlock,
  removedBlock,
  type StayingBlock,
} from '../../schema/diff/blocks.ts'
import {
  type Correspondence,
  complete,
  match,
  pairMoved,
} from '../../schema/diff/correspondence.ts'
import { diffInline } from '../../schema/diff/inline.ts'
import { inlineRow, type Kept, keptBetween } from '../../schema/diff/inline-row.ts'
import { nameBlocks } from '../../schema/diff/naming.ts'
import { pairSources, unsourced } from '../../schema/diff/pairing.ts'

/**
 * `next` as what became of `old`; nodes that are the same object stay. `earlier`: what stood there
 * before the draft was begun, and may come back.
 */
export function matchBlocks(
  old: readonly Node[],
  next: readonly Node[],
  earlier: readonly Node[] = [],
): Node[] {
  const parts = match([{ from: 0, old, next }])
  pairMoved(parts)
  const present = new Set([...old, ...next].flatMap(idsIn))
  const gone = earlier
    .flatMap(textblocksIn)
    .filter(({ attrs }) => !present.has(attrs['id']))
    .map((node) => removedBlock(node))
  const added = unsourced(parts.flatMap(({ row }) => addedIn(row.next)))
  pairSources({ added, removed: gone })
  const named = parts.map(({ from, row }) => ({ from, row: nameBlocks(row) }))
  const correspondence = complete(named)
  const blocks = named.flatMap(({ row }) => row.next)
  const restored = restoredWords(blocks, correspondence, gone)
  const adopted = { ...correspondence, restored }
  return blocks.map((block) => withAuthors(block, adopted))
}

type NewBlock = StayingBlock | AddedBlock

interface Adopted extends Correspondence {
  /** Words of earlier in blocks that stay, of whose own words none did. */
  readonly restored: ReadonlyMap<NewBlock, Node>
}

const addedIn = (blocks: readonly NewBlock[]): AddedBlock[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'comes') return [block]
    return block.row ? addedIn(block.row.next) : []
  })

const stayingIn = (blocks: readonly NewBlock[]): StayingBlock[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'comes') return []
    return block.row ? stayingIn(block.row.next) : [block]
  })

function restoredWords(
  blocks: readonly NewBlock[],
  { regions }: Correspondence,
  gone: readonly RemovedBlock[],
): ReadonlyMap<NewBlock, Node> {
  const restored = new Map<NewBlock, Node>()
  for (const block of stayingIn(blocks)) {
    const own = regions.get(block)
    if (own === undefined || keptBetween(inlineRow(block.old), own).length > 0) continue
    const added = addedBlock(block.node)
    pairSources({ added: [added], removed: gone.filter(({ isTaken }) => !isTaken) })
    if (added.source) restored.set(block, added.source.node)
  }
  return restored
}

function idsIn(node: Node): unknown[] {
  const ids = [node.attrs['id']]
  return node.isTextblock || node.isLeaf ? ids : [...ids, ...node.children.flatMap(idsIn)]
}

function textblocksIn(node: Node): Node[] {
  if (node.isTextblock) return [node]
  return node.isLeaf ? [] : node.children.flatMap(textblocksIn)
}

/** A new node with the authors of its words, at any depth. */
function withAuthors(block: NewBlock, adopted: Adopted): Node {
  const { node } = block
  if (node.isLeaf || (block.kind === 'stays' && block.isKept)) return node
  if (node.inlineContent) return node.copy(authoredContent(block, adopted))
  const inner = block.kind === 'comes' ? block.children : (block.row?.next ?? [])
  return node.copy(Fragment.fromArray(inner.map((child) => withAuthors(child, adopted))))
}

/** The units [from, to) of `was` stand at `at` now. */
interface Stretch {
  readonly was: Node
  readonly from: number
  readonly to: number
  readonly at: number
}

/** What was kept or carried has its authors; a blank that markdown cannot spell yet stays. */
function authoredContent(block: NewBlock, { regions, carried, restored }: Adopted): Fragment {
  const { node } = block
  const own = block.kind === 'stays' ? block.old : block.source?.node
  const was = restored.get(block) ?? own
  const rewritten =
    restored.has(block) && was ? diffInline(inlineRow(was), inlineRow(node)) : undefined
  const kept = was ? keptBetween(inlineRow(was), rewritten ?? regions.get(block) ?? []) : []
  const stretches: Stretch[] = kept.map(({ from, to, nextFrom: at }) => ({
    was: was ?? node,
    from,
    to,
    at,
  }))
  for (const { source, sourceFrom, target, from, to } of carried) {
    if (target !== block) continue
    const words = source.kind === 'stays' ? source.old : source.node
    stretches.push({ was: words, from: sourceFrom, to: sourceFrom + to - from, at: from })
  }
  let content = Fragment.empty
  let done = 0
  for (const { was: words, from, to, at } of stretches.sort((a, b) => a.at - b.at)) {
    const same = node.content.cut(at, at + to - from)
    content = content.append(node.content.cut(done, at))
    content = content.append(authoredAs(same, words.content.cut(from, to)))
    done = at + to - from
  }
  return content
    .append(node.content.cut(done))
    .append(was ? unseenIn(was, node, kept) : Fragment.empty)
}

/** The blanks at the end of what was there, where all before them at the end stands as it was. */
function unseenIn(was: Node, node: Node, kept: readonly Kept[]): Fragment {
  const [unseen = ''] = /(?<![ \t])[ \t]+$/.exec(was.textContent) ?? []
  const seen = was.content.size - unseen.length
  const last = kept.at(-1)
  const isAtEnd = last?.to === seen && last.nextFrom + last.to - last.from === node.content.size
  const isText = !was.type.spec.code && !node.type.spec.code
  return isAtEnd && isText ? was.content.cut(seen) : Fragment.empty
}

/** `content` with the authors of `was`, which has the same text. */
function authoredAs(content: Fragment, was: Fragment): Fragment {
  const out: Node[] = []
  let at = 0
  for (const node of content.content) {
    for (let done = 0; done < node.nodeSize; ) {
      const { node: source, offset } = childAt(was, at)
      const left = offset + (source?.nodeSize ?? 1) - at
      const length = Math.min(node.nodeSize - done, left)
      const piece = node.isText ? node.cut(done, done + length) : node
      const author = source?.marks.find((mark) => mark.type.name === 'authored')
      out.push(author === undefined ? piece : piece.mark(author.addToSet(piece.marks)))
      done += length
      at += length
    }
  }
  return Fragment.fromArray(out)
}

function childAt(content: Fragment, pos: number): { node: Node | undefined; offset: number } {
  let offset = 0
  for (const node of content.content) {
    if (pos < offset + node.nodeSize) return { node, offset }
    offset += node.nodeSize
  }
  return { node: undefined, offset: pos }
}
