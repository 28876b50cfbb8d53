/**
 * Tells a room what is new of its clients. What many say in one turn goes out as one frame; after a
 * broadcast to a crowd the next waits as long as that took, and no socket gets more than so many
 * bytes a second. How many are not shown is told too, now and then.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { Allowance } from './allowance.ts'
import { awarenessMessage } from './messages.ts'
import { News } from './news.ts'
import type { AwarenessMember, Presence } from './presence.ts'
import { wholeFrame } from './socket.ts'
import { Told } from './told.ts'

export interface CrierParts {
  readonly runtime: Runtime
  members(): Iterable<AwarenessMember>
  /** Tells of a client as it is now; undefined: there is nothing to tell. */
  entryOf(client: number): Uint8Array | undefined
  /** How many people are here of whom nothing is shown. */
  hiddenCount(): number
}

/** A shorter broadcast earns no rest; a longer one not more than the most. */
const restFromMs = 2
const restMaxMs = 100

export class Crier {
  readonly told = new Told()
  readonly #parts: CrierParts
  readonly #news = new News()
  readonly #bandwidth: Allowance
  #next: Timer | undefined
  #restsUntil = 0
  #count = 0
  #countFrom = 0
  #counting: Timer | undefined

  constructor(parts: CrierParts) {
    this.#parts = parts
    const { presenceBytesPerSecond: perSecond, presenceFrameMaxBytes: atOnce } = limits
    this.#bandwidth = new Allowance({ runtime: parts.runtime, perSecond, atOnce })
  }

  /** How many people nothing is shown of, as last told. */
  get count(): number {
    return this.#count
  }

  /** There is something new of a client. */
  willTell({ client, holder, bytes }: Presence): void {
    this.#news.add(client, holder, bytes)
    this.#wake()
  }

  /** A client is not shown any more. */
  willTellGone(client: number): void {
    if (this.told.isShown(client)) {
      this.#news.leave(client)
      this.#wake()
    } else this.#news.drop(client)
  }

  /** The number of those who are not shown may be another one. */
  willCount(): void {
    const { runtime, hiddenCount } = this.#parts
    if (this.#counting !== undefined || hiddenCount() === this.#count) return
    const wait = Math.max(0, this.#countFrom - runtime.elapsed())
    this.#counting = runtime.after(wait, () => this.#tellCount())
  }

  #wake(): void {
    if (this.#next !== undefined) return
    const { runtime } = this.#parts
    const rest = this.#restsUntil - runtime.elapsed()
    const wait = Math.max(0, rest, this.#bandwidth.waitMs)
    this.#next = runtime.after(wait, () => this.#tell())
  }

  #tell(): void {
    const { runtime, members, entryOf } = this.#parts
    const started = runtime.elapsed()
    const from = this.told.last
    const entries: Uint8Array[] = []
    for (const { client, bytes } of this.#news.take(limits.presenceFrameMaxBytes)) {
      const entry = entryOf(client)
      if (entry !== undefined) entries.push(entry)
      // What could not be told has cost a look at it.
      this.#bandwidth.spend(entry?.length ?? bytes)
    }
    if (entries.length > 0) {
      const frame = wholeFrame(awarenessMessage(entries))
      const broadcast = { frame, from, until: this.told.last }
      for (const member of members()) member.hear(broadcast)
    }
    const ended = runtime.elapsed()
    const took = ended - started
    if (took >= restFromMs) this.#restsUntil = ended + Math.min(took, restMaxMs)
    this.#next = undefined
    if (!this.#news.isEmpty) this.#wake()
  }

  #tellCount(): void {
    this.#counting = undefined
    const { runtime, members, hiddenCount } = this.#parts
    const count = hiddenCount()
    if (count === this.#count) return
    this.#count = count
    this.#countFrom = runtime.elapsed() + limits.presenceCountEveryMs
    for (const member of members()) member.hearCount(count)
  }
}
