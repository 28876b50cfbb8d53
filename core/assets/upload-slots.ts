/**
 * Whose uploads are being received: so many at once, each of which holds a file open; the others
 * wait unread, each address in its turn. Nobody keeps a place by being slow: while others wait, who
 * is slowest gives way. Knows no HTTP.
 */
import { Refusal } from '../../schema/errors.ts'
import { FairLine, type InLine, type Source } from '../../schema/fair-line.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'

export interface UploadSlot {
  /** So many bytes more have come. */
  received(bytes: number): void
  leave(): void
}

export interface UploadRequest {
  readonly source: Source
  /** It has to give its place up. */
  onEvicted(refusal: Refusal): void
}

interface Holder extends UploadRequest {
  readonly since: number
  bytes: number
}

interface QueuedUpload extends InLine {
  readonly visitor: UploadRequest
  readonly begin: (place: UploadSlot) => void
}

export class UploadSlots {
  readonly #runtime: Runtime
  readonly #line = new FairLine<QueuedUpload>()
  readonly #holders = new Set<Holder>()
  #isWatching = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  get waiting(): number {
    return this.#line.size
  }

  /** Resolves when it has a place. `whenGone` is called with what takes it out of the line. */
  enter(visitor: UploadRequest, whenGone: (leaveLine: () => void) => void): Promise<UploadSlot> {
    return new Promise((resolve) => {
      const entry = { visitor, source: visitor.source, weight: 1, begin: resolve }
      this.#line.add(entry)
      whenGone(() => void this.#line.remove(entry))
      this.#next()
    })
  }

  #next(): void {
    while (this.#holders.size < limits.uploadsAtOnce) {
      const next = this.#line.takeNext(
        ({ source }) => this.#countOf(source) < limits.uploadsOfAddress,
      )
      if (next === undefined) break
      next.begin(this.#slotFor(next.visitor))
    }
    if (this.#line.size > 0) this.#watch()
  }

  #slotFor(visitor: UploadRequest): UploadSlot {
    const holder: Holder = { ...visitor, since: this.#runtime.elapsed(), bytes: 0 }
    this.#holders.add(holder)
    return {
      received: (bytes) => {
        holder.bytes += bytes
      },
      leave: () => {
        if (this.#holders.delete(holder)) this.#next()
      },
    }
  }

  #countOf({ address }: Source): number {
    let count = 0
    for (const { source } of this.#holders) if (source.address === address) count += 1
    return count
  }

  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#runtime.after(limits.uploadSlowLookedAtEveryMs, () => {
      this.#isWatching = false
      const slow = this.#line.size === 0 ? undefined : this.#slowest()
      if (slow !== undefined) {
        this.#holders.delete(slow)
        slow.onEvicted(new Refusal('BUSY', { retry_after: 5 }))
      }
      this.#next()
    })
  }

  #slowest(): Holder | undefined {
    const now = this.#runtime.elapsed()
    const rate = ({ since, bytes }: Holder) => (bytes * 1000) / (now - since)
    return [...this.#holders]
      .filter(({ since }) => now - since > limits.uploadSlowAfterMs)
      .filter((holder) => rate(holder) < limits.uploadSlowBytesPerSecond)
      .sort((a, b) => rate(a) - rate(b))[0]
  }
}
