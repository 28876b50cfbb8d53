/**
 * Who else is here, as their pages announce it (awareness `user`: `{actor, name}`). A name in here
 * is another machine's word: good for a picture in the bar, never for who wrote something.
 */
import { createStore, type Readable } from '../store.ts'
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
const nameMaxChars = 80

interface Seen extends Peer {
  readonly at: number
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, nameMaxChars) : undefined

export class Presence {
  readonly #peers = createStore<readonly Peer[]>([])
  #seen = new Map<number, number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #copy: Copy | undefined
  #stop = () => {}

  /** The others, whoever was active last first; a person with several pages once. */
  get peers(): Readable<readonly Peer[]> {
    return this.#peers
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
    const own = actorOf(awareness.getLocalState(), awareness.clientID)
    const seen: Seen[] = [...awareness.getStates()].map(([client, state]) => ({
      client,
      actor: actorOf(state, client),
      name: text(userOf(state)['name']),
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

function userOf(state: unknown): Readonly<Record<string, unknown>> {
  const { user } = (state ?? {}) as { readonly user?: unknown }
  return typeof user === 'object' && user !== null ? (user as Record<string, unknown>) : {}
}

const actorOf = (state: unknown, client: number): string =>
  text(userOf(state)['actor']) ?? `human:client-${client}`
