/**
 * A socket that takes part in a room: the clientIDs that it speaks for, and how far it was sent
 * what the room has sent. A peer that reads slowly is sent the newest of what it missed, a piece
 * after the other, and is never dropped for it.
 */
import type { Sources } from '../../core/documents/contract.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Allowance } from './allowance.ts'
import { awarenessMessage } from './messages.ts'
import type { SentStates } from './sent-states.ts'

export const presenceQueryEveryMs = 1_000

/** Who the service knows a socket is of. */
export interface Who {
  /** Names its credential. */
  readonly holder: string
  readonly actor: string | undefined
  readonly name: string | undefined
  readonly sources: Sources
}

/** A socket as a room needs it. */
export interface AwarenessMember {
  /** Has written on this socket. */
  readonly hasWritten: boolean
  /** The peer has not read all that was sent. */
  readonly hasBacklog: boolean
  /** At the moment; undefined: it has no credential, and is shown to nobody. */
  who(): Who | undefined
  /** Reserves clientIDs for this socket's credential; answers those that are not another's. */
  reserve(clients: readonly number[]): Promise<readonly number[]>
  /** Sends what goes to everybody; a frame as `wholeFrame`. */
  hear(frame: Uint8Array): void
  /** Sends a message to a peer that may be slow; resolves when it was written or given up. */
  hearSlowly(message: Uint8Array): Promise<void>
  /** What it said was no awareness message. */
  refuse(): void
  /** What it said could not be taken: the document could not be asked. */
  fail(error: unknown): void
}

/** What a socket says first of a client. */
export interface Claim {
  readonly client: number
  readonly clock: number
  /** Undefined: nothing that can be shown. */
  readonly state: Uint8Array | undefined
  readonly who: Who
}

/** What was sent after `from`, up to the newest. */
export interface Broadcast {
  readonly frame: Uint8Array
  readonly from: number
}

/** What a peer that does not read keeps in memory. */
const pieceBytes = 64 * 1024

export class PresencePeer {
  readonly member: AwarenessMember
  /** Those it speaks for, or did: reserved, and not taken by another socket. */
  readonly clients = new Set<number>()
  /** Those that the document is being asked for; the newest claim of each. */
  readonly claims = new Map<number, Claim>()
  /** Limits claims, and states that are looked at before they are sent. */
  readonly tries: Allowance
  readonly #told: SentStates
  readonly #runtime: Runtime
  /** Undefined: nothing is sent to it yet. */
  #heard: number | undefined
  #isSending = false
  #isAsked = false
  /** When a question may be answered again. */
  #answersFrom = -Infinity

  constructor(member: AwarenessMember, told: SentStates, runtime: Runtime) {
    const { awarenessTriesPerSecond: perSecond, awarenessTriesAtOnce: atOnce } = limits
    this.member = member
    this.tries = new Allowance({ runtime, perSecond, atOnce })
    this.#told = told
    this.#runtime = runtime
  }

  /** The peer is sent who is here, and from now on what is new. */
  open(): void {
    this.#heard = 0
    void this.#catchUp()
  }

  /** The peer asked who is here; questions that come too soon have one answer, later. */
  ask(): void {
    if (this.#heard === undefined || this.#isAsked) return
    const now = this.#runtime.elapsed()
    if (now < this.#answersFrom) {
      this.#isAsked = true
      this.#runtime.after(this.#answersFrom - now, () => {
        this.#isAsked = false
        this.ask()
      })
      return
    }
    const lineMs = (this.#told.bytes * 1000) / limits.presenceBytesPerSecond
    this.#answersFrom = now + Math.max(presenceQueryEveryMs, lineMs)
    this.open()
  }

  hear({ frame, from }: Broadcast): void {
    if (this.#heard === undefined || this.#isSending) return
    if (this.#heard !== from || this.member.hasBacklog) {
      void this.#catchUp()
      return
    }
    this.#heard = this.#told.last
    this.member.hear(frame)
  }

  async #catchUp(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#heard !== undefined && this.#heard < this.#told.last) {
      const { entries, until } = this.#told.after(this.#heard, pieceBytes)
      this.#heard = until
      if (entries.length > 0) await this.member.hearSlowly(awarenessMessage(entries))
    }
    this.#isSending = false
  }

  /** From now on nothing is sent to it. */
  close(): void {
    this.#heard = undefined
  }
}
