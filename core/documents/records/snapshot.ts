/**
 * The whole Y.Doc as one record: Yjs updates (V2) that each refer only to what is in those before
 * them, small enough that a document is loaded in many short steps; the last one has all that is
 * deleted. Invariant: applied in their order they leave nothing pending and make the document that
 * was written. Knows neither log nor store.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { finish, type Steps } from '../../../schema/steps.ts'
import { inCausalOrder, type Reading } from '../causal-order.ts'

type Struct = Y.Item | Y.GC

const format = 2

/** About as many structs are read, decoded and integrated in some milliseconds. */
const structsPerSlice = 2_000
/** A struct counts once more for so many of its characters. */
const charsPerStruct = 64

export function encodeSnapshot(ydoc: Y.Doc): Uint8Array {
  return finish(encodingSnapshot(ydoc))
}

/** The same a slice a step; nobody may write to the document meanwhile. */
export function* encodingSnapshot(ydoc: Y.Doc): Steps<Uint8Array> {
  const slices: Uint8Array[] = []
  for (const slice of slicesOf(ydoc.store)) {
    slices.push(encodeSlice(slice))
    yield
  }
  // Of a copy that has all structs it is only the deletions that are missing.
  slices.push(Y.encodeStateAsUpdateV2(ydoc, Y.encodeStateVector(ydoc)))
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, format)
  encoding.writeVarUint(encoder, slices.length)
  for (const slice of slices) encoding.writeVarUint8Array(encoder, slice)
  return encoding.toUint8Array(encoder)
}

/** The updates (V2) of a snapshot in their order. Throws when the bytes are of another format. */
export function decodeSnapshot(value: Uint8Array): readonly Uint8Array[] {
  const decoder = decoding.createDecoder(value)
  if (decoding.readVarUint(decoder) !== format) throw new Error('unknown snapshot format')
  const count = decoding.readVarUint(decoder)
  return Array.from({ length: count }, () => decoding.readVarUint8Array(decoder))
}

/** For each client consecutive structs, in the order in which the clients were first met. */
type Slice = Map<number, Struct[]>

/**
 * All structs, each after what it refers to. Higher clients go first where the order is free, which
 * is how Yjs itself has the least conflicts to resolve.
 */
function* slicesOf(store: Y.Doc['store']): Generator<Slice> {
  const rows = Array.from(store.clients, ([client, structs]) => ({ client, structs }))
  rows.sort((a, b) => b.client - a.client)
  const order = inCausalOrder<Struct>(rows, reading)
  let slice: Slice = new Map()
  let weight = 0
  for (let next = order.next(); ; next = order.next()) {
    if (next.done === true) {
      if (!next.value) throw new TypeError('a struct refers to one that is not here')
      break
    }
    const { row, struct } = next.value
    const taken = slice.get(row.client)
    if (taken === undefined) slice.set(row.client, [struct])
    else taken.push(struct)
    weight += weightOf(struct)
    if (weight < structsPerSlice) continue
    yield slice
    slice = new Map()
    weight = 0
  }
  if (slice.size > 0) yield slice
}

const reading: Reading<Struct> = {
  endOf: ({ id, length }) => id.clock + length,
  isKnown: () => false,
  refersTo(struct) {
    if (!(struct instanceof Y.Item)) return []
    const { origin, rightOrigin } = struct
    return origin === null && rightOrigin === null ? [parentOf(struct)] : [origin, rightOrigin]
  },
}

const parentOf = ({ parent }: Y.Item): Y.ID | null =>
  parent instanceof Y.AbstractType ? (parent._item?.id ?? null) : null

const weightOf = (struct: Struct): number =>
  struct instanceof Y.Item && struct.content instanceof Y.ContentString
    ? 1 + struct.length / charsPerStruct
    : 1

function encodeSlice(slice: Slice): Uint8Array {
  const encoder = new Y.UpdateEncoderV2()
  encoding.writeVarUint(encoder.restEncoder, slice.size)
  for (const [client, structs] of slice) {
    encoding.writeVarUint(encoder.restEncoder, structs.length)
    encoder.writeClient(client)
    encoding.writeVarUint(encoder.restEncoder, structs[0]?.id.clock ?? 0)
    for (const struct of structs) struct.write(encoder, 0)
  }
  encoding.writeVarUint(encoder.restEncoder, nothingDeleted)
  return encoder.toUint8Array()
}

const nothingDeleted = 0
