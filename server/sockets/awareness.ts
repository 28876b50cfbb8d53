/**
 * Who is here: the awareness states of one document. A socket speaks only for clientIDs reserved
 * for its credential, and each clientID has one socket that speaks for it; other entries are
 * ignored, because a stock client repeats what it was sent. Of a client's states only the newest is
 * kept, and it is looked at when it is sent: a flood costs no more than is sent. Nothing is stored.
 */
import { limits } from '../../schema/limits.ts'
import { printState, type SaidState } from '../../schema/presence-state.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Allowance } from './allowance.ts'
import {
  type AwarenessEntry,
  decodeAwareness,
  encodeEntry,
  isNull,
  judge,
} from './awareness-update.ts'
import { awarenessMessage } from './messages.ts'
import { type AwarenessMember, type Claim, PresencePeer } from './presence-peer.ts'
import { SendQueue } from './send-queue.ts'
import { SentStates } from './sent-states.ts'
import { type Guest, ShownStates } from './shown-states.ts'
import { wholeFrame } from './socket.ts'

const clientsPerMember = 8
/** Around a state, about, when it is sent. */
const userBytes = 100
/** After a broadcast the next waits as long as that took, up to the most. */
const restMaxMs = 100

const nameless = { actor: undefined, name: undefined }

/** A client that a socket speaks for. */
interface Presence extends Guest {
  readonly client: number
  readonly speaker: PresencePeer
  /** As its client counts. */
  clock: number
  /** Newer than the state, and not looked at. */
  said: Uint8Array | undefined
  /** The last good one. */
  state: SaidState | undefined
}

export class AwarenessRoom {
  readonly #runtime: Runtime
  readonly #present = new Map<number, Presence>()
  readonly #speakers = new Map<AwarenessMember, PresencePeer>()
  readonly #shown = new ShownStates<Presence>()
  readonly #told = new SentStates()
  readonly #news = new SendQueue()
  readonly #bandwidth: Allowance
  #isWaking = false
  #restsUntil = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    const { presenceBytesPerSecond: perSecond, presenceFrameMaxBytes: atOnce } = limits
    this.#bandwidth = new Allowance({ runtime, perSecond, atOnce })
  }

  get isEmpty(): boolean {
    return this.#speakers.size === 0
  }

  /** How many people are here of whom nothing is shown. */
  get hiddenCount(): number {
    return this.#shown.hiddenCount
  }

  join(member: AwarenessMember): void {
    this.#speakers.set(member, new PresencePeer(member, this.#told, this.#runtime))
  }

  /** From now on the member is sent who is here, and what is new. */
  open(member: AwarenessMember): void {
    this.#speakers.get(member)?.open()
  }

  /** The member asked who is here. */
  ask(member: AwarenessMember): void {
    this.#speakers.get(member)?.ask()
  }

  /** A message of a member; one that is malformed ends it. */
  receive(member: AwarenessMember, update: Uint8Array): void {
    const speaker = this.#speakers.get(member)
    const who = member.who()
    const entries = decodeAwareness(update)
    if (entries === undefined) member.refuse()
    if (entries === undefined || speaker === undefined || who === undefined) return
    const asked: number[] = []
    for (const entry of entries) {
      const presence = this.#present.get(entry.client)
      if (presence?.speaker === speaker) this.#goOn(presence, entry)
      else if (isNull(entry.state)) speaker.claims.delete(entry.client)
      else if (this.#claim(speaker, { ...entry, who })) asked.push(entry.client)
    }
    if (asked.length > 0) void this.#reserve(speaker, asked)
  }

  /** A member is called something else now. */
  renamed(member: AwarenessMember): void {
    for (const presence of this.#of(member)) this.#tell(presence)
  }

  leave(member: AwarenessMember): void {
    for (const presence of this.#of(member)) this.#remove(presence)
    this.#speakers.get(member)?.close()
    this.#speakers.delete(member)
  }

  /** A message with the member's own states (to keep an idle stock client from giving up). */
  echo(member: AwarenessMember): Uint8Array {
    const own = this.#of(member).flatMap(({ client, clock, state }) => {
      return state === undefined ? [] : encodeEntry(client, clock, printed(state, member))
    })
    return awarenessMessage(own)
  }

  #of(member: AwarenessMember): Presence[] {
    const clients = this.#speakers.get(member)?.clients ?? []
    return [...clients].flatMap((client) => this.#present.get(client) ?? [])
  }

  /** A client that repeats what it was sent repeats the clock too. */
  #mayClaim(speaker: PresencePeer, { client, clock, who }: Claim): boolean {
    const known = this.#present.get(client)
    const told = this.#told.get(client)
    if (known?.speaker === speaker) return false
    if (known === undefined && told?.holder === who.holder) return true
    return clock > Math.max(known?.clock ?? -1, told?.clock ?? -1)
  }

  /** Whether the document is to be asked for the clientID. */
  #claim(speaker: PresencePeer, claim: Claim): boolean {
    const { client } = claim
    const { claims, clients, tries } = speaker
    const isAsked = claims.has(client)
    const isFull = clients.size + claims.size >= clientsPerMember
    const isNew = !isAsked && !clients.has(client)
    if ((isNew && isFull) || !this.#mayClaim(speaker, claim) || !tries.take(1)) return false
    if (clients.has(client)) this.#begin(speaker, claim)
    else claims.set(client, { ...claim, state: kept(claim.state) })
    return isNew
  }

  async #reserve(speaker: PresencePeer, asked: readonly number[]): Promise<void> {
    const { member, claims } = speaker
    try {
      const reserved = await member.reserve(asked)
      for (const client of asked) {
        const claim = claims.get(client)
        claims.delete(client)
        // Others may have spoken since it was made.
        if (claim === undefined || !this.#mayClaim(speaker, claim)) continue
        if (reserved.includes(client)) this.#begin(speaker, claim)
      }
    } catch (error) {
      member.fail(error)
    }
  }

  /** A client that comes back on another socket of its credential is that one's from then on. */
  #begin(speaker: PresencePeer, { client, clock, state, who }: Claim): void {
    const { member } = speaker
    if (this.#speakers.get(member) !== speaker) return
    const before = this.#present.get(client)
    if (before !== undefined) {
      before.speaker.clients.delete(client)
      this.#shown.remove(before)
    }
    speaker.clients.add(client)
    const { holder, actor, sources } = who
    const presence = {
      ...{ client, speaker, clock, said: kept(state), state: undefined },
      ...{ holder, person: actor ?? holder, sources },
      get writes() {
        return member.hasWritten
      },
    }
    this.#present.set(client, presence)
    this.#admit(presence)
  }

  /** What a member says of a client of its own. */
  #goOn(presence: Presence, { clock, state }: AwarenessEntry): void {
    const hasLeft = isNull(state)
    if (hasLeft && clock >= presence.clock) this.#remove(presence)
    if (hasLeft || clock <= presence.clock) return
    presence.clock = clock
    presence.said = kept(state) ?? presence.said
    if (this.#shown.isShown(presence)) this.#tell(presence)
    else if (presence.speaker.tries.take(1)) this.#admit(presence)
  }

  /** Shows a client that has something to show, if there is a place. */
  #admit(presence: Presence): void {
    this.#look(presence)
    if (presence.state === undefined || this.#present.get(presence.client) !== presence) return
    const hidden = this.#shown.admit(presence)
    if (hidden !== undefined) this.#hide(hidden.client)
    if (this.#shown.isShown(presence)) this.#tell(presence)
    else this.#hide(presence.client)
  }

  #remove(presence: Presence): void {
    this.#present.delete(presence.client)
    this.#shown.remove(presence)
    this.#hide(presence.client)
  }

  /** Looks at what was said last; a state that breaks a rule is as if unsaid. */
  #look(presence: Presence): void {
    const said = presence.said && judge(presence.said)
    presence.said = undefined
    if (said === 'malformed') presence.speaker.member.refuse()
    else if (said === 'left') this.#remove(presence)
    else presence.state = said ?? presence.state
  }

  #tell(presence: Presence): void {
    if (!this.#shown.isShown(presence)) return
    const { client, said, state } = presence
    this.#news.add(client, (said?.length ?? state?.members.length ?? 0) + userBytes)
    this.#wake()
  }

  #hide(client: number): void {
    if (this.#told.isShown(client)) {
      this.#news.leave(client)
      this.#wake()
    } else this.#news.drop(client)
  }

  #wake(): void {
    if (this.#isWaking) return
    const rest = this.#restsUntil - this.#runtime.elapsed()
    const wait = Math.max(0, rest, this.#bandwidth.waitMs)
    this.#isWaking = true
    this.#runtime.after(wait, () => this.#broadcast())
  }

  /** What many said meanwhile goes out as one frame. */
  #broadcast(): void {
    this.#isWaking = false
    const started = this.#runtime.elapsed()
    const from = this.#told.last
    const entries: Uint8Array[] = []
    for (const { client, bytes } of this.#news.take(limits.presenceFrameMaxBytes)) {
      const entry = this.#entryOf(client)
      if (entry !== undefined) entries.push(entry)
      // A state that could not be sent has cost a look at it.
      this.#bandwidth.spend(entry?.length ?? bytes)
    }
    if (entries.length > 0) {
      const frame = wholeFrame(awarenessMessage(entries))
      for (const speaker of this.#speakers.values()) speaker.hear({ frame, from })
    }
    const ended = this.#runtime.elapsed()
    this.#restsUntil = ended + Math.min(ended - started, restMaxMs)
    if (!this.#news.isEmpty) this.#wake()
  }

  #entryOf(client: number): Uint8Array | undefined {
    const presence = this.#present.get(client)
    if (presence !== undefined) this.#look(presence)
    if (presence === undefined || !this.#shown.isShown(presence)) return this.#told.left(client)
    const { clock, holder, speaker } = presence
    const state = presence.state && printed(presence.state, speaker.member)
    const told = this.#told.get(client)
    // Sent with a later clock than its own, a stock client takes that over and says the same again.
    const isRepeated = told !== undefined && clock <= told.clock && state === told.state
    return state === undefined || isRepeated
      ? undefined
      : this.#told.state(client, { clock, state, holder })
  }
}

/** A copy, as the message around it may be much longer; undefined: the state is too long. */
const kept = (state: Uint8Array | undefined): Uint8Array | undefined =>
  state && state.length <= limits.awarenessStateMaxBytes ? Uint8Array.from(state) : undefined

/** As others see it. */
const printed = (state: SaidState, member: AwarenessMember): string =>
  printState(state, member.who() ?? nameless)
