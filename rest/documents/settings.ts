/** What the owner of a document sets for everybody (interface §5 rule 4; extensions §3). */
import { Refusal } from '../../schema/errors.ts'
import { json } from '../answers/answer.ts'
import { documentRoute } from '../route.ts'

export const setSettings = documentRoute(
  'PATCH /docs/:slug/settings',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    summary: 'Lock a document or turn off its comments',
    description:
      'Takes effect immediately, also for open editors. Fields that are left out stay ' +
      'unchanged.',
    extension: true,
    access: 'configure',
    errors: [],
  },
  async ({ body, document, permission, addressHash }, { documents }) => {
    const { slug, access } = document
    if (access.writer === undefined) throw new Refusal('FORBIDDEN')
    const changes = {
      ...(body.read_only !== undefined && { readOnly: body.read_only }),
      ...(body.comments_disabled !== undefined && { commentsDisabled: body.comments_disabled }),
    }
    const writer = { ...access.writer, ipHash: addressHash }
    const { facts, revision } = await documents.configure(slug, changes, { writer, permission })
    return json({
      read_only: facts.readOnly,
      comments_disabled: facts.commentsDisabled,
      revision,
    })
  },
)
