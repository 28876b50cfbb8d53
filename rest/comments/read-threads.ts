/**
 * GET /docs/:slug/threads (extensions §13): what is said of a document without its text, for who
 * has that already, and where in it. Threads that changed are read again by their ids.
 */
import type { PlacedThread, ThreadPageWish } from '../../core/documents/contract.ts'
import { shortened } from '../../schema/shortened.ts'
import type { Place, ThreadsAnswer } from '../../schema/wire/threads.ts'
import { json } from '../answers/answer.ts'
import { filledPage } from '../documents/shown-actors.ts'
import { documentRoute } from '../route.ts'
import { focusOf, pageFor, type ThreadPage, threadPage } from './thread-pages.ts'

export const readThreads = documentRoute(
  'GET /docs/:slug/threads',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List threads without the text of the document',
    description:
      'Newest first. `place` gives the position of the commented text by blocks and ' + 'offsets.',
    extension: true,
    access: 'read',
    errors: [],
  },
  async ({ document, query, sources }, services) => {
    const { actor } = document.access
    const isNamed = query.ids !== undefined || query.focus !== undefined
    const resolved = query.resolved ?? (isNamed ? 'all' : 'false')
    const asked = { resolved, cursor: query.cursor }
    const wish = { ...pageFor(asked, actor), among: amongWhich(query) }
    const view = await services.documents.read(
      document.slug,
      { threads: wish, hues: true },
      sources,
    )
    const muted = actor && (await services.people.outbox.mutedBy(view.slug, actor))
    const told = view.wishedThreads()
    const make = (budget: number) => threadPage(view.slug, told, { asked, budget })
    const { page, actors } = await filledPage(view, services, make)
    const byId = new Map(told.threads.map((placed) => [placed.id as string, placed]))
    const threads = page.threads.map((thread) => ({
      ...thread,
      place: placeOf(byId.get(thread.id)),
      ...(muted?.threads.includes(thread.id) && { muted: true as const }),
    }))
    return json({
      revision: view.revision,
      threads,
      threads_info: infoOf(page, `/docs/${view.slug}/threads`, query),
      muted: muted?.all ?? false,
      actors,
    } satisfies ThreadsAnswer)
  },
)

type Named = { readonly ids?: string; readonly focus?: string }

/** Undefined: all of the document. */
function amongWhich({ ids, focus }: Named): ThreadPageWish['among'] {
  const comment = focusOf({ focus })
  if (comment !== undefined) return { comment }
  return ids === undefined ? undefined : { ids: ids.split(',') }
}

/** Of longer words their beginning says enough of where they are. */
const wordsMaxChars = 2_000

/** Null of a whole block, and of what is orphaned. */
function placeOf(placed: PlacedThread | undefined): Place | null {
  if (placed?.range === undefined || placed.thread.anchor.scope === 'block') return null
  const { from, to, words } = placed.thread.anchor
  return {
    from: { block_id: from.block, offset: from.offset },
    to: { block_id: to.block, offset: to.offset },
    words: shortened(words, wordsMaxChars),
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
