/**
 * Which actor a Yjs clientID belongs to. A durable owner is for ever; a reservation lives in
 * memory, belongs to a credential, and stays for a while after its last socket has closed, since an
 * editor comes back under the clientID it had. Knows no structs: the caller says when one is
 * accepted.
 */
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'

export const reservationsMax = 4_000

export interface Owner {
  readonly client: number
  readonly actor: ActorId
}

interface Reservation {
  readonly holder: string
  readonly actor: ActorId
  /** Where it comes from: what one network keeps must not push out what others keep. */
  readonly source: string
  /** Undefined while its holder is here. */
  readonly until: number | undefined
}

/** Who asks for a clientID. */
export interface Claimant {
  readonly holder: string
  readonly actor: ActorId
  readonly source: string
}

/** By clientID. */
export type Reservations = ReadonlyMap<number, Reservation>

export class Owners implements Participant {
  readonly section = 'client'
  readonly #durable = new Map<number, ActorId>()
  readonly #reserved = new Map<number, Reservation>()
  #fresh: Owner[] = []
  readonly #now: () => number

  /** `now`: ms of a clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now
  }

  load(records: readonly StoredRecord[]): void {
    for (const record of records) {
      this.set(Number(record.path[0]), recordOf<Omit<Owner, 'client'>>(record).actor)
    }
  }

  /** Who owns a clientID, in the order of the stored records. */
  get actors(): Iterable<ActorId> {
    return this.#durable.values()
  }

  commit(_: unknown, records: RecordWriter): void {
    if (this.#fresh.length === 0) return
    for (const { client, actor } of this.#fresh) records.put([client], jsonRecord({ actor }))
    this.#fresh = []
  }

  set(client: number, actor: ActorId): void {
    this.#durable.set(client, actor)
  }

  durable(client: number): ActorId | undefined {
    return this.#durable.get(client)
  }

  of(client: number): ActorId | undefined {
    return this.#durable.get(client) ?? this.#reservation(client)?.actor
  }

  holderOf(client: number): string | undefined {
    return this.#reservation(client)?.holder
  }

  reserve(client: number, { holder, actor, source }: Claimant): boolean {
    const owner = this.#durable.get(client)
    if (owner !== undefined) return owner === actor
    const reservation = this.#reservation(client)
    if (reservation !== undefined && reservation.holder !== holder) return false
    this.#reserved.set(client, { holder, actor, source, until: undefined })
    return true
  }

  get reservations(): Reservations {
    return this.#reserved
  }

  /** `isHere`: whether a holder has a socket. */
  recall(reservations: Reservations, isHere: (holder: string) => boolean): void {
    for (const [client, reservation] of reservations) {
      if (this.#durable.has(client)) continue
      const until = isHere(reservation.holder) ? undefined : (reservation.until ?? this.#later)
      this.#reserved.set(client, { ...reservation, until })
    }
  }

  renew(holder: string, actor: ActorId): void {
    for (const [client, reservation] of this.#reserved) {
      if (reservation.holder === holder) this.#reserved.set(client, { ...reservation, actor })
    }
  }

  /** Its last socket has closed. */
  release(holder: string): void {
    const its = [...this.#reserved].filter(([, reservation]) => reservation.holder === holder)
    for (const [client, reservation] of its) {
      // Behind those that were released before.
      this.#reserved.delete(client)
      this.#reserved.set(client, { ...reservation, until: this.#later })
    }
    if (this.#reserved.size > reservationsMax) this.#makeRoom()
  }

  get #later(): number {
    return this.#now() + limits.reservationKeptMs
  }

  #reservation(client: number): Reservation | undefined {
    const found = this.#reserved.get(client)
    if (found?.until === undefined || found.until > this.#now()) return found
    this.#reserved.delete(client)
    return undefined
  }

  /** What has run out goes, then the oldest of the source that keeps the most. */
  #makeRoom(): void {
    const kept = new Map<string, number[]>()
    for (const [client, { source, until }] of this.#reserved) {
      if (until === undefined) continue
      if (until <= this.#now()) this.#reserved.delete(client)
      else if (kept.get(source)?.push(client) === undefined) kept.set(source, [client])
    }
    while (this.#reserved.size > reservationsMax) {
      const [most] = [...kept.values()].sort((a, b) => b.length - a.length)
      const client = most?.shift()
      if (client === undefined) return
      this.#reserved.delete(client)
    }
  }

  claim(client: number, actor: ActorId): void {
    const owner = this.#durable.get(client)
    if (owner === actor) return
    if (owner !== undefined) throw new TypeError(`client ${client} belongs to another actor`)
    this.#reserved.delete(client)
    this.#durable.set(client, actor)
    this.#fresh.push({ client, actor })
  }
}
