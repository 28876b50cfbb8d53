/**
 * The service with a clock, chance, a network and a disk that all follow from one seed: nothing
 * that happens depends on the machine. Connections are pairs of streams in memory, records stay in
 * memory when the service stops, and a write takes as long as chance says. Who works on it in
 * `live` has his own timers on the same clock.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { WebSocket } from 'ws'
import { createMemoryRecords, openMemoryStore } from '../../persistence/memory-store.ts'
import type { Limits } from '../../schema/limits.ts'
import { Chance } from '../chance.ts'
import { SimulatedRuntime } from '../simulated-runtime.ts'
import { UnrulyStore } from '../unit/server/unruly-store.ts'
import { openWorld, type World } from '../unit/server/world.ts'
import type { Engine, Request, Response, Running } from './engine.ts'
import { LawService } from './service.ts'

export interface SimulatedEngineParts {
  readonly seed: number
  readonly limits?: Limits | undefined
}

/** Of one write to the disk. */
const writeMaxMs = 6
/** Who was told that the service stops has so long to close. */
const stoppingMs = 20

export class SimulatedEngine implements Engine {
  readonly address = 'service.test'
  readonly runtime: SimulatedRuntime
  readonly #records = createMemoryRecords()
  readonly #limits: Limits | undefined
  readonly #disk: Chance
  #world: World<SimulatedRuntime> | undefined

  constructor({ seed, limits }: SimulatedEngineParts) {
    this.runtime = new SimulatedRuntime({ seed })
    this.#disk = new Chance(seed).fork()
    this.#limits = limits
  }

  /** Does the work on this clock: every timer that is set meanwhile, by whomever, waits for it. */
  async live<Result>(work: () => Promise<Result>): Promise<Result> {
    const giveBack = this.#takeTimers()
    try {
      return await this.runtime.during(work())
    } finally {
      giveBack()
    }
  }

  async start(onError: (error: string) => void): Promise<Running> {
    const { runtime } = this
    const store = new UnrulyStore(await openMemoryStore({ runtime, records: this.#records }))
    store.eachWrite = () => this.#takes(this.#disk.below(writeMaxMs))
    const world = await openWorld(runtime, {
      store,
      limits: this.#limits,
      isListening: false,
      onError: (error) => onError(String(error)),
    })
    this.#world = world
    const stop = async () => {
      world.sockets.close()
      await this.#takes(stoppingMs)
      this.#world = undefined
      await world.close()
    }
    return { documents: world.documents, store, stop }
  }

  request({ method, path, headers, body }: Request): Promise<Response | undefined> {
    const createConnection = () => this.#dial()
    return new Promise((resolve) => {
      const sent = httpRequest({ method, path, headers, createConnection }, (answer) => {
        void textOf(answer).then((text) => {
          const status = answer.statusCode ?? 0
          const given = new Headers(answer.headers as Record<string, string>)
          resolve(text === undefined ? undefined : { status, headers: given, text })
        })
      })
      sent.on('error', () => resolve(undefined))
      sent.end(body)
    })
  }

  socket(url: string, protocols: readonly string[]): WebSocket {
    const createConnection = (() => this.#dial()) as unknown as typeof import('node:net').connect
    return new WebSocket(url, [...protocols], { createConnection, perMessageDeflate: false })
  }

  remove(): void {}

  /** The client's end of a new connection; one that breaks at once while nobody listens. */
  #dial(): Duplex {
    const [here, there] = duplexPair()
    ending(here, there)
    ending(there, here)
    const world = this.#world
    if (world === undefined) setImmediate(() => here.destroy(new Error('nobody listens')))
    else world.accept(there)
    return here
  }

  #takes(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.runtime.after(ms, resolve)
    })
  }

  #takeTimers(): () => void {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
    const { runtime } = this
    const once = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      new SimulatedTimer((next) => runtime.after(ms, () => next(() => callback(...args))), false)
    const again = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      new SimulatedTimer((next) => runtime.after(ms, () => next(() => callback(...args))), true)
    const clear = (timer: unknown) => {
      if (timer instanceof SimulatedTimer) timer.cancel()
      else clearTimeout(timer as NodeJS.Timeout)
    }
    const taken = {
      setTimeout: once,
      setInterval: again,
      clearTimeout: clear,
      clearInterval: clear,
    }
    Object.assign(globalThis, taken)
    return () =>
      void Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
  }
}

/** When one end goes, the other hears all that was sent, and goes too. */
function ending(one: Duplex, other: Duplex): void {
  one.once('close', () => {
    if (other.readableEnded) other.destroy()
    else other.once('end', () => other.destroy()).push(null)
  })
}

/** Works with a service of its own, in which everything follows from the seed. */
export function onSimulated<Result>(
  parts: SimulatedEngineParts,
  work: (service: LawService) => Promise<Result>,
): Promise<Result> {
  const engine = new SimulatedEngine(parts)
  return engine.live(async () => {
    const service = await LawService.start(engine)
    try {
      return await work(service)
    } finally {
      await service.end()
    }
  })
}

/** As `setTimeout` and `setInterval` answer it. */
class SimulatedTimer {
  readonly #wait: (next: (act: () => void) => void) => { cancel(): void }
  readonly #repeats: boolean
  #waiting: { cancel(): void }

  constructor(wait: (next: (act: () => void) => void) => { cancel(): void }, repeats: boolean) {
    this.#wait = wait
    this.#repeats = repeats
    this.#waiting = this.#begin()
  }

  cancel(): void {
    this.#waiting.cancel()
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  #begin(): { cancel(): void } {
    return this.#wait((act) => {
      if (this.#repeats) this.#waiting = this.#begin()
      act()
    })
  }
}

/** Undefined: it broke off. */
async function textOf(answer: IncomingMessage): Promise<string | undefined> {
  try {
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
    return text
  } catch {
    return undefined
  }
}
