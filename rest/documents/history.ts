/** What a document was (interface §4.11, extensions §12): who did what when, and how it read. */
import type { ActorObject } from '../../core/access/actors.ts'
import type { HistoryEntry, Sources } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { json, textOf } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'
import type { Services } from '../services.ts'

export const logLinesPerPage = 500

type Input = Admitted & { readonly document: DocumentContext }

/** In the caller's turn: reading the past takes memory and time by the size of the document. */
export async function inTurn<T>(
  { document: { slug }, sources, isGone, stillPermitted }: Input,
  { workQueue, documents }: Services,
  job: (sources: Sources) => Promise<T>,
): Promise<T> {
  const costBytes = await documents.past.cost(slug)
  return workQueue.run({ source: sources, isGone, costBytes, heldBytes: 0 }, async () => {
    await stillPermitted()
    return job(sources)
  })
}

/** In turn, and charged for the processor time. */
const compared = <T>(
  input: Input,
  services: Services,
  job: (compared: { sources: Sources; onWork: (ms: number) => void }) => Promise<T>,
): Promise<T> =>
  services.processorTime.work(input, (onWork) =>
    inTurn(input, services, (sources) => job({ sources, onWork })),
  )

const pageCursor = (...numbers: readonly [number, number]): string => `p${numbers.join('-')}`
const numbersIn = (cursor: string | undefined): readonly [number, number] | undefined => {
  const [first, second] = cursor?.slice(1).split('-').map(Number) ?? []
  return first === undefined || second === undefined ? undefined : [first, second]
}

const cursorOf = (before: number | undefined): string | null =>
  before === undefined ? null : `r${before}`
const before = (cursor: string | undefined): number | undefined =>
  cursor === undefined ? undefined : Number(cursor.slice(1))

const entryShown = ({ row, name, before, after }: HistoryEntry) => {
  const [actor] = row.actors
  if (actor === undefined) throw new TypeError('a revision without an actor')
  return {
    revision: row.revision,
    at: new Date(row.at).toISOString(),
    event: row.event,
    actor_id: actor,
    ...(row.actors.length > 1 && { actor_ids: [...row.actors] }),
    auth_method: row.authMethod as 'token',
    ip_hash: row.ipHash ?? null,
    ...(before !== undefined && { markdown_sha256_before: before }),
    ...(after !== undefined && { markdown_sha256_after: after }),
    ...(name !== undefined && { name }),
  }
}

export const readHistory = documentRoute(
  'GET /docs/:slug/history',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List revisions, newest first',
    description: 'A page may be shorter than `limit`; `next_cursor` is null on the last one.',
    access: 'review',
    errors: ['BUSY'],
  },
  async (input, services) => {
    const { query, document } = input
    const { entries, next } = await inTurn(input, services, (sources) =>
      services.documents.past.page(document.slug, {
        sources,
        before: before(query.cursor),
        limit: Number(query.limit ?? limits.pageDefault),
        hashes: true,
      }),
    )
    return json({ entries: entries.map(entryShown), next_cursor: cursorOf(next) })
  },
)

export const readLog = documentRoute(
  'GET /docs/:slug/log.md',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'Get the revisions as an OKF log',
    description:
      'Grouped by day (UTC), the newest 500 revisions. `Link: rel="next"` leads to older ' +
      'ones.',
    access: 'review',
    success: { type: 'text/markdown' },
    errors: ['BUSY'],
  },
  async (input, services) => {
    const { slug } = input.document
    const wish = { before: before(input.query.cursor), limit: logLinesPerPage }
    const { entries, next } = await inTurn(input, services, (sources) =>
      services.documents.past.page(slug, { ...wish, sources, hashes: false }),
    )
    const actors = await services.people.access.actors(entries.flatMap(({ row }) => row.actors))
    const address = `${input.addresses.baseUrl}/docs/${slug}/log.md?cursor=${cursorOf(next)}`
    const link = next === undefined ? {} : { Link: `<${address}>; rel="next"` }
    return textOf(writeLog(entries, actors), 'text/markdown; charset=utf-8', link)
  },
)

export const readDiff = documentRoute(
  'GET /docs/:slug/diff',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'Get the differences between two revisions, by words',
    description:
      '`next_cursor` is null on the last page. A long change may continue on the next page ' +
      'as a change of its own.',
    extension: true,
    access: 'review',
    errors: ['BUSY', 'NOT_FOUND'],
  },
  async (input, services) => {
    const [from, to] = [Number(input.query.from), Number(input.query.to)]
    const [index, offset] = numbersIn(input.query.cursor) ?? [0, 0]
    const { changes, next } = await compared(input, services, (compared) =>
      services.documents.past.diff(input.document.slug, {
        ...compared,
        from,
        to,
        begin: { index, offset },
      }),
    )
    const shown = changes.map(({ by, ...rest }) => ({ ...rest, author: by }))
    const cursor = next === undefined ? null : pageCursor(next.index, next.offset)
    return json({ from, to, changes: shown, next_cursor: cursor })
  },
)

export const readSince = documentRoute(
  'GET /docs/:slug/since',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List the blocks that changed since a revision',
    description:
      'For a list, both the list and the item are given. A change that was undone is not ' +
      'listed. `next_cursor` is null on the last page. A page with another `to` than the ' +
      'previous one starts the list again.',
    extension: true,
    access: 'read',
    errors: ['BUSY', 'NOT_FOUND'],
  },
  async (input, services) => {
    const from = Number(input.query.revision)
    const [at, index] = numbersIn(input.query.cursor) ?? [undefined, 0]
    const { to, changes, next } = await compared(input, services, (compared) =>
      services.documents.past.since(input.document.slug, from, {
        ...compared,
        begin: { to: at, index },
      }),
    )
    const shown = changes.map(({ id, kind, actors }) => ({
      block_id: id,
      kind,
      actor_ids: [...actors],
    }))
    const cursor = next === undefined ? null : pageCursor(to, next)
    return json({ from, to, changes: shown, next_cursor: cursor })
  },
)

export const nameRevision = documentRoute(
  'PUT /docs/:slug/revisions/:n/name',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Name a revision',
    description:
      'null removes the name. The name is shown in the history. This creates no revision.',
    extension: true,
    access: 'name',
    errors: ['NOT_FOUND'],
  },
  async ({ body, params, document, permission, credential, displayName }, services) => {
    const n = params['n'] ?? ''
    if (!/^[1-9][0-9]{0,8}$/.test(n)) throw new Refusal('NOT_FOUND')
    if (displayName !== undefined && credential !== undefined) {
      await services.people.links.identifyInline(credential, displayName)
    }
    const [revision, name] = [Number(n), body.name]
    await services.documents.past.name(document.slug, revision, { name, permission })
    return json({ revision, name })
  },
)

const deeds: Readonly<Record<string, string>> = {
  create: 'created the document',
  edit: 'edited the text',
  revert: 'restored an earlier revision',
  comment: 'added, edited or deleted a comment',
  suggestion: 'added or changed a suggestion',
  resolution: 'resolved or reopened a thread',
  reaction: 'added or removed a reaction',
  access: 'changed who has access',
  settings: 'changed the settings',
  archive: 'archived the document',
  restore: 'restored the document',
}

/** The history as an OKF log (interface §4.11): by days of UTC, the newest first. */
function writeLog(
  entries: readonly HistoryEntry[],
  actors: Readonly<Record<string, ActorObject>>,
): string {
  const lines: string[] = []
  let day = ''
  for (const { row, name } of entries) {
    const at = new Date(row.at).toISOString()
    if (at.slice(0, 10) !== day) {
      day = at.slice(0, 10)
      lines.push(...(lines.length > 0 ? [''] : []), `## ${day}`, '')
    }
    const who = row.actors.map((id) => `${plain(actors[id]?.name ?? id)} (${id})`).join(', ')
    const named = name === undefined ? '' : `, named ${plain(name)}`
    const deed = deeds[row.event] ?? plain(row.event)
    lines.push(
      `* **Update** ${at.slice(11, 16)} by ${who}: ${deed} (revision ${row.revision}${named})`,
    )
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** What somebody chose, as text that is nothing but text in markdown. */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[!-&(-,./:-@[-`{-~]/g, '\\$&')
