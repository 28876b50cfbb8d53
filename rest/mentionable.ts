/** Whom a comment may call (extensions §13): who has a grant on the document, or a part in it. */
import type { Sources } from '../core/documents/contract.ts'
import { type ActorId, isNameless } from '../schema/ids.ts'
import { limits } from '../schema/limits.ts'
import type { DocumentContext } from './route.ts'
import type { Services } from './services.ts'

const shownMax = 20

interface Named {
  readonly actor_id: ActorId
  readonly handle: string
  readonly name: string
}

/** Those whose handle, or a word of whose name, begins with what is sought. */
export async function mentionable(
  { slug, facts }: DocumentContext,
  sought: string,
  { sources, services }: { readonly sources: Sources; readonly services: Services },
): Promise<Named[]> {
  const { documents, people } = services
  const view = await documents.read(slug, sources)
  const { owner } = await people.access.ownership(slug)
  const asked = { after: undefined, limit: limits.grantsReadPerPage }
  const { grants } = await people.access.grants(facts, asked)
  const said = view.threads().flatMap(({ thread }) => thread.comments.map(({ by }) => by))
  const ids = [owner, ...said, ...view.authors(), ...grants.map(({ actor }) => actor)]
  const known = [...new Set(ids)].filter((id) => id !== undefined && !isNameless(id))
  const found = await people.access.actors(known as ActorId[])
  const words = sought.trim().replace(/^@/, '').toLowerCase()
  return Object.values(found)
    .filter((one) => isSought(one, words))
    .slice(0, shownMax)
    .map(({ actor_id, handle, name }) => ({ actor_id, handle, name }))
}

const isSought = ({ handle, name }: Named, words: string): boolean =>
  handle.toLowerCase().startsWith(words) ||
  name
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(words)) ||
  name.toLowerCase().startsWith(words)
