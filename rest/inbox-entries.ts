/**
 * Entries of an inbox filled with what one needs to act on them (extensions §13), read under the
 * role of that moment. An entry that may not be read any more, or whose comment is gone, is left
 * out.
 */

import type { Static } from '@sinclair/typebox'
import type { Credential } from '../core/access/credentials.ts'
import { accessOn } from '../core/access/roles.ts'
import type { DocumentView, PlacedThread } from '../core/documents/contract.ts'
import type { Entry } from '../core/outbox/outbox.ts'
import { Refusal } from '../schema/errors.ts'
import type { ActorId, Slug } from '../schema/ids.ts'
import { limits } from '../schema/limits.ts'
import { shortened } from '../schema/shortened.ts'
import type { inboxSuccess } from '../schema/wire/inbox.ts'
import type { Admitted } from './admitted.ts'
import type { Services } from './services.ts'
import { aboutNoDocument, shownAct, shownActor } from './shown-acts.ts'
import { isoTime } from './times.ts'

export type WireEntry = Static<typeof inboxSuccess>['entries'][number]

export class Filling {
  readonly #services: Services
  readonly #credential: Credential
  readonly #sources: Admitted['sources']
  readonly #views = new Map<Slug, Promise<DocumentView | undefined>>()
  readonly #filled = new Map<number, WireEntry>()

  constructor({ credential, sources }: Admitted, services: Services) {
    if (credential === undefined) throw new TypeError('an inbox of nobody')
    this.#credential = credential
    this.#sources = sources
    this.#services = services
  }

  /** Whether there is something to show of it now. */
  async fill(entry: Entry): Promise<boolean> {
    const slug = entry.slug as Slug | undefined
    if (slug === undefined) {
      this.#filled.set(entry.id, await this.#ofAgent(entry))
      return true
    }
    const known = this.#views.get(slug) ?? this.#viewOf(slug)
    this.#views.set(slug, known)
    const view = await known
    const filled = view && (await this.#entryOf(entry, view))
    if (filled === undefined) return false
    this.#filled.set(entry.id, filled)
    return true
  }

  shown(entries: readonly Entry[]): WireEntry[] {
    return entries.map(({ id }) => this.#filled.get(id)).filter((one) => one !== undefined)
  }

  /** Undefined: it may not be read. */
  async #viewOf(slug: Slug): Promise<DocumentView | undefined> {
    const { documents, people } = this.#services
    try {
      const facts = await documents.facts(slug)
      if (facts.life.state !== 'active') return undefined
      const standing = await people.access.standing(this.#credential, slug)
      if (accessOn(standing, facts) === undefined) return undefined
      return await documents.read(slug, this.#sources)
    } catch (error) {
      if (error instanceof Refusal && unreadable.has(error.code)) return undefined
      throw error
    }
  }

  async #entryOf(entry: Entry, view: DocumentView): Promise<WireEntry | undefined> {
    const act = await shownAct(entry, view, this.#services.people.access)
    if (act === undefined) return undefined
    const { placed, ...fields } = act
    return { ...countsOf(entry), ...fields, block: placed ? blockOf(placed, view) : null }
  }

  /** It is about an agent, not about a document. */
  async #ofAgent(entry: Entry): Promise<WireEntry> {
    const actor = await shownActor(entry.actor as ActorId, this.#services.people.access)
    return { ...countsOf(entry), ...aboutNoDocument, actor, block: null }
  }
}

const countsOf = (entry: Entry) => ({
  id: String(entry.id),
  event: entry.event,
  at: isoTime(entry.at),
  count: entry.count,
  ...(entry.earlier !== undefined && { earlier: entry.earlier }),
})

/** A document that is gone, or cannot be read by anybody now. */
const unreadable: ReadonlySet<string> = new Set(['DOC_NOT_FOUND', 'DOC_DAMAGED'])

function blockOf({ thread, range }: PlacedThread, view: DocumentView): WireEntry['block'] {
  if (range === undefined) return null
  const { block } = thread.anchor
  const found = view.rangeOfBlock(block)
  if (found === undefined) return null
  const { from, to } = found
  const quote = shortened(
    view.slice(from, Math.min(to, from + limits.inboxBlockMaxChars + 1)),
    limits.inboxBlockMaxChars,
  )
  return { id: block, quote }
}
