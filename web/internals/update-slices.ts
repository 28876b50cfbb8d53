/**
 * One change that is longer than the service reads at once, as several that it can take one after
 * the other. Yjs has no function that cuts an update, so this reads and writes its structs. Structs
 * of one writer need none that come later, so each slice is whole as far as it goes; it begins with
 * a block of its own. What was there before goes with the first, so that the document in between is
 * no longer than before or after. **Invariant:** taken in their order they are the change.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { limits } from '../../schema/limits.ts'

const sliceBytes = limits.socketMessageMaxBytes / 4

type Struct = ReturnType<typeof Y.decodeUpdate>['structs'][number]
type Deleted = ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>

/** Structs that follow each other, as they are written. */
interface Run {
  readonly clock: number
  readonly encoder: Y.UpdateEncoderV1
  count: number
}

/** The change itself where it has at most `maxBytes`, or is not of one writer alone. */
export function slicesOf(update: Uint8Array, maxBytes: number): readonly Uint8Array[] {
  if (update.length <= maxBytes) return [update]
  const { structs, ds } = Y.decodeUpdate(update)
  const [first] = structs
  if (first === undefined || !isOneRow(structs)) return [update]
  const { client, clock } = first.id
  const old = new Map(ds.clients)
  const ranges = old.get(client) ?? []
  old.set(client, cutAt(ranges, 0, clock))
  const own = new Map([[client, cutAt(ranges, clock, Number.POSITIVE_INFINITY)]])
  const runs = runsOf(structs)
  if (runs.length < 2) return [update]
  return runs.map((run, at) => {
    if (at === 0) return written(client, run, old)
    return written(client, run, at === runs.length - 1 ? own : new Map())
  })
}

const isOneRow = (structs: readonly Struct[]): boolean =>
  structs.every((struct, at) => {
    const { id, length } = structs[at - 1] ?? struct
    const isNext = at === 0 || id.clock + length === struct.id.clock
    return isNext && id.client === struct.id.client && !(struct instanceof Y.Skip)
  })

/** What of these ranges lies between two clocks. */
const cutAt = (
  ranges: readonly { readonly clock: number; readonly len: number }[],
  from: number,
  to: number,
) =>
  ranges.flatMap(({ clock, len }) => {
    const [start, end] = [Math.max(from, clock), Math.min(to, clock + len)]
    return start < end ? [{ clock: start, len: end - start }] : []
  })

/** Of about as many bytes each. */
function runsOf(structs: readonly Struct[]): readonly Run[] {
  const runs: Run[] = []
  /** Clocks of what stands within something that comes with it. */
  const inner = new Set<number>()
  const from = structs[0]?.id.clock ?? 0
  for (const struct of structs) {
    const { clock } = struct.id
    const isInner = struct instanceof Y.Item && isWithin(struct, { from, inner })
    if (isInner) inner.add(clock).add(clock + struct.length - 1)
    let run = runs.at(-1)
    if (!run || (!isInner && encoding.length(run.encoder.restEncoder) >= sliceBytes)) {
      run = { clock, encoder: new Y.UpdateEncoderV1(), count: 0 }
      runs.push(run)
    }
    struct.write(run.encoder, 0)
    run.count++
  }
  return runs
}

interface Brought {
  readonly from: number
  readonly inner: ReadonlySet<number>
}

function isWithin({ id, parent, origin, rightOrigin }: Y.Item, { from, inner }: Brought): boolean {
  const isNew = (place: unknown): place is Y.ID =>
    place instanceof Y.ID && place.client === id.client && place.clock >= from
  if (isNew(parent)) return true
  return [origin, rightOrigin].some((beside) => isNew(beside) && inner.has(beside.clock))
}

function written(client: number, { clock, encoder: body, count }: Run, deleted: Deleted) {
  const encoder = encoding.createEncoder()
  const numbers = (...values: number[]) => {
    for (const value of values) encoding.writeVarUint(encoder, value)
  }
  numbers(1, count, client, clock)
  encoding.writeUint8Array(encoder, body.toUint8Array())
  const rows = [...deleted].filter(([, { length }]) => length > 0)
  numbers(rows.length)
  for (const [of, ranges] of rows) {
    numbers(of, ranges.length)
    for (const range of ranges) numbers(range.clock, range.len)
  }
  return encoding.toUint8Array(encoder)
}
