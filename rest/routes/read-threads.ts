/**
 * GET /docs/:slug/threads (extensions §13): what is said of a document without its text, for who
 * has that already, and where in it. Threads that changed are read again by their ids.
 */
import type { PlacedThread } from '../../core/documents/contract.ts'
import {
  type Place,
  type ThreadsAnswer,
  threadsQuery,
  threadsSuccess,
} from '../../schema/wire/threads.ts'
import { json } from '../answer.ts'
import { documentRoute } from '../route.ts'
import { shownActors } from '../shown-actors.ts'
import { shownComments } from '../shown-threads.ts'
import { type ThreadPage, threadPage } from '../thread-pages.ts'

export const readThreads = documentRoute(
  {
    method: 'GET',
    path: '/docs/:slug/threads',
    summary: 'Read threads without the text',
    description: 'The newest first. `place` says where the words are by blocks and offsets.',
    extension: true,
    access: 'read',
    query: threadsQuery,
    success: { status: 200, body: threadsSuccess },
    errors: [],
  },
  async ({ document, query, sources }, services) => {
    const view = await services.documents.read(document.slug, sources)
    const { actor } = document.access
    const muted = actor && (await services.people.outbox.mutedBy(view.slug, actor))
    const all = view.threads()
    const chosen = chosenOf(all, query)
    const discussed = {
      slug: view.slug,
      slice: (from: number, to: number) => view.slice(from, to),
      threads: () => chosen,
    }
    const isNamed = query.ids !== undefined || query.focus !== undefined
    const resolved = query.resolved ?? (isNamed ? 'all' : 'false')
    const page = threadPage(discussed, { resolved, cursor: query.cursor }, actor)
    const places = new Map(chosen.map((placed) => [placed.thread.id as string, placeOf(placed)]))
    const threads = page.threads.map((thread) => ({
      ...thread,
      place: places.get(thread.id) ?? null,
      ...(muted?.threads.includes(thread.id) && { muted: true as const }),
    }))
    return json({
      revision: view.revision,
      threads,
      threads_info: infoOf(page, `/docs/${view.slug}/threads`, query),
      muted: muted?.all ?? false,
      actors: await shownActors(page.actors, view, services),
    } satisfies ThreadsAnswer)
  },
)

function chosenOf(
  all: readonly PlacedThread[],
  { ids, focus }: { readonly ids?: string; readonly focus?: string },
): readonly PlacedThread[] {
  if (focus !== undefined) {
    const wanted = focus.slice('comment-'.length).toLowerCase()
    return all.filter((placed) => shownComments(placed).some(({ id }) => id === wanted))
  }
  if (ids === undefined) return all
  const wanted = new Set(ids.split(','))
  return all.filter(({ thread }) => wanted.has(thread.id))
}

/** Of longer words their beginning says enough of where they are. */
const wordsMaxChars = 2_000

/** Null of a whole block, and of what is orphaned. */
function placeOf({ thread: { anchor }, range }: PlacedThread): Place | null {
  if (range === undefined || anchor.scope === 'block') return null
  const { from, to, words } = anchor
  return {
    from: { block_id: from.block, offset: from.offset },
    to: { block_id: to.block, offset: to.offset },
    words: words.slice(0, wordsMaxChars),
  }
}

function infoOf({ info }: ThreadPage, path: string, query: Readonly<Record<string, unknown>>) {
  if (info.next === null) return info
  const next = new URLSearchParams()
  const { searchParams } = new URL(info.next, 'http://x')
  const asked = { ...query, cursor: searchParams.get('cursor') }
  for (const [name, value] of Object.entries(asked)) next.set(name, String(value))
  return { ...info, next: `${path}?${next}` }
}
