/**
 * Writes a change of blocks into the Y.Doc by the smallest writes: blocks that stay are not
 * touched, text changes by character splices, attributes one by one; only what is new, moved or of
 * another type is written whole. What became of what is decided already. Knows neither markdown nor
 * revisions; ids and authors are read from Yjs, since planned nodes carry none.
 */
import * as Y from 'yjs'
import type { AddedBlock, RemovedBlock } from '../../../../schema/diff/blocks.ts'
import type { Carried } from '../../../../schema/diff/carried.ts'
import type { Correspondence } from '../../../../schema/diff/correspondence.ts'
import type { ActorId, BlockId } from '../../../../schema/ids.ts'
import { splitAhead } from '../../../../schema/yjs/split-ahead.ts'
import type { StructId, StructRange } from '../../../../schema/yjs/struct-id.ts'
import { buildElement } from '../../model/build.ts'
import { type Adoption, adopt, blockChildren } from './adoption.ts'
import { BoundChange, type Changed, isAdded, type Level } from './bound-change.ts'
import type { WriteHost } from './host.ts'
import { applyText } from './text.ts'
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
 * actor, kept text keeps its author.
 */
export function applyBlocks(host: ApplyHost, change: Correspondence): void {
  const doc = host.fragment.doc
  if (doc === null) throw new TypeError('the fragment belongs to no document')
  const bound = new BoundChange()
  const ranges: Parameters<typeof replaceRange>[1][] = []
  for (const { from, row } of change.parts) {
    const elements = host.children.slice(from, from + row.old.length)
    const before = host.children[from - 1] ?? null
    const level = bound.bind(host.fragment, { before, elements, row })
    ranges.push({ from, count: elements.length, by: level.written })
  }
  const { regions } = change
  const carried = change.carried.map((one) => structsOf(bound, one))
  const source = { regions, elementOf: (block: RemovedBlock) => bound.elementOf(block) }
  const added = bound.levels.flatMap((level) => level.places.filter(isAdded))
  const adoptions = new Map(added.map((block) => [block, adopt(block, source)]))
  const writer = writeHost(host, doc)
  divideAhead(doc, bound.texts, regions)
  writeTexts(writer, bound.texts, regions)
  for (const { element, block } of bound.attributes) {
    changeAttributes(element, block.old, block.node)
  }
  const made = new Map<AddedBlock, Y.XmlElement>()
  for (const level of bound.levels) writeAdded(writer, level, { adoptions, made })
  const gone = bound.levels.flatMap((level) => level.removed)
  deleteTypes(
    doc,
    gone.map((block) => bound.elementOf(block)),
  )
  for (const { structs, target, from, to } of carried) {
    const element = target instanceof Y.XmlElement ? target : made.get(target)
    if (element) writer.credit(structs, structsOfUnits(inlineChildren(element), from, to))
  }
  for (const range of ranges.toReversed()) replaceRange(host.children, range)
}

/** The units [from, to) of what `target` will be stand for these structs. */
interface CarriedStructs {
  readonly structs: readonly StructRange[]
  readonly target: Y.XmlElement | AddedBlock
  readonly from: number
  readonly to: number
}

/** While it still stands where it stood. */
function structsOf(bound: BoundChange, carried: Carried): CarriedStructs {
  const { source, sourceFrom, target, from, to } = carried
  const holder = bound.elementOf(source)
  const structs = structsOfUnits(inlineChildren(holder), sourceFrom, sourceFrom + to - from)
  const into = target.kind === 'comes' ? target : bound.elementOf(target)
  return { structs, target: into, from, to }
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

/** Divides all the texts that change in one pass: Yjs divides one by one. */
function divideAhead(
  doc: Y.Doc,
  texts: readonly Changed[],
  regions: Correspondence['regions'],
): void {
  const points: StructId[] = []
  for (const { element, block } of texts) {
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
  splitAhead(doc, points)
}

function writeTexts(
  host: WriteHost,
  texts: readonly Changed[],
  regions: Correspondence['regions'],
): void {
  for (const { element, block } of texts) {
    const { old, node: next } = block
    const own = regions.get(block)
    if (own === undefined) throw new TypeError('a text changed of which nothing is told')
    applyText(host, element, { old, next, regions: own })
  }
}

/** Inserts what comes, neighbours together, each after what stands before it by now. */
function writeAdded(
  host: WriteHost,
  level: Level,
  {
    adoptions,
    made,
  }: {
    readonly adoptions: ReadonlyMap<AddedBlock, Adoption>
    /** Filled with what was written for each added block, at any depth. */
    readonly made: Map<AddedBlock, Y.XmlElement>
  },
): void {
  const { parent, before, places, written } = level
  const options = { newId: host.newId, author: host.actor, keepIds: true, keepAuthors: true }
  const came: [AddedBlock, Adoption, Y.XmlElement][] = []
  let row: Y.XmlElement[] = []
  let left = before
  const flush = (): void => {
    if (row.length > 0) parent.insertAfter(left, row)
    row = []
  }
  for (const [index, place] of places.entries()) {
    if (!isAdded(place)) {
      flush()
      left = place
      continue
    }
    const adoption = adoptions.get(place)
    if (adoption === undefined) throw new TypeError('an added block was not adopted')
    const element = buildElement(adoption.node, options)
    came.push([place, adoption, element])
    row.push(element)
    written[index] = element
  }
  flush()
  for (const [place, adoption, element] of came) {
    creditAdopted(host, adoption, element)
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
