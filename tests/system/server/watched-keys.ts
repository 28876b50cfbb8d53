/**
 * Somebody who types a word every few milliseconds, and somebody else who sees them come: how long
 * each word takes, whether a socket was closed, and which words the service has called saved.
 */
import type { Made, Service } from '../../client.ts'
import { Bare, Live, until } from '../acceptance/sockets.ts'
import { Typist } from '../typist.ts'

export class WatchedKeys {
  readonly typist: Typist
  readonly watcher: Live
  readonly follower: Bare
  /** How long each word took to the watcher, ms, in the order of their arrival. */
  readonly tookMs: number[] = []
  readonly #sentAt = new Map<string, number>()
  readonly #prefix: string
  #followerClosed = false
  #watcherCloses = 0
  #words = 0
  #typing: Promise<void> | undefined

  constructor(service: Service, made: Made, prefix: string) {
    const { slug, token } = made
    this.#prefix = prefix
    this.typist = new Typist(service, slug, token)
    this.watcher = new Live(service, slug, { token })
    this.watcher.provider.on('connection-close', () => void this.#watcherCloses++)
    this.follower = new Bare(service, `${made.path}/changes/connect`, { token })
    void this.follower.closed.then(() => {
      this.#followerClosed = true
    })
    this.watcher.doc.on('update', () => this.#look())
  }

  async begin(): Promise<this> {
    await this.typist.live.synced()
    await this.watcher.synced()
    await until(() => this.follower.frame('ready') !== undefined)
    this.#typing = this.typist.type('typed', () => this.#word())
    return this
  }

  /** Words that have not come to the watcher. */
  get missing(): readonly string[] {
    return [...this.#sentAt.keys()]
  }

  /** Whether any of the three sockets was closed. */
  get wasClosed(): boolean {
    return this.typist.closes.length + this.#watcherCloses > 0 || this.#followerClosed
  }

  /** Types no more; resolves when all of it came to the watcher. */
  async rest(): Promise<void> {
    this.typist.rest()
    await this.#typing
    await until(() => this.missing.length === 0, 15_000)
  }

  /** The words that came while this went on; at least one that was sent after its end. */
  async during(work: () => Promise<void>): Promise<readonly number[]> {
    const before = this.tookMs.length
    await work()
    const last = this.#words
    await until(() => this.#words > last + 1 && !this.#sentAt.has(this.#named(last + 1)), 15_000)
    return this.tookMs.slice(before)
  }

  stop(): void {
    this.typist.stop()
    this.watcher.stop()
    this.follower.stop()
  }

  #named(word: number): string {
    return `${this.#prefix}${word}e`
  }

  #word(): string {
    const word = this.#named(++this.#words)
    this.#sentAt.set(word, performance.now())
    return word
  }

  #look(): void {
    if (this.#sentAt.size === 0) return
    const there = new Set(this.watcher.text.split(/\s+/))
    for (const [word, sentAt] of this.#sentAt) {
      if (!there.has(word)) continue
      this.#sentAt.delete(word)
      this.tookMs.push(performance.now() - sentAt)
    }
  }
}

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0
