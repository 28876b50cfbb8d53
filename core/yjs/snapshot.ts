/**
 * The whole Y.Doc as one record: Yjs updates (V2) that each refer only to what is in those before
 * them; the last one has all that is deleted. A snapshot grows: the next one takes over the slices
 * of the one before and adds what is new, until half as much again is added; then all is written
 * afresh, without what was deleted.
 * Invariant: applied in their order they leave nothing pending and make the document that was
 * written. Knows neither log nor store.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { inCausalOrder, type Reading } from './causal-order.ts'

type Struct = Y.Item | Y.GC

const format = 3
/** Without what is needed to grow. */
const oldFormat = 2

/** About as many structs are read, decoded and integrated in some milliseconds. */
const structsPerSlice = 2_000
/** A struct counts once more for so many of its characters. */
const charsPerStruct = 64

/** A snapshot taken apart. */
interface Parts {
  /** Bytes of structs when all were last written afresh. */
  readonly afresh: number
  /** How far each client's structs go. */
  readonly reached: ReadonlyMap<number, number>
  readonly slices: readonly Uint8Array[]
  readonly deletions: Uint8Array
}

const nothing: Parts = {
  afresh: 0,
  reached: new Map(),
  slices: [],
  deletions: new Uint8Array(),
}

/** `before`: a snapshot of the same document, from which it grows. */
export function encodeSnapshot(ydoc: Y.Doc, before?: Uint8Array): Uint8Array {
  const { afresh, reached, slices } = before === undefined ? nothing : roomy(partsOf(before))
  const all = [...slices]
  for (const slice of slicesOf(ydoc.store, reached)) {
    all.push(encodeSlice(slice, reached))
  }
  // Of a copy that has all structs it is only the deletions that are missing.
  const vector = Y.encodeStateVector(ydoc)
  const deletions = Y.encodeStateAsUpdateV2(ydoc, vector)
  return joined({ afresh: afresh || sizeOf(all), vector, slices: all, deletions })
}

/** The same of a document whose structs come one by one, all of one client, none deleted. */
export class SnapshotWriter {
  readonly #client: number
  readonly #slices: Uint8Array[] = []
  #structs: Struct[] = []
  #weight = 0
  #clock = 0

  constructor(client: number) {
    this.#client = client
  }

  /** Where the next struct begins. */
  get next(): Y.ID {
    return Y.createID(this.#client, this.#clock)
  }

  /** It refers only to what was added before. */
  add(struct: Struct): void {
    this.#structs.push(struct)
    this.#clock += struct.length
    this.#weight += weightOf(struct)
    if (this.#weight >= structsPerSlice) this.#cut()
  }

  finish(): Uint8Array {
    if (this.#structs.length > 0) this.#cut()
    const slices = this.#slices
    const vector = Y.encodeStateVector(new Map([[this.#client, this.#clock]]))
    const deletions = Y.encodeStateAsUpdateV2(new Y.Doc())
    return joined({ afresh: sizeOf(slices), vector, slices, deletions })
  }

  #cut(): void {
    this.#slices.push(encodeSlice(new Map([[this.#client, this.#structs]]), nothing.reached))
    this.#structs = []
    this.#weight = 0
  }
}

interface Written extends Omit<Parts, 'reached'> {
  readonly vector: Uint8Array
}

function joined({ afresh, vector, slices, deletions }: Written): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, format)
  encoding.writeVarUint(encoder, afresh)
  encoding.writeVarUint8Array(encoder, vector)
  encoding.writeVarUint(encoder, slices.length + 1)
  for (const slice of slices) encoding.writeVarUint8Array(encoder, slice)
  encoding.writeVarUint8Array(encoder, deletions)
  return encoding.toUint8Array(encoder)
}

/** The updates (V2) of a snapshot in their order. Throws when the bytes are of another format. */
export function decodeSnapshot(value: Uint8Array): readonly Uint8Array[] {
  const { slices, deletions } = partsOf(value)
  return [...slices, deletions]
}

function partsOf(value: Uint8Array): Parts {
  const decoder = decoding.createDecoder(value)
  const written = decoding.readVarUint(decoder)
  if (written !== format && written !== oldFormat) throw new Error('unknown snapshot format')
  const isOld = written === oldFormat
  const afresh = isOld ? 0 : decoding.readVarUint(decoder)
  const reached = isOld ? nothing.reached : Y.decodeStateVector(decoding.readVarUint8Array(decoder))
  const count = decoding.readVarUint(decoder)
  const slices = Array.from({ length: count }, () => decoding.readVarUint8Array(decoder))
  const deletions = slices.pop() ?? nothing.deletions
  return { afresh, reached, slices, deletions }
}

/** What may grow: else all is written afresh. */
const roomy = (parts: Parts): Parts => (sizeOf(parts.slices) < parts.afresh * 1.5 ? parts : nothing)

const sizeOf = (slices: readonly Uint8Array[]): number =>
  slices.reduce((sum, slice) => sum + slice.length, 0)

/** For each client consecutive structs, in the order in which the clients were first met. */
type Slice = Map<number, Struct[]>

/**
 * All structs that go beyond `reached`, each after what it refers to. Higher clients go first where
 * the order is free, which is how Yjs itself has the least conflicts to resolve.
 */
function* slicesOf(store: Y.Doc['store'], reached: Parts['reached']): Generator<Slice> {
  const rows = Array.from(store.clients, ([client, structs]) => {
    const from = reached.get(client) ?? 0
    const isNew = from < Y.getState(store, client)
    const first = isNew ? Y.findIndexSS(structs, from) : structs.length
    return { client, structs: first === 0 ? structs : structs.slice(first) }
  })
  rows.sort((a, b) => b.client - a.client)
  const order = inCausalOrder<Struct>(rows, {
    ...reading,
    isKnown: ({ client, clock }) => clock < (reached.get(client) ?? 0),
  })
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

const reading: Pick<Reading<Struct>, 'endOf' | 'refersTo'> = {
  endOf: ({ id, length }) => id.clock + length,
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

function encodeSlice(slice: Slice, reached: Parts['reached']): Uint8Array {
  const encoder = new Y.UpdateEncoderV2()
  encoding.writeVarUint(encoder.restEncoder, slice.size)
  for (const [client, structs] of slice) {
    encoding.writeVarUint(encoder.restEncoder, structs.length)
    encoder.writeClient(client)
    const begins = structs[0]?.id.clock ?? 0
    const clock = Math.max(begins, reached.get(client) ?? 0)
    encoding.writeVarUint(encoder.restEncoder, clock)
    let offset = clock - begins
    for (const struct of structs) {
      struct.write(encoder, offset)
      offset = 0
    }
  }
  encoding.writeVarUint(encoder.restEncoder, nothingDeleted)
  return encoder.toUint8Array()
}

const nothingDeleted = 0
