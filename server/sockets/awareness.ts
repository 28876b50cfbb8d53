/**
 * Who is here: the awareness states of one document (y-protocols' format: clientID, clock, JSON). A
 * socket speaks only for clientIDs reserved for it; entries about others are ignored without a
 * word, because the stock client echoes what it heard. Nothing here is stored.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { limits } from '../../schema/limits.ts'

interface AwarenessState {
  readonly clock: number
  /** JSON; `null` says that the client left. */
  readonly state: string
}

/** A socket that takes part. */
export interface AwarenessMember {
  readonly clients: Set<number>
  /** Whether this clientID is this socket's to speak for. */
  reserve(client: number): boolean
  sendAwareness(update: Uint8Array): void
}

const clientsPerMember = 8

export class AwarenessRoom {
  readonly #states = new Map<number, AwarenessState>()
  readonly #members = new Set<AwarenessMember>()

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** A new member hears who is here. */
  join(member: AwarenessMember): void {
    this.#members.add(member)
    if (this.#states.size > 0) member.sendAwareness(this.#encode(this.#states.keys()))
  }

  /** What a member announced. Malformed bytes throw; too large a message is ignored. */
  receive(member: AwarenessMember, message: Uint8Array): void {
    if (message.length > limits.awarenessMaxBytes) return
    const decoder = decoding.createDecoder(message)
    const count = decoding.readVarUint(decoder)
    const changed: number[] = []
    for (let index = 0; index < count; index++) {
      const client = decoding.readVarUint(decoder)
      const clock = decoding.readVarUint(decoder)
      const state = decoding.readVarString(decoder)
      if (this.#take(member, client, { clock, state })) changed.push(client)
    }
    if (changed.length > 0) this.#broadcast(changed)
  }

  leave(member: AwarenessMember): void {
    this.#members.delete(member)
    const left = [...member.clients].filter((client) => this.#states.has(client))
    for (const client of left) {
      const clock = this.#states.get(client)?.clock ?? 0
      this.#states.set(client, { clock, state: 'null' })
    }
    if (left.length > 0) this.#broadcast(left)
    for (const client of left) this.#states.delete(client)
    member.clients.clear()
  }

  /** The member's own states (to keep an idle stock client from giving up). */
  echo(member: AwarenessMember): Uint8Array {
    return this.#encode([...member.clients].filter((client) => this.#states.has(client)))
  }

  /** Everyone's states, as an answer to a query. */
  all(): Uint8Array {
    return this.#encode(this.#states.keys())
  }

  #take(member: AwarenessMember, client: number, next: AwarenessState): boolean {
    if (!member.clients.has(client)) {
      if (member.clients.size >= clientsPerMember || !member.reserve(client)) return false
      member.clients.add(client)
    }
    const known = this.#states.get(client)
    const isNewer = known === undefined || known.clock < next.clock
    const leaves = next.state === 'null' && known?.clock === next.clock
    if (!isNewer && !leaves) return false
    if (next.state !== 'null') JSON.parse(next.state)
    this.#states.set(client, next)
    return true
  }

  #broadcast(clients: readonly number[]): void {
    const update = this.#encode(clients)
    for (const client of clients) {
      if (this.#states.get(client)?.state === 'null') this.#states.delete(client)
    }
    for (const member of this.#members) member.sendAwareness(update)
  }

  #encode(clients: Iterable<number>): Uint8Array {
    const known = [...clients]
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, known.length)
    for (const client of known) {
      const { clock, state } = this.#states.get(client) ?? { clock: 0, state: 'null' }
      encoding.writeVarUint(encoder, client)
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarString(encoder, state)
    }
    return encoding.toUint8Array(encoder)
  }
}
