/**
 * Whose work a host does next: of all who wait, theirs whose address, link and document have had
 * the least of its time lately. So whoever sends much, or what takes long, is behind everybody
 * else, however many sockets and requests it comes with. After a few milliseconds the thread takes
 * in what came meanwhile before it goes on. Knows nothing of what is done.
 */
import { LRUCache } from 'lru-cache'
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { Sources } from './live-peer.ts'

/** Who is charged for work: each of these that is known. */
export interface Caller extends Partial<Sources> {
  readonly slug?: Slug
}

interface QueuedWork {
  readonly key: string
  readonly names: readonly string[]
  readonly jobs: (() => void)[]
}

interface WorkUsed {
  readonly ms: number
  readonly at: number
}

/** After so long half of what was used counts. */
const halfLifeMs = 5_000
/** Addresses, links and documents whose use is known. */
const usersMax = 20_000
/** So long it works before it takes in what came meanwhile. */
const workMs = 4

export class FairWork {
  readonly #runtime: Runtime
  readonly #working: ((slug: Slug) => void) | undefined
  readonly #used = new LRUCache<string, WorkUsed>({ max: usersMax })
  readonly #waiting = new Map<string, QueuedWork>()
  /** Those who wait, by how much they had when they came: each level is twice the one before. */
  readonly #levels: Set<QueuedWork>[] = []
  /** Since it last took in what came. */
  #workedMs = 0
  #isRunning = false
  #isDue = false

  /** `working`: told whose document is worked on, before it is. */
  constructor(runtime: Runtime, working?: (slug: Slug) => void) {
    this.#runtime = runtime
    this.#working = working
  }

  /** Does this at once where nothing waits, or in its turn. The job throws nothing. */
  add(caller: Caller, job: () => void): void {
    const names = namesOf(caller)
    const key = names.join('\n')
    const run = () => {
      if (caller.slug !== undefined) this.#working?.(caller.slug)
      job()
    }
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) waiting.jobs.push(run)
    else this.#wait({ key, names, jobs: [run] })
    if (!this.#isRunning && !this.#isDue) this.#run()
  }

  /** The same of work that answers something, or throws. */
  run<T>(caller: Caller, work: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.add(caller, () => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** All that is added by this waits until it is done, so that it is chosen from. */
  gather(adding: () => void): void {
    if (this.#isRunning) {
      adding()
      return
    }
    this.#isRunning = true
    try {
      adding()
    } finally {
      this.#isRunning = false
      if (!this.#isDue && this.#waiting.size > 0) this.#run()
    }
  }

  #run(): void {
    this.#isDue = false
    this.#isRunning = true
    try {
      this.#work()
    } finally {
      this.#isRunning = false
      // Also when nothing waits: work that comes in later steps of promises is chosen from then.
      if (this.#waiting.size > 0 || this.#workedMs >= workMs) {
        this.#isDue = true
        this.#workedMs = 0
        this.#runtime.inTurn(() => this.#run())
      }
    }
  }

  #work(): void {
    let since = this.#runtime.elapsed()
    while (this.#waiting.size > 0 && this.#workedMs < workMs) {
      const { names, job } = this.#takeNext(since)
      job()
      const now = this.#runtime.elapsed()
      this.#charge(names, now - since, now)
      this.#workedMs += now - since
      since = now
    }
  }

  #wait(waiting: QueuedWork): void {
    this.#waiting.set(waiting.key, waiting)
    const level = this.#levelOf(waiting.names, this.#runtime.elapsed())
    while (this.#levels.length <= level) this.#levels.push(new Set())
    this.#levels[level]?.add(waiting)
  }

  /** Of the lowest level, in the order in which they came. */
  #takeNext(now: number): { readonly names: readonly string[]; readonly job: () => void } {
    for (const [level, callers] of this.#levels.entries()) {
      for (const waiting of callers) {
        callers.delete(waiting)
        this.#waiting.delete(waiting.key)
        const { names, jobs } = waiting
        // Others had much for the same address, link or document meanwhile.
        const isHigher = this.#waiting.size > 0 && this.#levelOf(names, now) > level
        const job = isHigher ? undefined : jobs.shift()
        if (jobs.length > 0) this.#wait(waiting)
        if (job !== undefined) return { names, job }
      }
    }
    throw new TypeError('nothing waits')
  }

  #levelOf(names: readonly string[], now: number): number {
    return Math.floor(Math.log2(1 + this.#usedBy(names, now)))
  }

  #usedBy(names: readonly string[], now: number): number {
    return names.reduce((sum, name) => sum + this.#of(name, now), 0)
  }

  #of(name: string, now: number): number {
    const used = this.#used.get(name)
    return used === undefined ? 0 : used.ms * 2 ** ((used.at - now) / halfLifeMs)
  }

  #charge(names: readonly string[], ms: number, now: number): void {
    if (ms <= 0) return
    for (const name of names) this.#used.set(name, { ms: this.#of(name, now) + ms, at: now })
  }
}

const namesOf = ({ slug, address, link }: Caller): readonly string[] => {
  const names = slug === undefined ? [] : [`document ${slug}`]
  // What has no name is nobody's: of it there are many.
  if (address) names.push(`address ${address}`)
  if (link) names.push(`link ${link}`)
  return names
}
