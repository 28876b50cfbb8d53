/**
 * A clientID that a socket speaks for: what was said of it last, and what of that is good. A state
 * that breaks a rule is as if its client had said the last good one again, so that an honest
 * program that says too much stays here.
 */
import type { Sources } from '../../core/documents/contract.ts'
import { limits } from '../../schema/limits.ts'
import { printState, readState, type SaidState } from '../../schema/presence-state.ts'
import { type AwarenessEntry, encodeEntry, textOf } from './awareness-update.ts'
import type { Guest } from './shown-states.ts'
import type { Speaker } from './speaker.ts'

/** Who the service knows a socket is of. */
export interface Who {
  /** Names its credential. */
  readonly holder: string
  readonly actor: string | undefined
  readonly name: string | undefined
  readonly sources: Sources
}

/** What goes to everybody: what was told after `from`, up to `until`. */
export interface Broadcast {
  /** Whole, as `wholeFrame`. */
  readonly frame: Uint8Array
  readonly from: number
  readonly until: number
}

/** A socket that takes part. */
export interface AwarenessMember {
  /** Has written on this socket. */
  readonly hasWritten: boolean
  /** At the moment; undefined: it has no credential, and is shown to nobody. */
  who(): Who | undefined
  /** Reserves clientIDs for this socket's credential; answers those that are not another's. */
  reserve(clients: readonly number[]): Promise<readonly number[]>
  hear(broadcast: Broadcast): void
  /** How many people are here of whom nothing is shown. */
  hearCount(hidden: number): void
  /** What it said was no awareness message. */
  refuse(): void
  /** What it said could not be taken: the document could not be asked. */
  fail(error: unknown): void
}

/** Around what was said: who it is of. */
const userBytes = 100

const nameless = { actor: undefined, name: undefined }

export class Presence implements Guest {
  readonly client: number
  readonly speaker: Speaker
  readonly holder: string
  readonly person: string
  readonly sources: Sources
  /** As its client counts. */
  #clock: number
  /** Newer than the state, and not looked at. */
  #said: Uint8Array | undefined
  #state: SaidState | undefined

  constructor(
    { client, clock }: AwarenessEntry,
    speaker: Speaker,
    { who, state }: { readonly who: Who; readonly state: SaidState | undefined },
  ) {
    this.client = client
    this.speaker = speaker
    this.holder = who.holder
    this.person = who.actor ?? who.holder
    this.sources = who.sources
    this.#clock = clock
    this.#state = state
  }

  get clock(): number {
    return this.#clock
  }

  get writes(): boolean {
    return this.speaker.member.hasWritten
  }

  /** It never said anything that can be shown. */
  get isMute(): boolean {
    return this.#state === undefined
  }

  /** Of the newest state, about, as it is told. */
  get bytes(): number {
    return (this.#said?.length ?? this.#state?.members.length ?? 0) + userBytes
  }

  /** Whether this is newer than what was said before. */
  say({ clock, state }: AwarenessEntry): boolean {
    if (clock <= this.#clock) return false
    this.#clock = clock
    // A copy, for the message that it is part of may be much longer.
    this.#said = state.length > limits.awarenessStateMaxBytes ? undefined : Uint8Array.from(state)
    return true
  }

  /** It counts on from a clock under which it was told of. */
  catchUp(clock: number): void {
    this.#clock = Math.max(this.#clock, clock)
  }

  /** Looks at what was said last; `good`: there is something to show. */
  judge(): 'good' | 'left' | 'malformed' | undefined {
    const said = this.#said && judge(this.#said)
    this.#said = undefined
    if (said === 'left' || said === 'malformed') return said
    this.#state = said ?? this.#state
    return this.isMute ? undefined : 'good'
  }

  /** As others see it. */
  print(): string | undefined {
    return this.#state && this.#printed(this.#state)
  }

  /** Whether an entry says what others were told already. */
  repeats({ state }: AwarenessEntry, told: string | undefined): boolean {
    const said = judge(state)
    return typeof said === 'object' && this.#printed(said) === told
  }

  #printed(state: SaidState): string {
    return printState(state, this.speaker.member.who() ?? nameless)
  }

  /** As the client that said it knows it already. */
  echo(): Uint8Array | undefined {
    const state = this.print()
    return state === undefined ? undefined : encodeEntry(this.client, this.#clock, state)
  }
}

/** Undefined: it breaks a rule. */
export function judge(said: Uint8Array): SaidState | 'left' | 'malformed' | undefined {
  const most = limits.awarenessStateMaxBytes
  if (said.length > most) return undefined
  try {
    const state = readState(textOf(said))
    const isLong = typeof state === 'object' && Buffer.byteLength(state.members) > most
    return isLong ? undefined : state
  } catch {
    return 'malformed'
  }
}
