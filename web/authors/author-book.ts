/**
 * Who the actors of a document are: name, kind and hue for an actor id. Names come from who is here
 * and, for those who are not, from one read of the document; nobody is asked about twice. It knows
 * neither text nor carets.
 */
import { call } from '../api/http.ts'
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

interface ActorObject {
  readonly name: string
  readonly is_human: boolean
}

/** Unknown ids that come up within this time are asked for together. */
const askAfterMs = 50

export function openAuthorBook(session: DocumentSession): AuthorBook {
  const names = new Map<string, string>()
  const asked = new Set<string>()
  const hues = new Hues()
  const changes = createStore(0)
  let timer: number | undefined

  const learn = (id: string, name: string): boolean => {
    if (names.get(id) === name) return false
    names.set(id, name)
    return true
  }
  const lookAround = () => {
    const { awareness } = session.copy.get()
    const peers = peersOf(awareness)
    const own = session.account.get()
    let isNew = own !== undefined && learn(own.actor_id, own.name)
    hues.meet([...(own === undefined ? [] : [own.actor_id]), ...peers.map(({ actor }) => actor)])
    for (const { actor, name } of peers) {
      if (name !== undefined && learn(actor, name)) isNew = true
    }
    if (isNew) changes.set(changes.get() + 1)
  }
  const ask = async () => {
    timer = undefined
    const path = `/docs/${session.slug}?include=authorship`
    const read = await call<{ actors: Record<string, ActorObject> }>(path).catch(() => undefined)
    if (read === undefined) return
    let isNew = false
    for (const [id, { name }] of Object.entries(read.actors)) if (learn(id, name)) isNew = true
    if (isNew) changes.set(changes.get() + 1)
  }
  const stops = [watchAwareness(session, lookAround), session.account.subscribe(lookAround)]
  const hueOf = (id: string) => hues.of(id)
  return {
    hueOf,
    author(id) {
      const name = names.get(id)
      if (name === undefined && !asked.has(id) && isKnowable(id)) {
        asked.add(id)
        timer ??= window.setTimeout(ask, askAfterMs)
      }
      return { id, name: name ?? placeholder(id), isHuman: isHuman(id), hue: hueOf(id) }
    },
    changes,
    close() {
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
  return isHuman(id) ? 'Somebody' : 'An agent'
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
