/**
 * Tells the other nodes which keys this one has written, so that `watch` works across nodes. A hint
 * is sent once and not repeated. Each node counts what it sends and says the count in its
 * heartbeat; where another has heard less, everything that is watched there may have changed. So a
 * hint that is lost costs a second, and nodes that write nothing cost nothing.
 */
import type { Node } from '../../core/nodes/membership.ts'
import { parseKey } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import { createWatchers } from '../../persistence/watchers.ts'
import type { Runtime } from '../../schema/runtime.ts'

/** Hints that come together are sent together. */
const gatheredMs = 2

/** Of these nobody at another node wants to know. */
const unwatched: ReadonlySet<string | undefined> = new Set([
  'doc',
  'idempotency',
  'lease',
  'node',
  'use',
])

export interface ChangeHintsParts {
  readonly runtime: Runtime
  /** To all other nodes that are reached; the rest notice by the next heartbeat. */
  readonly send: (number: number, keys: readonly string[]) => Promise<void>
}

interface Heard {
  /** Of the hints of a node, the newest that was heard, or need not be. */
  newest: number
  /** How many it had sent by its heartbeat before the last. */
  sentBefore: number
}

export class ChangeHints {
  readonly #parts: ChangeHintsParts
  readonly #watchers = createWatchers()
  readonly #gathered = new Set<string>()
  readonly #heard = new Map<string, Heard>()
  #sent = 0

  constructor(parts: ChangeHintsParts) {
    this.#parts = parts
  }

  /** How many this node has sent. */
  get sent(): number {
    return this.#sent
  }

  /** The store, whose writes are told and whose `watch` hears of all nodes. */
  around(store: Store): Store {
    return {
      commit: async (commit: Commit) => {
        const result = await store.commit(commit)
        if (result.ok) this.#written(commit)
        return result
      },
      get: (key) => store.get(key),
      getMany: (keys) => store.getMany(keys),
      scan: (range) => store.scan(range),
      scanRaw: (range) => store.scanRaw(range),
      deleteRange: (range) => store.deleteRange(range),
      compact: (range) => store.compact(range),
      watch: (prefix, listener) => {
        const stops = [store.watch(prefix, listener), this.#watchers.add(prefix, listener)]
        return () => {
          for (const stop of stops) stop()
        }
      },
      close: () => store.close(),
    }
  }

  /** Another node has written these. */
  heard(from: string, number: number, keys: readonly string[]): void {
    const known = this.#heard.get(from)
    if (known !== undefined && number > known.newest + 1) this.#watchers.tellAll()
    if (known !== undefined) known.newest = Math.max(known.newest, number)
    this.#watchers.tell(keys)
  }

  /** With each heartbeat, what is known of the other nodes. */
  compare(others: readonly Node[]): void {
    const there = new Set(others.map(({ id }) => id))
    for (const id of this.#heard.keys()) if (!there.has(id)) this.#heard.delete(id)
    for (const { id, hints } of others) {
      const known = this.#heard.get(id)
      if (known === undefined) this.#heard.set(id, { newest: hints, sentBefore: hints })
      else {
        // What was sent since the heartbeat before may still be under way.
        if (known.sentBefore > known.newest) {
          known.newest = known.sentBefore
          this.#watchers.tellAll()
        }
        known.sentBefore = hints
      }
    }
  }

  #written({ puts = [], deletes = [] }: Commit): void {
    const before = this.#gathered.size
    for (const key of [...puts.map((put) => put.key), ...deletes]) {
      if (!unwatched.has(parseKey(key)?.kind)) this.#gathered.add(key)
    }
    if (before > 0 || this.#gathered.size === 0) return
    this.#parts.runtime.after(gatheredMs, () => {
      const keys = [...this.#gathered]
      this.#gathered.clear()
      this.#sent += 1
      void this.#parts.send(this.#sent, keys)
    })
  }
}
