/**
 * Who is here: the awareness states of one document. A socket speaks only for clientIDs reserved
 * for its credential, and each clientID has one socket that speaks for it; other entries are
 * ignored without a word, because the stock client echoes what it heard. Nothing here is stored.
 * What many say in one turn goes out as one frame, and after a broadcast to a crowd the next waits
 * as long as that took: n carets that move are n frames to each of n sockets otherwise.
 */
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { AwarenessEntry } from './awareness-update.ts'
import { awarenessFrame } from './messages.ts'

/** A socket that takes part. */
export interface AwarenessMember {
  readonly clients: Set<number>
  /** Whether this clientID is this socket's credential's to speak for. */
  reserve(client: number): boolean
  sendAwareness(frame: Uint8Array): void
}

interface Presence extends AwarenessEntry {
  readonly speaker: AwarenessMember
}

const clientsPerMember = 8

/** A shorter broadcast earns no rest; a longer one not more than the most. */
const restFromMs = 2
const restMaxMs = 100

export class AwarenessRoom {
  readonly #present = new Map<number, Presence>()
  readonly #members = new Set<AwarenessMember>()
  readonly #runtime: Runtime
  /** What the members have not heard yet, by client. */
  readonly #news = new Map<number, AwarenessEntry>()
  #next: Timer | undefined
  #restsUntil = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** A new member hears who is here. */
  join(member: AwarenessMember): void {
    this.#members.add(member)
    if (this.#present.size > 0) member.sendAwareness(this.all())
  }

  /** Whether a member speaks for a clientID for the first time. */
  isNews({ clients }: AwarenessMember, entries: readonly AwarenessEntry[]): boolean {
    return entries.some(({ client, clock, state }) => {
      if (clients.has(client)) return false
      const known = this.#present.get(client)
      return known === undefined ? state !== 'null' : clock > known.clock
    })
  }

  /** What a member announced. */
  receive(member: AwarenessMember, entries: readonly AwarenessEntry[]): void {
    const taken = entries.filter((entry) => this.#take(member, entry))
    if (taken.length > 0) this.#broadcast(taken)
  }

  leave(member: AwarenessMember): void {
    this.#members.delete(member)
    const left: AwarenessEntry[] = []
    for (const client of member.clients) {
      const known = this.#present.get(client)
      if (known?.speaker !== member) continue
      this.#present.delete(client)
      left.push({ client, clock: known.clock, state: 'null' })
    }
    member.clients.clear()
    if (left.length > 0) this.#broadcast(left)
  }

  /** A frame with the member's own states (to keep an idle stock client from giving up). */
  echo(member: AwarenessMember): Uint8Array {
    return awarenessFrame([...this.#present.values()].filter((one) => one.speaker === member))
  }

  /** A frame with everyone's states. */
  all(): Uint8Array {
    return awarenessFrame([...this.#present.values()])
  }

  #take(member: AwarenessMember, entry: AwarenessEntry): boolean {
    const { client, clock, state } = entry
    const known = this.#present.get(client)
    const leaves = state === 'null'
    if (known === undefined) {
      if (leaves || !speaksFor(member, client)) return false
    } else {
      const ends = leaves && clock === known.clock && known.speaker === member
      if ((clock <= known.clock && !ends) || !speaksFor(member, client)) return false
      if (known.speaker !== member) known.speaker.clients.delete(client)
    }
    if (leaves) this.#present.delete(client)
    else this.#present.set(client, { client, clock, state, speaker: member })
    return true
  }

  #broadcast(entries: readonly AwarenessEntry[]): void {
    for (const entry of entries) this.#news.set(entry.client, entry)
    if (this.#next !== undefined) return
    const wait = Math.max(0, this.#restsUntil - this.#runtime.elapsed())
    this.#next = this.#runtime.after(wait, () => this.#tell())
  }

  #tell(): void {
    this.#next = undefined
    const started = this.#runtime.elapsed()
    const frame = awarenessFrame([...this.#news.values()])
    this.#news.clear()
    for (const member of this.#members) member.sendAwareness(frame)
    const ended = this.#runtime.elapsed()
    const took = ended - started
    if (took >= restFromMs) this.#restsUntil = ended + Math.min(took, restMaxMs)
  }
}

/** A client that comes back on another socket of its credential is that one's from then on. */
function speaksFor(member: AwarenessMember, client: number): boolean {
  if (member.clients.has(client)) return true
  if (member.clients.size >= clientsPerMember || !member.reserve(client)) return false
  member.clients.add(client)
  return true
}
