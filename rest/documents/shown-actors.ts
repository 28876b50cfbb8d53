/** Actor objects as an answer about one document shows them (interface §2.6). */
import type { ActorObject } from '../../core/access/actors.ts'
import type { DocumentView } from '../../core/documents/contract.ts'
import type { ActorId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { bytesOf } from '../comments/thread-pages.ts'
import type { Services } from '../services.ts'

/** By actor id; who has not written in the document has no hue. */
export type ShownActors = Record<string, ActorObject & { readonly hue?: number }>

export async function shownActors(
  ids: Iterable<ActorId>,
  view: Pick<DocumentView, 'hueOf'>,
  { people }: Services,
): Promise<ShownActors> {
  const objects = Object.entries(await people.access.actors(ids))
  return Object.fromEntries(
    objects.map(([id, object]) => {
      const hue = view.hueOf(object.actor_id)
      return [id, hue === undefined ? object : { ...object, hue }]
    }),
  )
}

type PageContent =
  | { readonly threads: readonly unknown[] }
  | { readonly comments: readonly unknown[] }

type Page = PageContent & { readonly actors: ReadonlySet<ActorId> }

interface Filled<P extends Page> {
  readonly page: P
  /** Those on the page; nobody where nothing is said. */
  readonly actors: ShownActors
}

const most = limits.threadPageBytes
/** So much smaller each page is at least than the one before, which did not fit. */
const leastStep = most / 16

/**
 * A page of what is said and the actors in it, who are looked up once the page is there: both
 * together keep to the budget (extensions §8). `make` puts the least on it that a page may have,
 * whatever the budget.
 */
export async function filledPage<P extends Page>(
  view: Pick<DocumentView, 'hueOf'>,
  services: Services,
  make: (budget: number) => P,
): Promise<Filled<P>> {
  for (let budget = most; ; ) {
    const page = make(budget)
    const said = 'threads' in page ? page.threads : page.comments
    // Most reads are of documents in which nothing is said: they look nobody up here.
    if (said.length === 0) return { page, actors: {} }
    const actors = await shownActors(page.actors, view, services)
    const over = bytesOf(said) + bytesOf(actors) - most
    if (over <= 0 || budget <= 0) return { page, actors }
    budget -= Math.max(over, leastStep)
  }
}
