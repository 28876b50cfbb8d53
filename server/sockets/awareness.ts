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
  /** Names its credential. */
  readonly holder: string
  /** Whether this clientID is this socket's credential's to speak for. */
  reserve(client: number): boolean
  sendAwareness(frame: Uint8Array): void
}

interface Presence extends AwarenessEntry {
  readonly speaker: AwarenessMember
}

const clientsPerMember = 8
const goneMax = 1_000

/** A shorter broadcast earns no rest; a longer one not more than the most. */
const restFromMs = 2
const restMaxMs = 100

export class AwarenessRoom {
  readonly #present = new Map<number, Presence>()
  /** The last clock of clientIDs that are here no more, and whose they were; oldest first. */
  readonly #gone = new Map<number, { readonly clock: number; readonly holder: string }>()
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
  isNews(member: AwarenessMember, entries: readonly AwarenessEntry[]): boolean {
    return entries.some((entry) => {
      if (member.clients.has(entry.client)) return false
      const known = this.#present.get(entry.client)
      if (known !== undefined) return entry.clock > known.clock
      return entry.state !== 'null' && !this.#isEcho(member, entry)
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
      this.#forget(known)
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
      if (leaves || this.#isEcho(member, entry) || !speaksFor(member, client)) return false
    } else {
      const ends = leaves && clock === known.clock && known.speaker === member
      if ((clock <= known.clock && !ends) || !speaksFor(member, client)) return false
      if (known.speaker !== member) known.speaker.clients.delete(client)
    }
    if (known !== undefined && leaves) this.#forget({ ...known, clock })
    else this.#present.set(client, { client, clock, state, speaker: member })
    return true
  }

  /**
   * A stock client repeats what it has heard; of one who has just left it would be taken at its
   * word, and who comes back would find the clientID another's.
   */
  #isEcho({ holder }: AwarenessMember, { client, clock }: AwarenessEntry): boolean {
    const gone = this.#gone.get(client)
    return gone !== undefined && gone.holder !== holder && clock <= gone.clock
  }

  #forget({ client, clock, speaker: { holder } }: Presence): void {
    this.#present.delete(client)
    this.#gone.delete(client)
    this.#gone.set(client, { clock, holder })
    const [oldest] = this.#gone.keys()
    if (this.#gone.size > goneMax && oldest !== undefined) this.#gone.delete(oldest)
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
