/**
 * Who else is here, as the service says it in their awareness states (`user`: `{actor, name}`), and
 * how many more there are whom it does not show. Good for a picture in the bar, never for who wrote
 * something.
 */

import { limits } from '../../schema/limits.ts'
import { shortened } from '../../schema/shortened.ts'
import { createStore, type Readable } from '../platform/store.ts'
import type { LiveEvent } from './event-socket.ts'
import type { Copy } from './live-copy.ts'

export interface Peer {
  /** Its Yjs clientID; the one it was last active with when it has several pages. */
  readonly client: number
  readonly actor: string
  /** `undefined`: a reader without a name. */
  readonly name: string | undefined
}

/** Fifty people who type move fifty carets; the bar need not. */
const everyMs = 400

interface Seen extends Peer {
  readonly at: number
}

const actorMaxChars = 200

const text = (value: unknown, maxChars: number): string | undefined =>
  typeof value === 'string' && value !== '' ? shortened(value, maxChars) : undefined

export class Presence {
  readonly #peers = createStore<readonly Peer[]>([])
  readonly #hidden = createStore(0)
  #seen = new Map<number, number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #copy: Copy | undefined
  #stop = () => {}

  /** The others, whoever was active last first; a person with several pages once. */
  get peers(): Readable<readonly Peer[]> {
    return this.#peers
  }

  /** How many people the service shows nothing of. */
  get hidden(): Readable<number> {
    return this.#hidden
  }

  /** The service said something; its `hello` tells of those who are not shown where there are any. */
  onEvent(event: LiveEvent): void {
    if (event.type !== 'event' || !['hello', 'presence'].includes(event.event)) return
    const { hidden } = fieldsOf(event.data)
    this.#hidden.set(typeof hidden === 'number' ? hidden : 0)
  }

  watch(copy: Copy): void {
    this.close()
    const { awareness } = copy
    const onChange = (changes: { added: number[]; updated: number[]; removed: number[] }) => {
      const now = performance.now()
      for (const client of [...changes.added, ...changes.updated]) this.#seen.set(client, now)
      for (const client of changes.removed) this.#seen.delete(client)
      this.#timer ??= setTimeout(() => this.#tell(), everyMs)
    }
    awareness.on('change', onChange)
    this.#copy = copy
    this.#stop = () => awareness.off('change', onChange)
    this.#tell()
  }

  close(): void {
    this.#stop()
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#seen = new Map()
  }

  #tell(): void {
    this.#timer = undefined
    const peers = this.#list()
    const key = (list: readonly Peer[]) => JSON.stringify(list)
    if (key(peers) !== key(this.#peers.get())) this.#peers.set(peers)
  }

  #list(): readonly Peer[] {
    const awareness = this.#copy?.awareness
    if (awareness === undefined) return []
    const own = peerOf(awareness.clientID, awareness.getLocalState()).actor
    const seen: Seen[] = [...awareness.getStates()].map(([client, state]) => ({
      ...peerOf(client, state),
      at: this.#seen.get(client) ?? 0,
    }))
    seen.sort((a, b) => b.at - a.at)
    const others = new Map<string, Peer>()
    for (const { client, actor, name } of seen) {
      if (actor !== own && !others.has(actor)) others.set(actor, { client, actor, name })
    }
    return [...others.values()]
  }
}

/** Who a state is of. */
export function peerOf(client: number, state: unknown): Peer {
  const { actor, name } = fieldsOf(fieldsOf(state)['user'])
  return {
    client,
    actor: text(actor, actorMaxChars) ?? `human:client-${client}`,
    name: text(name, limits.displayNameMaxChars),
  }
}

/** The members of a value that may be anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
