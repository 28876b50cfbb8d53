/**
 * Writes a change of blocks into the Y.Doc by the smallest writes: blocks that stay are not
 * touched, text changes by character splices, attributes one by one; only what is new, moved or of
 * another type is written whole. What became of what is decided already. Knows neither markdown nor
 * revisions; ids and authors are read from Yjs, since planned nodes carry none.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { AddedBlock, RemovedBlock } from '../../../../schema/diff/blocks.ts'
import type { Carried } from '../../../../schema/diff/carried.ts'
import type { Correspondence } from '../../../../schema/diff/correspondence.ts'
import type { ActorId, BlockId } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import { splitAhead } from '../../../yjs/split-ahead.ts'
import type { StructId, StructRange } from '../../../yjs/struct-id.ts'
import { buildElement } from '../../model/build.ts'
import { type Adoption, adopt, blockChildren } from './adoption.ts'
import { BoundChange, isAdded, type Level } from './bound-change.ts'
import { type CarriedStructs, type Group, groupsOf } from './groups.ts'
import type { WriteHost } from './host.ts'
import {
  beginBlock,
  finishingBlock,
  largeBlocks,
  shellOf,
  type Unfinished,
} from './large-blocks.ts'
import { applyingText } from './text.ts'
import {
  changeAttributes,
  deleteTypes,
  inlineChildren,
  structOfType,
  structsOfUnits,
} from './y-text.ts'

export interface ApplyHost {
  readonly fragment: Y.XmlFragment
  /**
   * The top-level Yjs children, kept in step here; the fragment itself finds a child in O(n) only.
   */
  readonly children: Y.XmlElement[]
  newId(): BlockId
  /** Credited with everything inserted. */
  readonly actor: ActorId
  /** `length` structs from `newId` on repeat those from `oldId` on: the old writer's words. */
  cloned(oldId: StructId, newId: StructId, length: number): void
}

/**
 * Makes the top-level children read as the change says; they mirror what stood before it. Runs
 * inside the caller's transaction with the actor's clientID. A kept or changed block keeps its id,
 * a new one gets one; what one part loses another may take over. Inserted text is authored by the
 * actor, kept text keeps its author. May be spread over several transactions, as long as nobody
 * else writes between them: at each yield the document is valid, and no text is away that is to
 * stay. Yields how much was done since, in characters looked at or written.
 */
export function* applying(host: ApplyHost, change: Correspondence): Generator<number, void> {
  const doc = host.fragment.doc
  if (doc === null) throw new TypeError('the fragment belongs to no document')
  const bound = new BoundChange()
  const ranges: Parameters<typeof replaceRange>[1][] = []
  for (const { from, row } of change.parts) {
    const elements = host.children.slice(from, from + row.old.length)
    const before = host.children[from - 1] ?? null
    const level = yield* bound.binding(host.fragment, { top: undefined, before, elements, row })
    ranges.push({ from, count: elements.length, by: level.written })
  }
  const weight = weightOf(bound)
  yield weight
  const { regions } = change
  const added = bound.levels.flatMap((each) => each.places.filter(isAdded))
  const carried = change.carried.map((one) => structsOf(bound, one))
  const large = largeBlocks(added, change.carried)
  yield weight
  const adoptions = new Map<AddedBlock, Adoption>()
  const source = { regions, elementOf: (block: RemovedBlock) => bound.elementOf(block) }
  for (const block of added) {
    if (large.has(block)) continue
    adoptions.set(block, adopt(block, source))
    yield block.node.nodeSize + weightPerBlock
  }
  const groups = groupsOf(bound, carried)
  yield weight
  const writer = writeHost(host, doc)
  const plans = { bound, adoptions, regions, large }
  for (let at = 0, ahead = 0; at < groups.length; at++) {
    if (at === ahead) ahead = dividedAhead(doc, groups, { from: at, regions })
    const group = groups[at] as Group
    const begun = yield* writingGroup(writer, group, plans)
    yield begun.length > 0 ? limits.editWeightAtOnce : group.weight
    for (const block of begun) yield* finishingBlock(block)
  }
  for (const range of ranges.toReversed()) replaceRange(host.children, range)
}

/** While it still stands where it stood. */
function structsOf(bound: BoundChange, carried: Carried): CarriedStructs {
  const { source, sourceFrom, target, from, to } = carried
  const holder = bound.elementOf(source)
  const structs = structsOfUnits(inlineChildren(holder), sourceFrom, sourceFrom + to - from)
  const into = target.kind === 'comes' ? target : bound.elementOf(target)
  return { structs, holder, target: into, from, to }
}

/** Without arguments spread on the stack: there may be a hundred thousand. */
function replaceRange(
  list: Y.XmlElement[],
  { from, count, by }: { from: number; count: number; by: readonly (Y.XmlElement | undefined)[] },
): void {
  const shared = Math.min(count, by.length)
  for (let index = 0; index < shared; index++) list[from + index] = by[index] as Y.XmlElement
  if (count === by.length) return
  const rest = list.splice(from + shared)
  for (const element of by.slice(shared)) list.push(element as Y.XmlElement)
  for (const element of rest.slice(count - shared)) list.push(element)
}

/** About how many characters are compared and written. */
function weightOf({ levels, texts }: BoundChange): number {
  let weight = 0
  for (const { block } of texts) weight += block.old.nodeSize + block.node.nodeSize
  for (const { places, removed } of levels) {
    weight += (removed.length + 2 * places.length) / 8
    for (const { node } of removed) weight += node.nodeSize
    for (const place of places) if (isAdded(place)) weight += place.node.nodeSize
  }
  return weight
}

/** Divides the texts of some groups at once; up to which. */
function dividedAhead(
  doc: Y.Doc,
  groups: readonly Group[],
  { from, regions }: { readonly from: number; readonly regions: Correspondence['regions'] },
): number {
  const points: StructId[] = []
  let at = from
  for (let weight = 0; at < groups.length && weight < limits.editWeightAtOnce; at++) {
    const group = groups[at] as Group
    weight += group.weight
    for (const { element, block } of group.texts) {
      const children = inlineChildren(element)
      for (const region of regions.get(block) ?? []) {
        const structs = structsOfUnits(children, region.from, Math.max(region.to, region.from + 1))
        const [first, last] = [structs[0], structs.at(-1)]
        if (first) points.push(first)
        if (last && region.to > region.from) {
          points.push({ client: last.client, clock: last.clock + last.length })
        }
      }
    }
  }
  splitAhead(doc, points)
  return at
}

const weightPerBlock = 128

interface Plans {
  readonly bound: BoundChange
  readonly large: ReadonlySet<AddedBlock>
  readonly adoptions: ReadonlyMap<AddedBlock, Adoption>
  readonly regions: Correspondence['regions']
}

/** Answers with the blocks of which only the beginning is written. */
function* writingGroup(
  host: WriteHost,
  group: Group,
  { bound, adoptions, regions, large }: Plans,
): Generator<number, readonly Unfinished[]> {
  for (const { element, block } of group.texts) {
    const { old, node: next } = block
    const own = regions.get(block)
    if (own === undefined) throw new TypeError('a text changed of which nothing is told')
    const text = applyingText(host, element, { old, next, regions: own })
    for (let step = text.next(); step.done !== true; step = text.next()) {
      // What was carried is credited with its text.
      if (group.carried.length === 0) yield step.value
    }
  }
  for (const { element, block } of group.attributes) {
    changeAttributes(element, block.old, block.node)
  }
  const made = new Map<AddedBlock, Y.XmlElement>()
  const begun: Unfinished[] = []
  for (const [level, indexes] of group.places) {
    writeAdded(host, level, { indexes, adoptions, made, large, begun })
  }
  const gone = group.removed.map((block) => bound.elementOf(block))
  deleteTypes(host.doc, gone)
  for (const { structs, target, from, to } of group.carried) {
    const element = target instanceof Y.XmlElement ? target : made.get(target)
    if (element) host.credit(structs, structsOfUnits(inlineChildren(element), from, to))
  }
  return begun
}

/** Inserts what comes, neighbours together, each after what stands before it by now. */
function writeAdded(
  host: WriteHost,
  level: Level,
  {
    indexes,
    adoptions,
    made,
    large,
    begun,
  }: {
    /** Ascending. */
    readonly indexes: readonly number[]
    readonly adoptions: ReadonlyMap<AddedBlock, Adoption>
    /** Filled with what was written for each added block, at any depth. */
    readonly made: Map<AddedBlock, Y.XmlElement>
    readonly large: ReadonlySet<AddedBlock>
    /** Filled with the large ones. */
    readonly begun: Unfinished[]
  },
): void {
  const { parent, before, places, written } = level
  let row: Y.XmlElement[] = []
  let left: Y.XmlElement | null = null
  const flush = (): void => {
    if (row.length > 0) parent.insertAfter(left, row)
    row = []
  }
  const adopted: [Adoption, Y.XmlElement][] = []
  const shells: [Node, Y.XmlElement][] = []
  const options = { newId: host.newId, author: host.actor, keepIds: true, keepAuthors: true }
  for (const [at, index] of indexes.entries()) {
    const place = places[index]
    if (!place || !isAdded(place)) throw new TypeError('a place for what stays')
    const adoption = adoptions.get(place)
    if (indexes[at - 1] !== index - 1) {
      flush()
      let near = index - 1
      while (near >= 0 && written[near] === undefined) near--
      left = written[near] ?? before
    }
    const element = adoption ? buildElement(adoption.node, options) : shellOf(place.node, options)
    if (adoption) adopted.push([adoption, element])
    else if (large.has(place)) shells.push([place.node, element])
    else throw new TypeError('an added block was not adopted')
    row.push(element)
    written[index] = element
  }
  flush()
  for (const [node, element] of shells) {
    begun.push(beginBlock(host.doc, element, { node, options }))
  }
  for (const [adoption, element] of adopted) creditAdopted(host, adoption, element)
  for (const index of indexes) {
    const [place, element] = [places[index], written[index]]
    if (!place || !isAdded(place) || !element || large.has(place)) continue
    noteMade(made, place, element)
  }
}

function noteMade(
  made: Map<AddedBlock, Y.XmlElement>,
  block: AddedBlock,
  element: Y.XmlElement,
): void {
  made.set(block, element)
  if (block.children.length === 0) return
  const children = blockChildren(element)
  block.children.forEach((child, index) => {
    const own = children[index]
    if (own) noteMade(made, child, own)
  })
}

function creditAdopted(host: WriteHost, adoption: Adoption, element: Y.XmlElement): void {
  if (adoption.wrapper.length > 0) host.credit(adoption.wrapper, structOfType(element))
  if (adoption.kept.length > 0) {
    const children = inlineChildren(element)
    for (const { from, to, structs } of adoption.kept) {
      host.credit(structs, structsOfUnits(children, from, to))
    }
  }
  if (adoption.children.length === 0) return
  const children = blockChildren(element)
  adoption.children.forEach((child, index) => {
    const own = children[index]
    if (own) creditAdopted(host, child, own)
  })
}

function writeHost(host: ApplyHost, doc: Y.Doc): WriteHost {
  return {
    doc,
    actor: host.actor,
    newId: () => host.newId(),
    credit: (original, copy) => creditPairwise(host, original, copy),
  }
}

/** Reports the longest stretches that are contiguous on both sides. */
function creditPairwise(
  host: ApplyHost,
  original: readonly StructRange[],
  copy: readonly StructRange[],
): void {
  let [i, j, usedOld, usedNew] = [0, 0, 0, 0]
  for (;;) {
    const [old, made] = [original[i], copy[j]]
    if (old === undefined || made === undefined) return
    const length = Math.min(old.length - usedOld, made.length - usedNew)
    host.cloned(
      { client: old.client, clock: old.clock + usedOld },
      { client: made.client, clock: made.clock + usedNew },
      length,
    )
    usedOld += length
    usedNew += length
    if (usedOld === old.length) [i, usedOld] = [i + 1, 0]
    if (usedNew === made.length) [j, usedNew] = [j + 1, 0]
  }
}
