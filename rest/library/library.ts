/** What people find in their libraries (extensions §7, §12), page by page. */
import type { ListedDocument } from '../../core/library/lists.ts'
import type { Folder } from '../../core/records/people-records.ts'
import type { ActorId } from '../../schema/ids.ts'
import { sessionOf } from '../admission/credential-kinds.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, pageAsked } from '../answers/cursors.ts'
import { isoTime } from '../answers/times.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'

const list = { extension: true, access: 'session' } as const

export const readLibrary = route(
  'GET /workspace/library',
  {
    ...list,
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List a container',
    description:
      'A container of the workspace, or of a team that the account is a member of. Folders ' +
      'come first, by name, then documents, newest first. Titles are from the latest stored ' +
      'text.',
    errors: ['NOT_FOUND'],
  },
  async ({ credential, query }, services) => {
    const { accountId } = sessionOf(credential).account
    const { archived, nested } = query
    const isAsked = { archived: archived === 'true', nested: nested === 'true' }
    const page = { ...pageAsked(query), ...isAsked }
    const where = { containerId: query.container, folderId: query.parent }
    const found = await services.people.library.contentsOf(accountId, where, page)
    const { node } = await nodesOf(found.documents, [], services)
    return json({
      path: found.path.map(({ folderId, name }) => ({ id: folderId, name })),
      nodes: [...found.folders.map(folderNode), ...found.documents.map(node)],
      pageInfo: pageInfo(found.next),
    })
  },
)

const folderNode = ({ folderId, name, createdAt }: Folder) => ({
  id: folderId,
  kind: 'folder' as const,
  name,
  updated_at: isoTime(createdAt),
  updated_by: null,
})

export const readShared = route(
  'GET /workspace/shared',
  {
    ...list,
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List what is shared with this account',
    description:
      'Documents that the account was invited to, or that it has written in through a link. ' +
      'The order has no meaning.',
    errors: [],
  },
  async ({ credential, query }, services) => {
    const actor = sessionOf(credential).account.actor as ActorId
    const page = { ...pageAsked(query), archived: query.archived === 'true' }
    const { documents, next } = await services.people.access.sharedWith(actor, page)
    const owners = documents.map(({ owner }) => owner)
    const { node, person } = await nodesOf(documents, owners, services)
    const nodes = documents.map((one) => ({
      ...node(one),
      your_role: one.role,
      owner: person(one.owner),
    }))
    return json({ nodes, pageInfo: pageInfo(next) })
  },
)

const pageInfo = (next: string | undefined) => ({
  nextCursor: next === undefined ? null : cursorAfter(next),
})

/** How documents are shown, once those are looked up whom they name. */
async function nodesOf(
  documents: readonly ListedDocument[],
  others: readonly (ActorId | undefined)[],
  { people }: Services,
) {
  const ids = [...documents.map(({ updatedBy }) => updatedBy), ...others]
  const actors = await people.access.actors(ids.filter((id) => id !== undefined))
  const person = (id: ActorId | undefined) => {
    const actor = id && actors[id]
    return actor ? { actor_id: actor.actor_id, handle: actor.handle, name: actor.name } : null
  }
  const node = ({ slug, title = '', updatedAt, updatedBy, facts }: ListedDocument) => ({
    id: slug,
    kind: 'doc' as const,
    name: title,
    apiUrl: `/docs/${slug}`,
    updated_at: isoTime(updatedAt),
    updated_by: person(updatedBy),
    created_at: isoTime(facts.createdAt),
    ...(facts.life.state === 'archived' && { archived_at: isoTime(facts.life.at) }),
  })
  return { node, person }
}
