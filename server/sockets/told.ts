/**
 * What a room has told of its clients, in the order of telling, so that each member can be told
 * what it missed: who has just come everything, who reads slowly the newest of each. A client's
 * clock as told only grows, also where it comes back with a lower one of its own.
 */
import { encodeEntry } from './awareness-update.ts'

interface Line {
  /** Counts from 1. */
  readonly at: number
  readonly clock: number
  readonly state: string
  readonly entry: Uint8Array
  readonly isGone: boolean
}

/** What comes after some place in the order. */
export interface Missed {
  readonly entries: readonly Uint8Array[]
  /** Who has heard it has heard all up to here. */
  readonly until: number
}

/** A stock client forgets by itself who left without its hearing. */
const goneMax = 512

export class Told {
  readonly #lines = new Map<number, Line>()
  #last = 0
  #gone = 0
  #bytes = 0

  /** How much has been told. */
  get last(): number {
    return this.#last
  }

  /** Of all who are shown. */
  get bytes(): number {
    return this.#bytes
  }

  /** The clock of a client as last told; -1 where it was not. */
  clockOf(client: number): number {
    return this.#lines.get(client)?.clock ?? -1
  }

  /** The state of a client as last told. */
  stateOf(client: number): string | undefined {
    return this.#lines.get(client)?.state
  }

  isShown(client: number): boolean {
    return this.#lines.get(client)?.isGone === false
  }

  /** Returns the entry to send. */
  state(client: number, clock: number, state: string): Uint8Array {
    const told = Math.max(clock, this.clockOf(client) + 1)
    return this.#put(client, { clock: told, state, entry: encodeEntry(client, told, state) }, false)
  }

  /** The same of a client that is shown no more. */
  left(client: number): Uint8Array {
    const clock = this.clockOf(client)
    const said = { clock, state: 'null', entry: encodeEntry(client, clock, 'null') }
    return this.#put(client, said, true)
  }

  /** About `maxBytes` of what was told after `since`; undefined: nothing. */
  after(since: number, maxBytes: number): Missed | undefined {
    if (since >= this.#last) return undefined
    const entries: Uint8Array[] = []
    let [until, left] = [this.#last, maxBytes]
    for (const { at, entry, isGone } of this.#lines.values()) {
      if (at <= since || (isGone && since === 0)) continue
      if (left <= 0) break
      entries.push(entry)
      until = at
      left -= entry.length
    }
    if (left > 0) until = this.#last
    return { entries, until }
  }

  #put(client: number, said: Pick<Line, 'clock' | 'state' | 'entry'>, isGone: boolean): Uint8Array {
    this.#drop(client)
    const { clock, state, entry } = said
    this.#lines.set(client, { clock, state, entry, at: ++this.#last, isGone })
    if (isGone) this.#gone++
    else this.#bytes += said.entry.length
    if (this.#gone > goneMax) this.#forgetHalf()
    return said.entry
  }

  #drop(client: number): void {
    const line = this.#lines.get(client)
    if (line === undefined) return
    this.#lines.delete(client)
    if (line.isGone) this.#gone--
    else this.#bytes -= line.entry.length
  }

  #forgetHalf(): void {
    for (const [client, { isGone }] of this.#lines) {
      if (this.#gone <= goneMax / 2) return
      if (isGone) this.#drop(client)
    }
  }
}
