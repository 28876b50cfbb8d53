/**
 * The scene of one attack: the service as `npm start` runs it with its own quotas, on a core of its own;
 * honest people in processes on another, who type and ask; an attacker beside them. Everything waits
 * with a bound, and all of it ends with the scene.
 */
import { MeasuredProcess } from '../process.ts'
import { BenchService, type Created, type Person, type ServiceOptions } from '../service.ts'
import type { AttackerOrder, Facts, HonestOrder, HonestResult } from './order.ts'
import { pause } from './outlet.ts'

export const serviceCore = 0
export const driversCore = 1

/** Who is called from where: all on loopback, but not one address. */
export const addresses = {
  attacker: '127.0.0.1',
  honest: '127.0.0.2',
  setting: '127.0.0.3',
} as const

/** What this machine has of a service, and how others fared. */
export interface Felt extends HonestResult {
  /** In the order of the honest orders. */
  readonly each: readonly HonestResult[]
  readonly holdMs: number
  /** The service did not say; `holdMs` is at least the time waited. */
  readonly isHeld: boolean
  readonly residentBefore: number
  readonly residentPeak: number
  readonly residentAfter: number
  /** How the process ended; undefined while it lives. */
  readonly ended: string | undefined
}

export interface SceneParts {
  readonly honest: readonly Omit<HonestOrder, 'port'>[]
  /** Milliseconds from the end of the attack to the last look at resident memory. */
  readonly restMs: number
  /** Milliseconds of typing before it counts. */
  readonly warmMs: number
}

const answerMs = 120_000
const warmEndMs = 1_000

/** Undefined when it takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export class Scene {
  static readonly #open = new Set<Scene>()
  readonly service: BenchService
  readonly #drivers: MeasuredProcess[] = []

  private constructor(service: BenchService) {
    this.service = service
    Scene.#open.add(this)
  }

  static async open(options: ServiceOptions = {}): Promise<Scene> {
    const service = await BenchService.start({
      core: serviceCore,
      hasQuotas: true,
      from: addresses.setting,
      ...options,
      env: { BENCH_HOLDS: '1', ...options.env },
    })
    return new Scene(service)
  }

  /** Ends all scenes at once, for when the bench itself is told to end. */
  static discardAll(): void {
    for (const scene of Scene.#open) {
      for (const driver of scene.#drivers) driver.kill()
      scene.service.discard()
    }
  }

  /** Editors of a document, each by a token minted through its share address, and named. */
  async people(document: Created, count: number): Promise<Person[]> {
    const people: Person[] = []
    for (let turn = 0; turn < count; turn++) {
      people.push(await this.service.join(document, `Editor ${turn}`))
    }
    return people
  }

  async tokens(document: Created, count: number): Promise<string[]> {
    return (await this.people(document, count)).map(({ token }) => token)
  }

  driver(file: string): MeasuredProcess {
    const args = ['--max-old-space-size=6144', '--import', 'tsx', `bench/attacks/${file}`]
    const driver = new MeasuredProcess({ args, core: driversCore })
    this.#drivers.push(driver)
    return driver
  }

  /** One attacker's order, to its end. */
  async attack(order: Omit<AttackerOrder, 'port'>, most: number): Promise<Facts> {
    const attacker = this.driver('attacker.ts')
    const whole = { ...order, port: this.service.port }
    const facts = await within(most, attacker.ask<Facts>(whole).catch(gone))
    const { errors } = attacker
    if (errors !== '') console.error(errors)
    attacker.kill()
    return facts ?? { 'not done in time': 1 }
  }

  /** What the honest felt while `attack` went on. */
  async felt(
    { honest, restMs, warmMs }: SceneParts,
    attack: () => Promise<unknown>,
  ): Promise<Felt> {
    const people: MeasuredProcess[] = []
    for (const order of honest) {
      const driver = this.driver('honest.ts')
      people.push(driver)
      await driver.ask({ ...order, port: this.service.port })
    }
    await pause(warmMs)
    await within(answerMs, this.service.hold().catch(gone))
    const residentBefore = this.#resident()
    for (const person of people) person.send('measure')
    let peak = residentBefore
    const sampling = setInterval(() => {
      peak = Math.max(peak, this.#residentPeak())
    }, 200)
    await attack()
    await pause(warmEndMs)
    const { holdMs, isHeld } = await this.#hold()
    const each = await Promise.all(
      honest.map(async (order, index) => {
        const ended = people[index]?.ask<HonestResult>('end').catch(gone)
        return (await within(answerMs, ended ?? Promise.resolve(undefined))) ?? wreckOf(order)
      }),
    )
    clearInterval(sampling)
    for (const person of people) person.kill()
    await pause(this.service.process.ended === undefined ? restMs : 0)
    return {
      ...together(each),
      each,
      holdMs,
      isHeld,
      residentBefore,
      residentPeak: Math.max(peak, this.#residentPeak()),
      residentAfter: this.#resident(),
      ended: this.service.process.ended,
    }
  }

  async close(): Promise<void> {
    for (const driver of this.#drivers) driver.kill()
    await this.service.stop()
    Scene.#open.delete(this)
  }

  async #hold(): Promise<{ readonly holdMs: number; readonly isHeld: boolean }> {
    const before = this.#cpuMs()
    const holdMs = await within(answerMs, this.service.hold().catch(gone))
    if (holdMs !== undefined) return { holdMs, isHeld: false }
    return { holdMs: this.#cpuMs() - before, isHeld: this.service.process.ended === undefined }
  }

  #resident(): number {
    return this.#ofLiving(() => this.service.process.residentBytes())
  }

  #residentPeak(): number {
    return this.#ofLiving(() => this.service.process.residentPeakBytes())
  }

  #cpuMs(): number {
    return this.#ofLiving(() => this.service.process.cpuMs())
  }

  /** 0 of a process that ended, perhaps just now. */
  #ofLiving(look: () => number): number {
    if (this.service.process.ended !== undefined) return 0
    try {
      return look()
    } catch {
      return 0
    }
  }
}

const gone = (): undefined => undefined

/** Of people whose process was ended by what they were sent. */
function wreckOf({ seats }: Omit<HonestOrder, 'port'>): HonestResult {
  const { length } = seats
  return {
    health: [],
    healthFailed: 0,
    keys: [Number.POSITIVE_INFINITY],
    typed: length,
    lost: length,
    unlike: length,
    closes: [],
    closedForGood: seats.map(() => 'its own process ended'),
    ownHold: 0,
  }
}

function together(results: readonly HonestResult[]): HonestResult {
  const sum = (of: (result: HonestResult) => number) =>
    results.reduce((total, result) => total + of(result), 0)
  return {
    health: results.flatMap(({ health }) => health),
    healthFailed: sum(({ healthFailed }) => healthFailed),
    keys: results.flatMap(({ keys }) => keys),
    typed: sum(({ typed }) => typed),
    lost: sum(({ lost }) => lost),
    unlike: sum(({ unlike }) => unlike),
    closes: results.flatMap(({ closes }) => closes),
    closedForGood: results.flatMap(({ closedForGood }) => closedForGood),
    ownHold: Math.max(0, ...results.map(({ ownHold }) => ownHold)),
  }
}
