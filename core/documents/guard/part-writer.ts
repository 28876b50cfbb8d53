/**
 * Writes the parts of an update: the bytes of their structs as they came, and of the deletions
 * those that concern them. Invariant: of each client the structs of a part follow each other, and
 * those of the parts do.
 */
import * as encoding from 'lib0/encoding'
import { limits } from '../../../schema/limits.ts'
import { inCausalOrder, type Ordered, type Reading } from '../../yjs/causal-order.ts'
import type { StructId } from '../../yjs/struct-id.ts'
import {
  type DeletedRange,
  type ParsedUpdate,
  readingUpdate,
  type Struct,
} from './update-reader.ts'

export type OrderedStruct = Ordered<Struct>

/** What is deleted: of what the update brings, and of what was there before (by the last part). */
interface Deletions {
  readonly own: readonly DeletedRange[]
  readonly old: readonly DeletedRange[]
}

export function writeParts(
  update: Uint8Array,
  parts: readonly (readonly OrderedStruct[])[],
  { own, old }: Deletions,
): readonly Uint8Array[] {
  const deleted = deletedByPart(parts, own)
  return parts.map((part, index) => {
    const last = index === parts.length - 1 ? old : []
    return encodePart(update, part, [...last, ...(deleted[index] ?? [])])
  })
}

/** What comes deleted is deleted by the part that brings it. */
function deletedByPart(
  parts: readonly (readonly OrderedStruct[])[],
  deleted: readonly DeletedRange[],
): readonly (readonly DeletedRange[])[] {
  const byPart: DeletedRange[][] = parts.map(() => [])
  if (deleted.length === 0) return byPart
  const ranges = new Map<number, { readonly end: number; readonly part: number }[]>()
  for (const [part, structs] of parts.entries()) {
    for (const [client, { to }] of rangesOf(structs)) {
      const own = ranges.get(client) ?? []
      ranges.set(client, own)
      own.push({ end: to.clock + to.length, part })
    }
  }
  for (const { client, clock, end } of deleted) {
    let from = clock
    for (const range of ranges.get(client) ?? []) {
      if (range.end <= from) continue
      const until = Math.min(range.end, end)
      byPart[range.part]?.push({ client, clock: from, end: until })
      from = until
      if (from === end) break
    }
  }
  return byPart
}

interface StructsOfClient {
  count: number
  readonly from: Struct
  to: Struct
}

/** Of each client the structs of a part, which follow each other. */
function rangesOf(part: readonly OrderedStruct[]): ReadonlyMap<number, StructsOfClient> {
  const ranges = new Map<number, StructsOfClient>()
  for (const { row, struct } of part) {
    const range = ranges.get(row.client)
    if (range === undefined) ranges.set(row.client, { count: 1, from: struct, to: struct })
    else {
      range.count++
      range.to = struct
    }
  }
  return ranges
}

function byClient(deleted: readonly DeletedRange[]): ReadonlyMap<number, DeletedRange[]> {
  const clients = new Map<number, DeletedRange[]>()
  for (const range of deleted) {
    const known = clients.get(range.client)
    if (known === undefined) clients.set(range.client, [range])
    else known.push(range)
  }
  return clients
}

function encodePart(
  update: Uint8Array,
  part: readonly OrderedStruct[],
  deleted: readonly DeletedRange[],
): Uint8Array {
  const encoder = encoding.createEncoder()
  const ranges = rangesOf(part)
  encoding.writeVarUint(encoder, ranges.size)
  for (const [client, { count, from, to }] of ranges) {
    encoding.writeVarUint(encoder, count)
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, from.clock)
    encoding.writeUint8Array(encoder, update.subarray(from.from, to.to))
  }
  const clients = byClient(deleted)
  encoding.writeVarUint(encoder, clients.size)
  for (const [client, rangesOfClient] of clients) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, rangesOfClient.length)
    for (const { clock, end } of rangesOfClient) {
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarUint(encoder, end - clock)
    }
  }
  return encoding.toUint8Array(encoder)
}

export interface Applying {
  /** Whether an id is in the document by now. */
  has(id: StructId): boolean
  /** How long all of it takes, about. */
  readonly micros: number
  /** Structs, or deleted ranges, that one of them brings at most. */
  readonly piecesAtOnce: number
  /** What is done before the first of them, with what was read, in steps. */
  onRead?(parsed: ParsedUpdate): Iterable<unknown>
}

/**
 * An admitted update as many small ones which, applied in this order, are the same; nothing where
 * it takes another step to find the next.
 */
export function* smallUpdatesOf(
  update: Uint8Array,
  { has, micros, piecesAtOnce: most, onRead }: Applying,
): Generator<Uint8Array | undefined, void> {
  const reading = readingUpdate(update)
  let read = reading.next()
  for (; read.done !== true; read = reading.next()) yield undefined
  const { sections, deleted } = read.value
  for (const _ of onRead?.(read.value) ?? []) yield undefined
  const pieces = sections.reduce((sum, { structs }) => sum + structs.length, deleted.length)
  const fair = Math.floor((pieces * limits.turnMs * 1_000) / micros)
  const piecesAtOnce = Math.max(1, Math.min(most, fair))
  const walk = inCausalOrder(sections, causally(has))
  let structs: OrderedStruct[] = []
  let next = walk.next()
  for (; next.done !== true; next = walk.next()) {
    structs.push(next.value)
    if (structs.length < piecesAtOnce) continue
    yield encodePart(update, structs, [])
    structs = []
  }
  if (!next.value) throw new TypeError('an admitted update refers to what is not there')
  if (structs.length > 0) yield encodePart(update, structs, [])
  for (let at = 0; at < deleted.length; at += piecesAtOnce) {
    yield encodePart(update, [], deleted.slice(at, at + piecesAtOnce))
  }
}

/** How structs refer to each other, and to what is there. */
export const causally = (isKnown: (id: StructId) => boolean): Reading<Struct> => ({
  endOf: ({ clock, length }) => clock + length,
  isKnown,
  refersTo: ({ origin, rightOrigin, parent }) => [
    origin,
    rightOrigin,
    parent === 'root' ? undefined : parent,
  ],
})
