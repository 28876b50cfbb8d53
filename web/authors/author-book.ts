/**
 * Who the actors of a document are: name, kind and hue for an actor id. Names come from who is
 * here; the rest the service is asked for, once for each, and again when who had not written does.
 * It knows neither text nor carets.
 */
import { call } from '../api/http.ts'
import type { LiveEvent } from '../live/event-socket.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { Hues } from './hues.ts'
import { peersOf } from './peers.ts'

export interface Author {
  readonly id: string
  readonly name: string
  readonly isHuman: boolean
  /** 0…9: `--author-<hue>`. */
  readonly hue: number
}

export interface AuthorBook {
  /** What is known now; a name that is not is asked for, and `changes` tells when it came. */
  author(id: string): Author
  hueOf(id: string): number
  /** Grows with everything learned. */
  readonly changes: Readable<number>
  close(): void
}

/** Ids that come up within this time are asked for together. */
const askAfterMs = 50
/** After the service could not be reached. */
const askAgainAfterMs = 10_000
/** In one question. */
const askedMax = 100

export function openAuthorBook(session: DocumentSession): AuthorBook {
  const names = new Map<string, string>()
  const asked = new Set<string>()
  const wanted = new Set<string>()
  const hues = new Hues()
  const changes = createStore(0)
  let timer: number | undefined
  let isClosed = false

  const learn = (id: string, name: string): boolean => {
    if (names.get(id) === name) return false
    names.set(id, name)
    return true
  }
  const told = () => changes.set(changes.get() + 1)
  const want = (id: string) => {
    if (asked.has(id) || !isKnowable(id)) return
    asked.add(id)
    wanted.add(id)
    timer ??= window.setTimeout(ask, askAfterMs)
  }
  const lookAround = () => {
    const { awareness } = session.copy.get()
    const peers = peersOf(awareness)
    const own = session.account.get()
    let isNew = own !== undefined && learn(own.actor_id, own.name)
    if (own !== undefined) want(own.actor_id)
    for (const { actor, name } of peers) {
      want(actor)
      if (name !== undefined && learn(actor, name)) isNew = true
    }
    if (isNew) told()
  }
  const ask = async () => {
    const ids = [...wanted].slice(0, askedMax)
    const asked = { slug: session.slug, query: { ids: ids.join() } }
    const read = await call('GET /docs/:slug/actors', ['actors'], asked).catch(() => undefined)
    if (isClosed) return
    if (read !== undefined) for (const id of ids) wanted.delete(id)
    const after = read === undefined ? askAgainAfterMs : askAfterMs
    timer = wanted.size === 0 ? undefined : window.setTimeout(ask, after)
    let isNew = false
    for (const [id, { name, hue }] of Object.entries(read?.actors ?? {})) {
      if (learn(id, name)) isNew = true
      if (hue !== undefined && hues.learn(id, hue)) isNew = true
    }
    if (isNew) told()
  }
  const onEvent = (event: LiveEvent) => {
    if (event.type !== 'doc_changed') return
    for (const id of event.actors) if (!hues.isGiven(id) && asked.delete(id)) want(id)
  }
  const stops = [
    watchAwareness(session, lookAround),
    session.account.subscribe(lookAround),
    session.onEvent(onEvent),
  ]
  const hueOf = (id: string) => hues.of(id)
  return {
    hueOf,
    author(id) {
      want(id)
      const name = names.get(id) ?? placeholder(id)
      return { id, name, isHuman: isHuman(id), hue: hueOf(id) }
    },
    changes,
    close() {
      isClosed = true
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}

const unattributedActor = 'unknown:unattributed'

export const isHuman = (actor: string): boolean => actor.startsWith('human:')

/** A reader without an account has no name, however often one asks. */
const isKnowable = (id: string): boolean =>
  id !== unattributedActor && !id.startsWith('human:client-')

function placeholder(id: string): string {
  if (id === unattributedActor) return 'Unknown'
  return isHuman(id) ? 'Someone' : 'An agent'
}

/** Calls now, and whenever who is here or the copy that is edited changes. */
function watchAwareness(session: DocumentSession, listener: () => void): () => void {
  let { awareness } = session.copy.get()
  awareness.on('change', listener)
  listener()
  const stop = session.copy.subscribe(() => {
    awareness.off('change', listener)
    awareness = session.copy.get().awareness
    awareness.on('change', listener)
    listener()
  })
  return () => {
    stop()
    awareness.off('change', listener)
  }
}
