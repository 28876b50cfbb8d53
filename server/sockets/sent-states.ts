/**
 * The newest state sent of each client, in the order of sending, so that a socket can be sent what
 * it missed: one that has just joined everything, a slow one the newest of each. The clock of a
 * client as it is sent only grows, also where the client comes back with a lower one of its own.
 */
import { encodeEntry } from './awareness-update.ts'

/** A client as it is known to everybody. */
export interface SentState {
  readonly clock: number
  /** JSON; undefined: the client is not shown any more. */
  readonly state: string | undefined
  /** Names the credential that spoke for it. */
  readonly holder: string
}

interface Line extends SentState {
  /** Counts from 1. */
  readonly at: number
  readonly entry: Uint8Array
}

/** A stock client forgets by itself a client that left without its hearing. */
const goneMax = 512

export class SentStates {
  readonly #lines = new Map<number, Line>()
  #last = 0
  #gone = 0
  #bytes = 0

  /** How much has been sent. */
  get last(): number {
    return this.#last
  }

  /** Of all that are shown. */
  get bytes(): number {
    return this.#bytes
  }

  get(client: number): SentState | undefined {
    return this.#lines.get(client)
  }

  isShown(client: number): boolean {
    return this.#lines.get(client)?.state !== undefined
  }

  /** Returns the entry to send. */
  state(client: number, told: SentState): Uint8Array {
    const before = this.#lines.get(client)?.clock ?? -1
    return this.#put(client, { ...told, clock: Math.max(told.clock, before + 1) })
  }

  /** The same of a client that is shown no more; undefined: it was not. */
  left(client: number): Uint8Array | undefined {
    const line = this.#lines.get(client)
    return line?.state === undefined ? undefined : this.#put(client, { ...line, state: undefined })
  }

  /** About `maxBytes` of what was sent after `since`, and up to where that is all. */
  after(since: number, maxBytes: number): { entries: readonly Uint8Array[]; until: number } {
    const entries: Uint8Array[] = []
    let left = maxBytes
    for (const { at, entry, state } of this.#lines.values()) {
      if (at <= since || (since === 0 && state === undefined)) continue
      entries.push(entry)
      left -= entry.length
      if (left <= 0) return { entries, until: at }
    }
    return { entries, until: this.#last }
  }

  #put(client: number, { clock, state, holder }: SentState): Uint8Array {
    this.#forget(client)
    const entry = encodeEntry(client, clock, state ?? 'null')
    this.#lines.set(client, { clock, state, holder, entry, at: ++this.#last })
    if (state === undefined) this.#gone++
    else this.#bytes += entry.length
    if (this.#gone > goneMax) this.#forgetOldestGone()
    return entry
  }

  #forget(client: number): void {
    const line = this.#lines.get(client)
    if (line === undefined) return
    this.#lines.delete(client)
    if (line.state === undefined) this.#gone--
    else this.#bytes -= line.entry.length
  }

  #forgetOldestGone(): void {
    const [oldest] = [...this.#lines].find(([, { state }]) => state === undefined) ?? []
    if (oldest !== undefined) this.#forget(oldest)
  }
}
