/**
 * Writes a change of blocks into the Y.Doc by the smallest writes: blocks that stay are not
 * touched, text changes by character splices, attributes one by one; only what is new, moved or of
 * another type is written whole. First everything is read and decided, then written. Knows neither
 * markdown nor revisions; ids and authors are read from Yjs, since planned nodes carry none.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { buildElement } from '../tree/build.ts'
import {
  type AddedBlock,
  addedBlock,
  blockChildren,
  type Growth,
  grow,
  pairSources,
  type RemovedBlock,
  removedBlock,
} from './adoption.ts'
import { alignSiblings } from './align.ts'
import { applyText } from './apply-text.ts'
import { type CarryPlan, planCarrying } from './carried-text.ts'
import { sameContent } from './content.ts'
import type { WriteHost } from './write-host.ts'
import {
  changeAttributes,
  deleteTypes,
  inlineChildren,
  type StructRange,
  structOfType,
  structsOfUnits,
} from './y-text.ts'

export interface StructId {
  readonly client: number
  readonly clock: number
}

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

/** A stretch of top-level children that mirrors `old` and is to read as `next`. */
export interface BlockPart {
  readonly from: number
  readonly old: readonly Node[]
  readonly next: readonly Node[]
}

/**
 * Makes each stretch of top-level children read as its `next`; the parts ascend and lie apart. Runs
 * inside the caller's transaction with the actor's clientID. A kept or changed block keeps its id,
 * a new one gets one; what one part loses another may take over. Inserted text is authored by the
 * actor, kept text keeps its author.
 */
export function applyBlocks(host: ApplyHost, parts: readonly BlockPart[]): void {
  const doc = host.fragment.doc
  if (doc === null) throw new TypeError('the fragment belongs to no document')
  const change: Change = { tops: [], levels: [], texts: [], attributes: [] }
  const tops = parts.map(({ from, old, next }) => {
    const elements = host.children.slice(from, from + old.length)
    const before = host.children[from - 1] ?? null
    const level = compareSiblings(change, host.fragment, { before, elements, old, next })
    change.tops.push(level)
    return { from, count: elements.length, by: level.written }
  })
  const added = change.levels.flatMap((each) => each.places.filter(isAdded))
  const removed = change.levels.flatMap((each) => each.removed)
  pairSources(added, removed)
  const growths = new Map(added.map((block) => [block, grow(block)]))
  const { carried, regions } = planCarrying(change)
  const made = new Map<AddedBlock, Y.XmlElement>()
  const writer = writeHost(host, doc)
  write(writer, change, { growths, removed, made, regions })
  for (const { structs, target, from, to } of carried) {
    const element = target instanceof Y.XmlElement ? target : made.get(target)
    if (element) writer.credit(structs, structsOfUnits(inlineChildren(element), from, to))
  }
  for (const top of tops.toReversed()) replaceRange(host.children, top)
}

/** Without arguments spread on the stack: there may be a hundred thousand. */
function replaceRange(
  list: Y.XmlElement[],
  { from, count, by }: { from: number; count: number; by: readonly Y.XmlElement[] },
): void {
  const shared = Math.min(count, by.length)
  for (let index = 0; index < shared; index++) list[from + index] = by[index] as Y.XmlElement
  if (count === by.length) return
  const rest = list.splice(from + shared)
  for (const element of by.slice(shared)) list.push(element)
  for (const element of rest.slice(count - shared)) list.push(element)
}

/** One row of siblings: what stays (an element) and what comes, in order; and what goes. */
export interface Level {
  readonly parent: Y.XmlFragment
  readonly before: Y.XmlElement | null
  /** In the old order. */
  readonly rows: readonly (Y.XmlElement | RemovedBlock)[]
  readonly places: readonly (Y.XmlElement | AddedBlock)[]
  readonly removed: readonly RemovedBlock[]
  /** The elements of `places`, once written. */
  readonly written: Y.XmlElement[]
}

export interface Changed {
  readonly element: Y.XmlElement
  readonly old: Node
  readonly next: Node
}

export interface Change {
  /** Of the parts, in order. */
  readonly tops: Level[]
  readonly levels: Level[]
  readonly texts: Changed[]
  readonly attributes: Changed[]
}

const isAdded = (place: Y.XmlElement | AddedBlock): place is AddedBlock =>
  !(place instanceof Y.XmlElement)

function compareSiblings(
  change: Change,
  parent: Y.XmlFragment,
  row: {
    readonly before: Y.XmlElement | null
    readonly elements: readonly Y.XmlElement[]
    readonly old: readonly Node[]
    readonly next: readonly Node[]
  },
): Level {
  const { before, elements, old, next } = row
  const places: (Y.XmlElement | AddedBlock)[] = []
  const staying = new Set<number>()
  for (const [index, partner] of alignSiblings(old, next).entries()) {
    const node = next[index]
    if (node === undefined) continue
    const [was, element] = partner === undefined ? [] : [old[partner], elements[partner]]
    if (partner === undefined || was === undefined || element === undefined) {
      places.push(addedBlock(node))
      continue
    }
    staying.add(partner)
    places.push(element)
    if (!sameContent(was, node)) compareBlock(change, { element, old: was, next: node })
  }
  const rows = old.flatMap((node, index): (Y.XmlElement | RemovedBlock)[] => {
    const element = elements[index]
    if (element === undefined) return []
    return staying.has(index) ? [element] : [removedBlock(node, element)]
  })
  const removed = rows.filter((row): row is RemovedBlock => !(row instanceof Y.XmlElement))
  const level: Level = { parent, before, rows, places, removed, written: [] }
  change.levels.push(level)
  return level
}

function compareBlock(change: Change, block: Changed): void {
  const { element, old, next } = block
  if (element.nodeName !== old.type.name) {
    throw new TypeError(`a ${old.type.name} is mirrored by a ${element.nodeName}`)
  }
  change.attributes.push(block)
  if (next.inlineContent) change.texts.push(block)
  else if (!next.isLeaf) {
    const elements = blockChildren(element)
    compareSiblings(change, element, {
      before: null,
      elements,
      old: old.children,
      next: next.children,
    })
  }
}

function write(
  host: WriteHost,
  change: Change,
  {
    growths,
    removed,
    made,
    regions,
  }: {
    readonly growths: ReadonlyMap<AddedBlock, Growth>
    readonly removed: readonly RemovedBlock[]
    readonly regions: CarryPlan['regions']
    /** Filled with what was written for each added block, at any depth. */
    readonly made: Map<AddedBlock, Y.XmlElement>
  },
): void {
  for (const { element, old, next } of change.texts) {
    applyText(host, element, { old, next, regions: regions.get(element) })
  }
  for (const { element, old, next } of change.attributes) changeAttributes(element, old, next)
  for (const level of change.levels) writeLevel(host, level, { growths, made })
  deleteTypes(
    host.doc,
    removed.map((block) => block.element),
  )
}

/** Inserts what comes, neighbours together, each after the sibling before it. */
function writeLevel(
  host: WriteHost,
  level: Level,
  {
    growths,
    made,
  }: {
    readonly growths: ReadonlyMap<AddedBlock, Growth>
    readonly made: Map<AddedBlock, Y.XmlElement>
  },
): void {
  let last = level.before
  let pending: Y.XmlElement[] = []
  const flush = (): void => {
    if (pending.length > 0) level.parent.insertAfter(last, pending)
    last = pending.at(-1) ?? last
    pending = []
  }
  const grown: [Growth, Y.XmlElement][] = []
  const added: [AddedBlock, Y.XmlElement][] = []
  for (const place of level.places) {
    if (!isAdded(place)) {
      flush()
      last = place
      level.written.push(place)
      continue
    }
    const growth = growths.get(place)
    if (growth === undefined) throw new TypeError('an added block was not grown')
    const element = buildElement(growth.node, {
      newId: host.newId,
      author: host.actor,
      keepIds: true,
      keepAuthors: true,
    })
    grown.push([growth, element])
    added.push([place, element])
    pending.push(element)
    level.written.push(element)
  }
  flush()
  for (const [growth, element] of grown) creditGrowth(host, growth, element)
  for (const [block, element] of added) noteMade(made, block, element)
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

function creditGrowth(host: WriteHost, growth: Growth, element: Y.XmlElement): void {
  if (growth.wrapper.length > 0) host.credit(growth.wrapper, structOfType(element))
  if (growth.kept.length > 0) {
    const children = inlineChildren(element)
    for (const { from, to, structs } of growth.kept) {
      host.credit(structs, structsOfUnits(children, from, to))
    }
  }
  if (growth.children.length === 0) return
  const children = blockChildren(element)
  growth.children.forEach((child, index) => {
    const own = children[index]
    if (own) creditGrowth(host, child, own)
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
