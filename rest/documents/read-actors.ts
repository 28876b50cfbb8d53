/**
 * GET /docs/:slug/actors (extensions §4): what is shown for some of those who have written in the
 * document, without its text. Of anybody else it knows nothing: ids are no way to names.
 */
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import {
  actorsAskedMax,
  readActorsQuery,
  readActorsSuccess,
} from '../../schema/wire/read-actors.ts'
import { json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'
import { shownActors } from './shown-actors.ts'

export const readActors = documentRoute(
  {
    method: 'GET',
    path: '/docs/:slug/actors',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Look up actors of the document',
    description:
      'Returns the actors among `ids` that have written in the document, and the caller. ' +
      'Others are left out.',
    access: 'read',
    query: readActorsQuery,
    success: { status: 200, body: readActorsSuccess },
    errors: [],
  },
  async ({ document, query, sources }, services) => {
    const ids = query.ids.split(',') as ActorId[]
    if (ids.length > actorsAskedMax) {
      const message = `at most ${actorsAskedMax}`
      throw new Refusal('INVALID_REQUEST', { issues: [{ path: '/ids', message }] })
    }
    const view = await services.documents.read(document.slug, { hues: true }, sources)
    const isShown = (id: ActorId) => id === document.access.actor || view.hueOf(id) !== undefined
    const actors = await shownActors(ids.filter(isShown), view, services)
    return json({ slug: view.slug, revision: view.revision, actors })
  },
)
