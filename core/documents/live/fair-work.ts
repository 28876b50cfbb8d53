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

/** Who is charged for work; a document's own work is nobody else's. */
export interface Caller extends Partial<Sources> {
  readonly slug: Slug
}

interface Waiting {
  readonly names: readonly string[]
  readonly jobs: (() => void)[]
}

interface Used {
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
  readonly #used = new LRUCache<string, Used>({ max: usersMax })
  readonly #waiting = new Map<string, Waiting>()
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
    const waiting = this.#waiting.get(key)
    const run = () => {
      this.#working?.(caller.slug)
      job()
    }
    if (waiting !== undefined) waiting.jobs.push(run)
    else this.#waiting.set(key, { names, jobs: [run] })
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

  #run(): void {
    this.#isDue = false
    this.#isRunning = true
    try {
      this.#work()
    } finally {
      this.#isRunning = false
      if (this.#waiting.size > 0) {
        this.#isDue = true
        this.#runtime.inTurn(() => this.#run())
      }
    }
  }

  #work(): void {
    const begun = this.#runtime.elapsed()
    for (let since = begun; this.#waiting.size > 0 && since - begun < workMs; ) {
      const { names, job } = this.#takeNext(since)
      job()
      const now = this.#runtime.elapsed()
      this.#charge(names, now - since, now)
      since = now
    }
  }

  #takeNext(now: number): { readonly names: readonly string[]; readonly job: () => void } {
    let next: readonly [string, Waiting] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const entry of this.#waiting) {
      const used = this.#waiting.size === 1 ? 0 : this.#usedBy(entry[1].names, now)
      if (used < least) [next, least] = [entry, used]
    }
    if (next === undefined) throw new TypeError('nothing waits')
    const [key, { names, jobs }] = next
    const job = jobs.shift() as () => void
    // Behind the others who have used as much.
    this.#waiting.delete(key)
    if (jobs.length > 0) this.#waiting.set(key, { names, jobs })
    return { names, job }
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
  const names = [`document ${slug}`]
  if (address !== undefined) names.push(`address ${address}`)
  if (link !== undefined) names.push(`link ${link}`)
  return names
}
