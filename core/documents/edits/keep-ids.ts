/**
 * Gives planned blocks the ids of the blocks that they are from then on: those that stay, and those
 * that moved, were wrapped, taken out or changed in type. So a later edit of the same request can
 * name them, and what is anchored in them follows. The same alignment and pairing decide as when
 * the blocks are written. Pure.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import type { Steps } from '../../../schema/steps.ts'
import { aligning, type Partners } from './align.ts'
import { Homes, sharedEnds } from './homes.ts'
import { type AddedBlock, addedBlock, pairingSources, removedBlock } from './pairing.ts'
import type { BlockChange } from './step.ts'

/** Old blocks, those that come in their place, and which of these is which of them. */
export interface Replaced {
  readonly from: number
  readonly old: readonly Node[]
  readonly next: readonly Node[]
  readonly partners: Partners
}

/** `next` with ids of `old`; nodes that stay are the same objects. No id comes twice. */
export function* givingIdsOf(old: readonly Node[], next: readonly Node[]): Steps<readonly Node[]> {
  const homes = new Homes(old, next)
  const partners = yield* aligning(old, next, homes)
  const [part] = yield* givingIds([{ from: 0, old, next, partners }], homes)
  return part?.nodes ?? []
}

/**
 * The same for stretches between which blocks may have moved. Refuses BROAD_REWRITE when too many
 * did, for nobody else could write while they are written again.
 */
export function* givingIds(stretches: readonly Replaced[], homes: Homes): Steps<BlockChange[]> {
  const change: Change = { added: [], removed: [], homes }
  const rows: Naming[][] = []
  for (const { old, next, partners } of stretches) {
    rows.push(yield* namingRow(change, { old, next, partners }))
    yield
  }
  const moved = yield* pairingSources(change.added, change.removed)
  if (moved > limits.movedBlocksPerEdit) {
    throw new Refusal('BROAD_REWRITE', { reason: 'moves_too_many_blocks' })
  }
  yield
  const parts: BlockChange[] = []
  for (const [index, { from, old }] of stretches.entries()) {
    const nodes: Node[] = []
    for (const [at, naming] of (rows[index] ?? []).entries()) {
      nodes.push(naming())
      if (at % namedAtOnce === namedAtOnce - 1) yield
    }
    parts.push({ from, to: from + old.length, nodes })
  }
  return parts
}

const namedAtOnce = 256

interface Change {
  readonly homes: Homes
  readonly added: AddedBlock[]
  readonly removed: ReturnType<typeof removedBlock>[]
}

/** To be asked when all pairs are known. */
type Naming = () => Node

function* namingRow(
  change: Change,
  { old, next, partners }: Omit<Replaced, 'from'>,
): Steps<Naming[]> {
  const claimed = new Set(next.map(idOf))
  const staying = new Set<number | undefined>(partners)
  for (const [index, node] of old.entries()) {
    if (!staying.has(index)) change.removed.push(removedBlock(node))
  }
  const namings: Naming[] = []
  for (const [index, node] of next.entries()) {
    const was = old[partners[index] ?? -1]
    if (was === node) namings.push(() => node)
    else if (was !== undefined) {
      const given = claimed.has(idOf(was)) ? null : idOf(was)
      namings.push(yield* namingBlock(change, was, node, given))
    } else {
      const block = addedBlock(node)
      change.added.push(block)
      namings.push(() => adopted(block))
    }
  }
  return namings
}

/** The node with the ids of its old one; its own is `given` unless it has one. */
function* namingBlock(
  change: Change,
  ...[old, node, given]: [old: Node, node: Node, given: string | null]
): Steps<Naming> {
  const id = idOf(node) ?? given
  if (node.isLeaf || node.inlineContent) return () => named(node, id, node.content)
  const { front, back } = sharedEnds(old.children, node.children)
  const [was, now] = [old, node].map(({ children }) =>
    children.slice(front, children.length - back),
  ) as [Node[], Node[]]
  const partners = yield* aligning(was, now, change.homes)
  const namings = yield* namingRow(change, { old: was, next: now, partners })
  return () => {
    const { children } = node
    const [head, tail] = [children.slice(0, front), children.slice(front + now.length)]
    return named(node, id, contentOf(node, [...head, ...namings.map(call), ...tail]))
  }
}

const call = (naming: Naming): Node => naming()

/** A block that comes has no id but that of the block it was. */
function adopted({ node, source, children }: AddedBlock): Node {
  const content = children.length > 0 ? contentOf(node, children.map(adopted)) : node.content
  return named(node, source?.id ?? null, content)
}

function contentOf(node: Node, children: readonly Node[]): Fragment {
  const isSame = children.every((child, index) => child === node.child(index))
  return isSame ? node.content : Fragment.fromArray(children)
}

function named(node: Node, id: string | null, content: Fragment): Node {
  const isNew = id !== idOf(node) && identifiedTypes.has(node.type.name)
  if (isNew) return node.type.create({ ...node.attrs, id }, content, node.marks)
  return content === node.content ? node : node.copy(content)
}

const idOf = (node: Node): string | null => (node.attrs['id'] as string | null | undefined) ?? null
