/**
 * Which actor a Yjs clientID belongs to. A durable owner is for ever; a reservation lives in
 * memory, belongs to a credential and ends with it. Knows no structs: the caller says when one is
 * accepted.
 */
import type { ActorId } from '../../../schema/ids.ts'

export interface Owner {
  readonly client: number
  readonly actor: ActorId
}

interface Reservation {
  readonly holder: string
  readonly actor: ActorId
}

/** By clientID. */
export type Reservations = ReadonlyMap<number, Reservation>

export class Owners {
  readonly #durable = new Map<number, ActorId>()
  readonly #reserved = new Map<number, Reservation>()
  #fresh: Owner[] = []

  load(client: number, actor: ActorId): void {
    this.#durable.set(client, actor)
  }

  durable(client: number): ActorId | undefined {
    return this.#durable.get(client)
  }

  of(client: number): ActorId | undefined {
    return this.#durable.get(client) ?? this.#reserved.get(client)?.actor
  }

  holderOf(client: number): string | undefined {
    return this.#reserved.get(client)?.holder
  }

  reserve(client: number, holder: string, actor: ActorId): boolean {
    const owner = this.#durable.get(client)
    if (owner !== undefined) return owner === actor
    const reservation = this.#reserved.get(client)
    if (reservation !== undefined && reservation.holder !== holder) return false
    this.#reserved.set(client, { holder, actor })
    return true
  }

  get reservations(): Reservations {
    return this.#reserved
  }

  recall(reservations: Reservations): void {
    for (const [client, { holder, actor }] of reservations) this.reserve(client, holder, actor)
  }

  renew(holder: string, actor: ActorId): void {
    for (const [client, reservation] of this.#reserved) {
      if (reservation.holder === holder) this.#reserved.set(client, { holder, actor })
    }
  }

  release(holder: string): void {
    for (const [client, reservation] of this.#reserved) {
      if (reservation.holder === holder) this.#reserved.delete(client)
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

  takeFresh(): Owner[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}
