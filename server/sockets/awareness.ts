/**
 * Who is here: the awareness states of one document. A socket speaks only for clientIDs reserved
 * for its credential, and each clientID has one socket that speaks for it; other entries are
 * ignored without a word, because the stock client echoes what it heard. Nothing here is stored.
 * What is said is looked at when it is told, so that a flood of it costs no more than is told.
 */
import type { SaidState } from '../../schema/presence-state.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type AwarenessEntry, decodeAwareness, isNull } from './awareness-update.ts'
import { Crier } from './crier.ts'
import { Departed } from './departed.ts'
import { awarenessMessage } from './messages.ts'
import { type AwarenessMember, judge, Presence, type Who } from './presence.ts'
import { ShownStates } from './shown-states.ts'
import { Speaker } from './speaker.ts'
import type { Told } from './told.ts'

const clientsPerMember = 8

/** What a member says first of a client. */
interface Claim {
  readonly entry: AwarenessEntry
  readonly who: Who
  /** Undefined: nothing that can be shown. */
  readonly state: SaidState | undefined
}

/** A message that was read. */
interface Said {
  readonly entries: readonly AwarenessEntry[]
  readonly claims: ReadonlyMap<AwarenessEntry, Claim>
}

export class AwarenessRoom {
  readonly #present = new Map<number, Presence>()
  readonly #speakers = new Map<AwarenessMember, Speaker>()
  readonly #shown = new ShownStates<Presence>()
  readonly #departed = new Departed()
  readonly #runtime: Runtime
  readonly #crier: Crier

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#crier = new Crier({
      runtime,
      members: () => this.#speakers.keys(),
      entryOf: (client) => this.#entryOf(client),
      hiddenCount: () => this.#shown.hiddenCount,
    })
  }

  get isEmpty(): boolean {
    return this.#speakers.size === 0
  }

  /** For who has to hear what was said before. */
  get told(): Told {
    return this.#crier.told
  }

  /** How many people are here of whom nothing is shown, as last told. */
  get hiddenCount(): number {
    return this.#crier.count
  }

  join(member: AwarenessMember): void {
    const take = (speaker: Speaker, update: Uint8Array) => this.#take(speaker, update)
    this.#speakers.set(member, new Speaker(member, this.#runtime, take))
  }

  /**
   * A message of a member, taken after those before it; of one that is malformed nothing is taken.
   * False when more of its messages wait than may.
   */
  receive(member: AwarenessMember, update: Uint8Array): boolean {
    return this.#speakers.get(member)?.receive(update) ?? true
  }

  /** A member is called something else now. */
  renamed(member: AwarenessMember): void {
    for (const presence of this.#of(member)) {
      if (this.#shown.isShown(presence)) this.#crier.willTell(presence)
    }
  }

  leave(member: AwarenessMember): void {
    for (const presence of this.#of(member)) this.#remove(presence)
    this.#speakers.delete(member)
  }

  /** A message with the member's own states (to keep an idle stock client from giving up). */
  echo(member: AwarenessMember): Uint8Array {
    return awarenessMessage(this.#of(member).flatMap((presence) => presence.echo() ?? []))
  }

  /** Undefined: it is taken. Else when the clientIDs that it claims are reserved, or refused. */
  #take(speaker: Speaker, update: Uint8Array): Promise<void> | undefined {
    if (!this.#isHere(speaker)) return undefined
    const { member } = speaker
    const who = member.who()
    const entries = entriesOf(update)
    const claims = who && entries && this.#claimsOf(speaker, who, entries)
    if (entries === undefined || claims === 'malformed') member.refuse()
    if (entries === undefined || claims === undefined || claims === 'malformed') return undefined
    const said = { entries, claims }
    const asked = this.#unreserved(speaker, said)
    if (asked.length > 0) return this.#reserve(speaker, said, asked)
    this.#takeAll(speaker, said, speaker.clients)
    return undefined
  }

  /** The clientIDs that a message claims and the speaker has not, as many as it may still have. */
  #unreserved({ clients }: Speaker, { claims }: Said): readonly number[] {
    const claimed = new Set([...claims.keys()].map(({ client }) => client))
    const others = [...claimed].filter((client) => !clients.has(client))
    return others.slice(0, clientsPerMember - clients.size)
  }

  async #reserve(speaker: Speaker, said: Said, asked: readonly number[]): Promise<void> {
    const reserved = await speaker.member.reserve(asked)
    if (this.#isHere(speaker)) {
      this.#takeAll(speaker, said, new Set([...speaker.clients, ...reserved]))
    }
  }

  /** Others may have spoken since the claims were read, so each is looked at once more. */
  #takeAll(speaker: Speaker, { entries, claims }: Said, own: ReadonlySet<number>): void {
    for (const entry of entries) {
      const known = this.#present.get(entry.client)
      const claim = claims.get(entry)
      if (known !== undefined && known.speaker === speaker) this.#goOn(known, entry)
      else if (claim !== undefined && own.has(entry.client)) {
        if (this.#isClaim(speaker, claim.who, entry)) this.#claim(speaker, claim)
      }
    }
  }

  #isHere(speaker: Speaker): boolean {
    return this.#speakers.get(speaker.member) === speaker
  }

  #of(member: AwarenessMember): Presence[] {
    const speaker = this.#speakers.get(member)
    return [...(speaker?.clients ?? [])].flatMap((client) => {
      const presence = this.#present.get(client)
      return presence !== undefined && presence.speaker === speaker ? [presence] : []
    })
  }

  #claimsOf(speaker: Speaker, who: Who, entries: readonly AwarenessEntry[]) {
    const claims = new Map<AwarenessEntry, Claim>()
    for (const entry of entries) {
      if (claims.size === clientsPerMember) break
      if (!this.#isClaim(speaker, who, entry)) continue
      if (!speaker.tries.take(1)) break
      const state = judge(entry.state)
      if (state === 'malformed') return state
      claims.set(entry, { entry, who, state: state === 'left' ? undefined : state })
    }
    return claims
  }

  /** Whether it says something of a client that is another's, or nobody's, so far. */
  #isClaim(speaker: Speaker, { holder }: Who, { client, clock, state }: AwarenessEntry): boolean {
    if (!speaker.clients.has(client) && speaker.clients.size >= clientsPerMember) return false
    const known = this.#present.get(client)
    if (known?.speaker === speaker || isNull(state)) return false
    // Who repeats what was told repeats the clock that was told.
    if (known !== undefined) return clock > Math.max(known.clock, this.told.clockOf(client))
    return !this.#departed.isEcho(client, clock, holder)
  }

  /** A client that comes back on another socket of its credential is that one's from then on. */
  #claim(speaker: Speaker, { entry, who, state }: Claim): void {
    const { client } = entry
    const before = this.#present.get(client)
    if (before !== undefined) {
      before.speaker.clients.delete(client)
      this.#shown.remove(before)
    }
    speaker.clients.add(client)
    const presence = new Presence(entry, speaker, { who, state })
    this.#present.set(client, presence)
    this.#departed.forget(client)
    this.#admit(presence)
  }

  /** What a member says of a client of its own. */
  #goOn(presence: Presence, entry: AwarenessEntry): void {
    if (isNull(entry.state)) {
      if (entry.clock >= presence.clock) this.#remove(presence)
    } else if (this.#isRepeated(presence, entry)) {
      // Told with a later clock than its own, a stock client takes it over and says it again: to
      // tell that once more would go on for ever.
      presence.catchUp(entry.clock)
    } else if (presence.say(entry)) {
      if (this.#shown.isShown(presence)) this.#crier.willTell(presence)
      else if (presence.speaker.tries.take(1) && this.#isGood(presence)) this.#admit(presence)
    }
  }

  #isRepeated(presence: Presence, entry: AwarenessEntry): boolean {
    const { client, clock } = entry
    return clock <= this.told.clockOf(client) && presence.repeats(entry, this.told.stateOf(client))
  }

  /** Whether what a client said last, or before, can be shown. */
  #isGood(presence: Presence): boolean {
    const judged = presence.judge()
    if (judged === 'left') this.#remove(presence)
    if (judged === 'malformed') presence.speaker.member.refuse()
    return judged === 'good'
  }

  #admit(presence: Presence): void {
    const { client } = presence
    const hidden = presence.isMute ? undefined : this.#shown.admit(presence)
    if (hidden !== undefined) this.#crier.willTellGone(hidden.client)
    if (this.#shown.isShown(presence)) this.#crier.willTell(presence)
    else this.#crier.willTellGone(client)
    this.#crier.willCount()
  }

  #remove(presence: Presence): void {
    const { client, clock, holder, sources } = presence
    this.#present.delete(client)
    this.#shown.remove(presence)
    if (this.told.isShown(client)) {
      const heard = Math.max(clock, this.told.clockOf(client))
      this.#departed.add(client, { clock: heard, holder }, sources.address)
    }
    this.#crier.willTellGone(client)
    this.#crier.willCount()
  }

  #entryOf(client: number): Uint8Array | undefined {
    const presence = this.#present.get(client)
    const isShown = presence !== undefined && this.#shown.isShown(presence)
    const state = isShown && this.#isGood(presence) ? presence.print() : undefined
    if (presence !== undefined && state !== undefined) {
      return this.told.state(client, presence.clock, state)
    }
    return this.told.isShown(client) ? this.told.left(client) : undefined
  }
}

function entriesOf(update: Uint8Array): readonly AwarenessEntry[] | undefined {
  try {
    return decodeAwareness(update)
  } catch {
    return undefined
  }
}
