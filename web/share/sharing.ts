/**
 * Who has access to a document, as an editor sees it: read when the dialog opens, after each change
 * made here, when somebody else changes it and when one comes back to the page. Changes go to the
 * service and are shown once they are read back; it guesses nothing.
 */
import {
  type AccessList,
  type LinkAccess,
  type ListedLink,
  listAccess,
  listLinks,
  readLinkAccess,
} from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { asSomebody } from './as-somebody.ts'
import { Refresher } from './refresher.ts'
import { problemOf } from './words.ts'

export interface Shared {
  readonly general: LinkAccess
  /** As many pages of grants as were asked for. */
  readonly access: AccessList
  /** All of them, the newest first. */
  readonly links: readonly ListedLink[]
}

export class Sharing {
  readonly slug: string
  readonly #session: DocumentSession
  readonly #shared = createStore<Shared | undefined>(undefined)
  readonly #problem = createStore<string | undefined>(undefined)
  readonly #reading: Refresher
  #pages = 1

  constructor(session: DocumentSession) {
    this.slug = session.slug
    this.#session = session
    this.#reading = new Refresher(session, () => this.#readAll())
  }

  /** `undefined` until it was read once. */
  get shared(): Readable<Shared | undefined> {
    return this.#shared
  }

  /** Why what is shown may be old. */
  get problem(): Readable<string | undefined> {
    return this.#problem
  }

  /** Does it as somebody with a name, and resolves when what came of it is shown. */
  async change<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await asSomebody(this.#session, act)
    } finally {
      await this.#reading.now()
    }
  }

  showMore(): void {
    this.#pages += 1
    void this.#reading.now()
  }

  close(): void {
    this.#reading.close()
  }

  async #readAll(): Promise<void> {
    const { slug } = this
    try {
      const [general, access, links] = await Promise.all([
        readLinkAccess(slug),
        this.#readGrants(),
        readLinks(slug),
      ])
      this.#shared.set({ general, access, links })
      this.#problem.set(undefined)
    } catch (error) {
      this.#problem.set(problemOf(error, messages))
    }
  }

  async #readGrants(): Promise<AccessList> {
    let list = await listAccess(this.slug)
    for (let read = 1; read < this.#pages && list.next_cursor !== null; read++) {
      const more = await listAccess(this.slug, list.next_cursor)
      list = { ...list, grants: [...list.grants, ...more.grants], next_cursor: more.next_cursor }
    }
    return list
  }
}

const messages = {
  OFFLINE: 'Could not reach the server. This list may be out of date.',
  FORBIDDEN: 'You no longer have permission to see who has access.',
}

async function readLinks(slug: string): Promise<readonly ListedLink[]> {
  let list = await listLinks(slug)
  const links = [...list.links]
  while (list.next_cursor !== null) {
    list = await listLinks(slug, list.next_cursor)
    links.push(...list.links)
  }
  return links
}
