/**
 * A place for one document host behind messages. The host is started when it is first needed, and
 * another one is when it has ended.
 */
import type { HostClient } from '../host/host-client.ts'

/** A host that runs, until it ends. */
export interface RunningHost {
  readonly client: HostClient
  /** Ends it, whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

/** Starts a host; `onEnded` is told once when it has ended without being asked to. */
export type StartHost = (onEnded: (why: Error) => void) => Promise<RunningHost>

export class HostSlot {
  readonly name: string
  readonly #start: StartHost
  readonly #onLost: (slot: HostSlot, why: Error) => void
  #running: Promise<RunningHost> | undefined
  #current: RunningHost | undefined

  /** `onLost` is told before those who wait for the host are refused. */
  constructor(name: string, start: StartHost, onLost: (slot: HostSlot, why: Error) => void) {
    this.name = name
    this.#start = start
    this.#onLost = onLost
  }

  /** Undefined before it is needed, and while it starts. */
  get current(): HostClient | undefined {
    return this.#current?.client
  }

  async client(): Promise<HostClient> {
    this.#running ??= this.#begin()
    return (await this.#running).client
  }

  async close(): Promise<void> {
    const running = await this.#running
    await running?.client.close()
    await running?.end()
  }

  async #begin(): Promise<RunningHost> {
    try {
      const running = await this.#start((why) => {
        if (this.#current === undefined) return
        this.#running = undefined
        this.#current = undefined
        this.#onLost(this, why)
        void running.client.lost(why)
      })
      this.#current = running
      return running
    } catch (error) {
      this.#running = undefined
      throw error
    }
  }
}
