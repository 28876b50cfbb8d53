/**
 * Entries of an inbox filled with what one needs to act on them (extensions §13), read under the
 * role of that moment. An entry that may not be read any more, or whose comment is gone, is left
 * out.
 */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import { accessOn } from '../../core/access/roles.ts'
import type { DocumentView, Excerpt } from '../../core/documents/contract.ts'
import type { InboxEntry } from '../../core/outbox/outbox.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { shortened } from '../../schema/shortened.ts'
import type { inboxSuccess } from '../../schema/wire/inbox.ts'
import type { Admitted } from '../admission/admitted.ts'
import { isoTime } from '../answers/times.ts'
import type { Services } from '../services.ts'
import { aboutNoDocument, shownAct, shownActor, wishFor } from './shown-acts.ts'

export type WireEntry = Static<typeof inboxSuccess>['entries'][number]

export class Filling {
  readonly #services: Services
  readonly #credential: Credential
  readonly #sources: Admitted['sources']
  /** By document and thread. */
  readonly #views = new Map<string, Promise<DocumentView | undefined>>()
  readonly #filled = new Map<number, WireEntry>()

  constructor({ credential, sources }: Admitted, services: Services) {
    if (credential === undefined) throw new TypeError('an inbox of nobody')
    this.#credential = credential
    this.#sources = sources
    this.#services = services
  }

  /** Whether there is something to show of it now. */
  async fill(entry: InboxEntry): Promise<boolean> {
    const slug = entry.slug as Slug | undefined
    if (slug === undefined) {
      this.#filled.set(entry.id, await this.#ofAgent(entry))
      return true
    }
    const key = `${slug}/${entry.thread ?? ''}`
    const known = this.#views.get(key) ?? this.#viewOf(slug, entry)
    this.#views.set(key, known)
    const view = await known
    const filled = view && (await this.#entryOf(entry, view))
    if (filled === undefined) return false
    this.#filled.set(entry.id, filled)
    return true
  }

  shown(entries: readonly InboxEntry[]): WireEntry[] {
    return entries.map(({ id }) => this.#filled.get(id)).filter((one) => one !== undefined)
  }

  /** Undefined: it may not be read. */
  async #viewOf(slug: Slug, entry: InboxEntry): Promise<DocumentView | undefined> {
    const { documents, people } = this.#services
    try {
      const facts = await documents.facts(slug)
      if (facts.life.state !== 'active') return undefined
      const standing = await people.access.standing(this.#credential, slug)
      if (accessOn(standing, facts) === undefined) return undefined
      return await documents.read(slug, wishFor(entry), this.#sources)
    } catch (error) {
      if (error instanceof Refusal && unreadable.has(error.code)) return undefined
      throw error
    }
  }

  async #entryOf(entry: InboxEntry, view: DocumentView): Promise<WireEntry | undefined> {
    const act = await shownAct(entry, view, this.#services.people.access)
    if (act === undefined) return undefined
    const { excerpt, ...fields } = act
    return { ...countsOf(entry), ...fields, block: blockOf(excerpt) }
  }

  /** It is about an agent, not about a document. */
  async #ofAgent(entry: InboxEntry): Promise<WireEntry> {
    const actor = await shownActor(entry.actor as ActorId, this.#services.people.access)
    return { ...countsOf(entry), ...aboutNoDocument, actor, block: null }
  }
}

const countsOf = (entry: InboxEntry) => ({
  id: String(entry.id),
  event: entry.event,
  at: isoTime(entry.at),
  count: entry.count,
  ...(entry.earlier !== undefined && { earlier: entry.earlier }),
})

/** A document that is gone, or cannot be read by anybody now. */
const unreadable: ReadonlySet<string> = new Set(['DOC_NOT_FOUND', 'DOC_DAMAGED'])

function blockOf(excerpt: Excerpt | undefined): WireEntry['block'] {
  if (excerpt?.block === undefined) return null
  const { id, begin } = excerpt.block
  return { id, quote: shortened(begin, limits.inboxBlockMaxChars) }
}
