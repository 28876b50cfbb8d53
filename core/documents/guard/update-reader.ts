/**
 * Reads the bytes of a Yjs update (V1) into flat records, without a Y.Doc and without recursion.
 * Invariant: costs time and memory in proportion to the bytes, whatever numbers they claim; every
 * content that no place in a document can hold is refused here. Knows nothing of the document, so
 * neither whether referenced ids exist nor what their parents may hold.
 */
import * as decoding from 'lib0/decoding'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { type Content, readContent } from './content-reader.ts'
import { clockMax, malformed, readByte, readCount, readLength, readNumber } from './numbers.ts'
import { Unfit } from './unfit.ts'

/** One struct; `from` and `to` are its bytes in the update. */
export interface Struct {
  readonly clock: number
  readonly length: number
  readonly from: number
  readonly to: number
  readonly origin: StructId | undefined
  readonly rightOrigin: StructId | undefined
  /** Undefined: the parent of `origin` or `rightOrigin`. */
  readonly parent: StructId | 'root' | undefined
  readonly sub: string | undefined
  readonly content: Content
}

/** The structs of one client, in clock order without holes (a Skip names a hole). */
export interface Section {
  readonly client: number
  readonly structs: readonly Struct[]
}

export interface DeletedRange {
  readonly client: number
  readonly clock: number
  readonly end: number
}

export interface ParsedUpdate {
  readonly sections: readonly Section[]
  readonly deleted: readonly DeletedRange[]
  /** Where the delete set begins in the bytes. */
  readonly deletedFrom: number
}

const contentBits = 0b0001_1111
const hasSub = 0b0010_0000
const hasRightOrigin = 0b0100_0000
const hasOrigin = 0b1000_0000
const skipRef = 10

const readClient = (decoder: decoding.Decoder): number =>
  readNumber(decoder, Number.MAX_SAFE_INTEGER)

const readId = (decoder: decoding.Decoder): StructId => ({
  client: readClient(decoder),
  clock: readNumber(decoder, clockMax),
})

function readParent(decoder: decoding.Decoder): StructId | 'root' {
  if (decoding.readVarUint(decoder) !== 1) return readId(decoder)
  if (decoding.readVarString(decoder) !== fragmentName) {
    throw new Unfit(4403, 'a root type is not of this document')
  }
  return 'root'
}

function readItem(decoder: decoding.Decoder, info: number, clock: number): Struct {
  const from = decoder.pos - 1
  const origin = (info & hasOrigin) !== 0 ? readId(decoder) : undefined
  const rightOrigin = (info & hasRightOrigin) !== 0 ? readId(decoder) : undefined
  const named = origin === undefined && rightOrigin === undefined
  const parent = named ? readParent(decoder) : undefined
  const sub = named && (info & hasSub) !== 0 ? decoding.readVarString(decoder) : undefined
  const [content, length] = readContent(decoder, info & contentBits)
  if (length === 0) malformed('a struct is empty')
  return { clock, length, from, to: decoder.pos, origin, rightOrigin, parent, sub, content }
}

const gc: Content = { kind: 'gc' }
const skip: Content = { kind: 'skip' }

function readStruct(decoder: decoding.Decoder, clock: number): Struct {
  const info = readByte(decoder)
  const ref = info & contentBits
  if (ref !== 0 && ref !== skipRef) return readItem(decoder, info, clock)
  const from = decoder.pos - 1
  const content = ref === 0 ? gc : skip
  const length = readLength(decoder)
  return {
    clock,
    length,
    from,
    to: decoder.pos,
    origin: undefined,
    rightOrigin: undefined,
    parent: undefined,
    sub: undefined,
    content,
  }
}

function readSection(decoder: decoding.Decoder): Section {
  const count = readCount(decoder, 2)
  const client = readClient(decoder)
  let clock = readNumber(decoder, clockMax)
  const structs: Struct[] = []
  for (let left = count; left > 0; left--) {
    const struct = readStruct(decoder, clock)
    structs.push(struct)
    clock += struct.length
    if (clock > clockMax) malformed('a clock is out of range')
  }
  return { client, structs }
}

function readDeleted(decoder: decoding.Decoder): DeletedRange[] {
  const ranges: DeletedRange[] = []
  for (let clients = readCount(decoder, 2); clients > 0; clients--) {
    const client = readClient(decoder)
    for (let left = readCount(decoder, 2); left > 0; left--) {
      const clock = readNumber(decoder, clockMax)
      const end = clock + readLength(decoder)
      ranges.push({ client, clock, end })
    }
  }
  return ranges
}

/** Throws `Unfit`, or whatever lib0, TextDecoder and JSON throw on bytes they cannot read. */
export function readUpdate(update: Uint8Array): ParsedUpdate {
  const decoder = decoding.createDecoder(update)
  const sections: Section[] = []
  const count = readCount(decoder, 3)
  const clients = count > 1 ? new Set<number>() : undefined
  for (let left = count; left > 0; left--) {
    const section = readSection(decoder)
    if (clients?.has(section.client)) malformed('a client comes twice')
    clients?.add(section.client)
    sections.push(section)
  }
  const deletedFrom = decoder.pos
  const ranges = readDeleted(decoder)
  if (decoder.pos !== update.length) malformed('bytes follow its end')
  return { sections, deleted: ranges, deletedFrom }
}

/** Reads a state vector: the next clock of each client. Throws as `readUpdate` does. */
export function readStateVector(vector: Uint8Array): readonly StructId[] {
  const decoder = decoding.createDecoder(vector)
  const ids: StructId[] = []
  for (let left = readCount(decoder, 2); left > 0; left--) ids.push(readId(decoder))
  if (decoder.pos !== vector.length) malformed('bytes follow its end')
  return ids
}
