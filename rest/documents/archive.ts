/** A document's life (interface §3, §4.1, §9): archived, brought back, and what is said of it. */
import type { DocumentFacts, LifeChange } from '../../core/documents/contract.ts'
import { restorableUntil } from '../../core/documents/life.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { type Answer, json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'
import type { Services } from '../services.ts'

const archivePath = '/docs/:slug/archive'

export const archive = documentRoute(
  'POST /docs/:slug/archive',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Archive a document',
    description:
      'Keeps access, tokens and placement. Other routes answer 423 until the document is ' +
      'restored. After 30 days the document is deleted forever. Archiving it again has no ' +
      'effect.',
    access: 'archive',
    errors: [],
  },
  (input, services) => changed('archive', input, services),
)

export const restore = documentRoute(
  'POST /docs/:slug/restore',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Restore an archived document',
    description:
      'Possible for 30 days, unless permanent deletion has started. Restoring an active ' +
      'document has no effect.',
    access: 'restore',
    errors: ['PURGE_STARTED', 'RETENTION_EXPIRED'],
  },
  (input, services) => changed('restore', input, services),
)

export const readArchive = documentRoute(
  'GET /docs/:slug/archive',
  {
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Get the archive state of a document',
    description:
      'Says whether the document is archived and until when it can be restored. With ' +
      '`include=markdown`, callers who may restore it also get its text.',
    access: 'see-archive',
    actionOf: (_, search) => (search.has('include') ? 'restore' : undefined),
    errors: [],
  },
  async ({ document, sources, query }, services) => {
    const { slug, facts } = document
    const { documents } = services
    const wish = { markdown: query.include === 'markdown' }
    // Of what is being purged nothing may be left that has a title.
    const isThere = facts.life.state !== 'purging'
    const view = isThere ? await documents.read(slug, wish, sources) : undefined
    const found = await shown(facts, { title: view?.title ?? '', by: document }, services)
    return json({ ...found, ...(wish.markdown && view && { markdown: view.markdown }) })
  },
)

export const archiveByDelete = documentRoute(
  'DELETE /docs/:slug',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Archive a document (deprecated)',
    description: `The same as POST ${archivePath}, which takes an editor.`,
    deprecated: { since: '2026-11-01T00:00:00Z', successor: archivePath },
    access: 'delete',
    success: { status: 204 },
    errors: [],
  },
  async (input, services) => {
    await changed('archive', input, services)
    return { body: { empty: true } }
  },
)

export const deleteForever = documentRoute(
  'DELETE /docs/:slug/forever',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete an archived document forever',
    description:
      '204 when the deletion is complete, 202 when it takes longer. It continues in the ' +
      'background, also after a restart. Afterwards the document no longer exists.',
    access: 'purge',
    success: { status: 204, otherStatuses: [202] },
    errors: ['NOT_ARCHIVED'],
  },
  async ({ document, permission }, { purges }) => {
    const { slug } = document
    if (await purges.delete(slug, permission)) return { body: { empty: true } }
    return { ...json({ id: slug, purging: true as const }), status: 202 }
  },
)

async function changed(
  to: LifeChange,
  { document, permission, addressHash }: Admitted & { readonly document: DocumentContext },
  services: Services,
): Promise<Answer<Awaited<ReturnType<typeof shown>> & { readonly revision: number }>> {
  const { slug, access, facts } = document
  if (access.writer === undefined) throw new Refusal('FORBIDDEN')
  // It is not opened, for it may not be whole.
  if (facts.life.state === 'purging') throw new Refusal('PURGE_STARTED')
  const writer = { ...access.writer, ipHash: addressHash }
  const view = await services.documents.changeLife(slug, to, { writer, permission })
  const told = await shown(view.facts, { title: view.title, by: document }, services)
  return json({ ...told, revision: view.revision })
}

interface LifeDetails {
  readonly title: string
  readonly by: DocumentContext
}

async function shown(
  { slug, life }: DocumentFacts,
  { title, by }: LifeDetails,
  { people }: Services,
) {
  const isArchived = life.state !== 'active'
  return {
    id: slug,
    title,
    archived: isArchived,
    archived_at: isArchived ? new Date(life.at).toISOString() : null,
    archived_by: isArchived ? life.by : null,
    restorable_until: isArchived ? new Date(restorableUntil(life.at)).toISOString() : null,
    purging: life.state === 'purging',
    your_role: by.access.role,
    actors: isArchived ? await people.access.actors([life.by]) : {},
  }
}
