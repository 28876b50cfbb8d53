/** Whom a comment may call (extensions §13): who has a grant on the document, or a part in it. */
import type { Sources } from '../../core/documents/contract.ts'
import { type ActorId, isNameless } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import type { Services } from '../services.ts'

/** Among whom is sought who may be mentioned: of those who spoke, who wrote, who have a grant. */
export const mentionablePerSource = 300

const shownMax = 20

interface Named {
  readonly actor_id: ActorId
  readonly handle: string
  readonly name: string
}

/** What it takes to find them. */
export interface Sought {
  readonly documents: Pick<Services['documents'], 'read'>
  readonly people: {
    readonly access: Pick<
      Services['people']['access'],
      'actors' | 'grants' | 'mentioned' | 'ownership'
    >
  }
}

/** So many are looked up before it is asked whether that is enough. */
const lookedUpAtOnce = 100

export interface Mentionable {
  readonly people: Named[]
  /** Who took part by a token of the document alone: they have no handle and no inbox. */
  readonly unreachable: Omit<Named, 'handle'>[]
}

/**
 * Those whose handle, or a word of whose name, begins with what is sought, but for whoever asks. In
 * a document may be thousands: whoever has the very handle, and of those who spoke, wrote and have
 * a grant some each.
 */
export async function mentionable(
  { slug, facts, access: { actor: me } }: DocumentContext,
  sought: string,
  { sources, services }: { readonly sources: Sources; readonly services: Sought },
): Promise<Mentionable> {
  const { documents, people } = services
  const words = folded(sought.trim().replace(/^@/, ''))
  const most = mentionablePerSource
  const view = await documents.read(slug, { speakers: { most }, authors: true }, sources)
  const { owner } = await people.access.ownership(slug)
  const named = (await people.access.mentioned(facts, words === '' ? [] : [words])).get(words)
  const asked = { after: undefined, limit: limits.grantsReadPerPage }
  const { grants } = await people.access.grants(facts, asked)
  const [linked, invited] = [grants.filter(isByLink), grants.filter((one) => !isByLink(one))]
  const known = new Set([
    ...(owner === undefined ? [] : [owner]),
    ...(named?.hasAccess === true ? [named.actor] : []),
    ...[...view.speakers()].filter((id) => !isNameless(id)),
    ...some(view.authors()),
    ...some([...invited, ...linked].map(({ actor }) => actor)),
  ])
  const ids = [...known].filter((id) => id !== me)
  const found: Named[] = []
  for (let at = 0; at < ids.length && found.length < shownMax; at += lookedUpAtOnce) {
    const shown = await people.access.actors(ids.slice(at, at + lookedUpAtOnce))
    found.push(...Object.values(shown).filter((one) => isSought(one, words)))
  }
  return {
    people: found
      .slice(0, shownMax)
      .map(({ actor_id, handle, name }) => ({ actor_id, handle, name })),
    unreachable: await unreachableIn(
      [...view.speakers(), ...view.authors()],
      { me, words },
      services,
    ),
  }
}

interface MentionQuery {
  readonly me: ActorId | undefined
  readonly words: string
}

async function unreachableIn(
  ids: Iterable<ActorId>,
  { me, words }: MentionQuery,
  { people }: Sought,
): Promise<Mentionable['unreachable']> {
  const tokens = new Set<ActorId>()
  for (const id of ids) {
    if (tokens.size === lookedUpAtOnce) break
    if (id.startsWith('ai:') && isNameless(id) && id !== me) tokens.add(id)
  }
  const shown = Object.values(await people.access.actors([...tokens]))
  const found = shown.filter(({ name }) => isSought({ handle: '', name }, words))
  return found.slice(0, shownMax).map(({ actor_id, name }) => ({ actor_id, name }))
}

const isByLink = ({ source }: { readonly source: string }): boolean => source === 'link'

/** The first that have a name, each once. */
function some(ids: Iterable<ActorId>): Set<ActorId> {
  const first = new Set<ActorId>()
  for (const id of ids) {
    if (first.size === mentionablePerSource) break
    if (!isNameless(id)) first.add(id)
  }
  return first
}

/** However letters and their marks are put together; a name has few of these on one letter. */
const folded = (text: string): string => text.normalize('NFC').toLowerCase()

const isSought = ({ handle, name }: Omit<Named, 'actor_id'>, words: string): boolean =>
  folded(handle).startsWith(words) ||
  folded(name).startsWith(words) ||
  folded(name)
    .split(/\s+/)
    .some((word) => word.startsWith(words))
