/** What an update deletes, apart from its structs; and updates that do nothing else. */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { StructId, StructRange } from '../../schema/yjs/struct-id.ts'

/** Clocks of a client, `len` of them, as Yjs has them. */
export interface DeletedClocks {
  readonly clock: number
  readonly len: number
}

type OwnRange = Omit<StructRange, 'client'>

export class Deletions {
  readonly #set: ReturnType<typeof Y.decodeUpdate>['ds']
  #joined: Map<number, readonly OwnRange[]> | undefined

  /** Those of an update (V1). */
  constructor(update: Uint8Array) {
    this.#set = Y.decodeUpdate(update).ds
  }

  has(id: StructId): boolean {
    return Y.isDeleted(this.#set, id as Y.ID)
  }

  /** As they stand in the update. */
  get clients(): ReadonlyMap<number, readonly DeletedClocks[]> {
    return this.#set.clients
  }

  /** Those of a client in order, and joined where they touch. */
  joined(client: number): readonly OwnRange[] {
    this.#joined ??= new Map()
    const found = this.#joined.get(client)
    if (found) return found
    const joined: OwnRange[] = []
    const ranges = (this.#set.clients.get(client) ?? []).toSorted((a, b) => a.clock - b.clock)
    for (const { clock, len } of ranges) {
      const last = joined.at(-1)
      if (last === undefined || endOf(last) < clock) joined.push({ clock, length: len })
      else {
        const end = Math.max(endOf(last), clock + len)
        joined[joined.length - 1] = { clock: last.clock, length: end - last.clock }
      }
    }
    this.#joined.set(client, joined)
    return joined
  }
}

const endOf = ({ clock, length }: OwnRange): number => clock + length

/** An update that only deletes these structs. */
export function deletionOf(ids: readonly StructId[]): Uint8Array {
  const byClient = new Map<number, Set<number>>()
  for (const { client, clock } of ids) {
    const clocks = byClient.get(client) ?? new Set()
    byClient.set(client, clocks.add(clock))
  }
  const clients = new Map<number, readonly DeletedClocks[]>()
  for (const [client, clocks] of byClient) {
    clients.set(
      client,
      Array.from(clocks, (clock) => ({ clock, len: 1 })),
    )
  }
  const noStructs = Uint8Array.of(0)
  return Buffer.concat([noStructs, encodeDeleted(clients)])
}

/** What is deleted, as the end of an update, in the order in which Yjs writes it. */
export function encodeDeleted(clients: ReadonlyMap<number, readonly DeletedClocks[]>): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, clients.size)
  for (const [client, ranges] of [...clients].sort(([a], [b]) => b - a)) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, ranges.length)
    for (const { clock, len } of ranges) {
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarUint(encoder, len)
    }
  }
  return encoding.toUint8Array(encoder)
}
