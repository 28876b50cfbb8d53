/**
 * Change hints: which keys a node has written, sent to the other nodes so that `Store.watch` works
 * across nodes. A hint is sent once. Each node publishes in its heartbeat how many it has sent. A
 * node that received fewer treats everything it watches as changed. A lost hint therefore delays a
 * watcher by about a second, and idle nodes send nothing.
 */
import type { Node } from '../../core/nodes/membership.ts'
import { parseKey } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import { createWatchers } from '../../persistence/watchers.ts'
import { wrappedStore } from '../../persistence/wrapped-store.ts'
import type { Runtime } from '../../schema/runtime.ts'

/** Hints that come together are sent together. */
const gatheredMs = 2

/** Kinds of keys that no other node watches. */
const unwatched: ReadonlySet<string | undefined> = new Set([
  'doc',
  'idempotency',
  'lease',
  'node',
  'use',
])

export interface ChangeHintsParts {
  readonly runtime: Runtime
  /** Sends to all other nodes that can be reached; the others notice by the next heartbeat. */
  readonly send: (number: number, keys: readonly string[]) => Promise<void>
}

interface Received {
  /** The number of the newest hint from a node that was received or is accounted for. */
  newest: number
  /** How many hints the node had sent by its last heartbeat but one. */
  sentBefore: number
}

export class ChangeHints {
  readonly #parts: ChangeHintsParts
  readonly #watchers = createWatchers()
  readonly #gathered = new Set<string>()
  readonly #received = new Map<string, Received>()
  #sent = 0

  constructor(parts: ChangeHintsParts) {
    this.#parts = parts
  }

  /** How many this node has sent. */
  get sent(): number {
    return this.#sent
  }

  /** The store; its commits send hints, and its `watch` covers the commits of all nodes. */
  around(store: Store): Store {
    return wrappedStore(store, {
      commit: async (commit: Commit) => {
        const result = await store.commit(commit)
        if (result.ok) this.#written(commit)
        return result
      },
      watch: (prefix: string, listener: (key: string) => void) => {
        const stops = [store.watch(prefix, listener), this.#watchers.add(prefix, listener)]
        return () => {
          for (const stop of stops) stop()
        }
      },
    })
  }

  /** Another node has written these keys. */
  receive(from: string, number: number, keys: readonly string[]): void {
    const known = this.#received.get(from)
    if (known !== undefined && number > known.newest + 1) this.#watchers.tellAll()
    if (known !== undefined) known.newest = Math.max(known.newest, number)
    this.#watchers.tell(keys)
  }

  /** Called with each heartbeat: finds hints that did not arrive. */
  compare(others: readonly Node[]): void {
    const there = new Set(others.map(({ id }) => id))
    for (const id of this.#received.keys()) if (!there.has(id)) this.#received.delete(id)
    for (const { id, hints } of others) {
      const known = this.#received.get(id)
      if (known === undefined) this.#received.set(id, { newest: hints, sentBefore: hints })
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
