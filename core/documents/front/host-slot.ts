/**
 * A place for one document host behind messages. The host is started when it is first needed, and
 * another one is started after it has ended.
 */
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { HostClient } from '../host/host-client.ts'

/** A host that runs, until it ends. */
export interface RunningHost {
  readonly client: HostClient
  /** Ends it, whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

/** Starts a host; `onEnded` is told once when it has ended without being asked to. */
export type StartHost = (onEnded: (why: Error) => void) => Promise<RunningHost>

export interface HostSlotParts {
  readonly name: string
  readonly runtime: Runtime
  readonly start: StartHost
  /**
   * Told before those who wait for the host are refused. `settled` resolves when each commit that
   * the host had sent is durable or has failed.
   */
  readonly onLost: (slot: HostSlot, why: Error, settled: Promise<void>) => void
}

export class HostSlot {
  readonly #parts: HostSlotParts
  #running: Promise<RunningHost> | undefined
  #current: RunningHost | undefined
  #isClosed = false

  constructor(parts: HostSlotParts) {
    this.#parts = parts
  }

  get name(): string {
    return this.#parts.name
  }

  /** Undefined before it is needed, and while it starts. */
  get current(): HostClient | undefined {
    return this.#current?.client
  }

  /** Refuses UNAVAILABLE once it is closed. */
  async client(): Promise<HostClient> {
    if (this.#isClosed) throw new Refusal('UNAVAILABLE')
    this.#running ??= this.#begin()
    return (await this.#running).client
  }

  /** Flushes all documents. A host that does not come to its end in time is ended before. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = await this.#running?.catch(() => undefined)
    if (running === undefined) return
    await this.#withinTime(running.client.close())
    this.#current = undefined
    await running.end()
    await running.client.lost(new Error(`${this.name} was closed`))
  }

  async #begin(): Promise<RunningHost> {
    let running: RunningHost | undefined
    const onEnded = (why: Error) => {
      if (running === undefined || this.#current !== running) return
      this.#running = undefined
      this.#current = undefined
      // Those who wait are refused in a later microtask than `onLost`.
      this.#parts.onLost(this, why, running.client.lost(why))
    }
    try {
      running = await this.#parts.start(onEnded)
      this.#current = running
      return running
    } catch (error) {
      this.#running = undefined
      throw error
    }
  }

  /** Resolves when the work is done, the host was lost meanwhile, or the time is over. */
  #withinTime(closing: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const late = this.#parts.runtime.after(limits.hostClosesWithinMs, resolve)
      const done = () => {
        late.cancel()
        resolve()
      }
      closing.then(done, done)
    })
  }
}
