/** GET /docs/:slug/blocks/:bid (interface §4.11): what a durable block id stands for now. */
import { tombstoneFields } from '../../core/documents/model/block-address.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { actorsAskedMax } from '../../schema/wire/read-block.ts'
import { json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'
import { shownActors } from './shown-actors.ts'

export const readBlock = documentRoute(
  'GET /docs/:slug/blocks/:bid',
  {
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Find a block by its durable ID',
    description:
      'Returns its range in the markdown of `revision` and its text. If it was deleted ' +
      'recently, returns the nearest surviving block. Nested lists and quotes and the ' +
      'header rows of tables are not addressable.',
    access: 'read',
    errors: ['BLOCK_ID_NOT_FOUND', 'BLOCK_ID_AMBIGUOUS', 'BLOCK_ID_NOT_ADDRESSABLE'],
  },
  async ({ document, params, sources }, { documents }) => {
    const found = await documents.block(document.slug, params['bid'] ?? '', sources)
    const { id, revision } = found
    if (found.kind === 'deleted') {
      return json({ id, revision, tombstone: tombstoneFields(found.place) })
    }
    return json({ id, revision, range: found.range, quote: found.quote })
  },
)

/**
 * GET /docs/:slug/actors (extensions §4): what is shown for some of those who have written in the
 * document, without its text. Of anybody else it knows nothing: ids are no way to names.
 */
export const readActors = documentRoute(
  'GET /docs/:slug/actors',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Look up actors of the document',
    description:
      'Returns the actors among `ids` that have written in the document, and the caller. ' +
      'Others are left out.',
    access: 'read',
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
