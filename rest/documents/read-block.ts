/** GET /docs/:slug/blocks/:bid (interface §4.11): what a durable block id stands for now. */
import { tombstoneFields } from '../../core/documents/model/block-address.ts'
import { readBlockQuery, readBlockSuccess } from '../../schema/wire/read-block.ts'
import { json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'

export const readBlock = documentRoute(
  {
    method: 'GET',
    path: '/docs/:slug/blocks/:bid',
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Find a block by its durable ID',
    description:
      'Returns its range in the markdown of `revision` and its text. If it was deleted ' +
      'recently, returns the nearest surviving block. Nested lists and quotes and the ' +
      'header rows of tables are not addressable.',
    access: 'read',
    query: readBlockQuery,
    success: { status: 200, body: readBlockSuccess },
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
