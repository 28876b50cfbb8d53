/** POST /docs/:slug/revert (extensions §12): the text of an earlier revision again. */
import type { EditCosts } from '../../core/documents/discussion.ts'
import { Refusal } from '../../schema/errors.ts'
import { jsonObject, jsonType, partsOf } from '../answers/answer.ts'
import { inTurn } from '../documents/history.ts'
import { documentRoute } from '../route.ts'
import { charged } from './edit-charges.ts'
import { editErrors } from './edit-errors.ts'
import { checkOutcomes, keepLink, withText, writerOf } from './patch-document.ts'

export const revertDocument = documentRoute(
  'POST /docs/:slug/revert',
  {
    bodyLimit: 'text',
    answer: 'document',
    summary: 'Restore an earlier revision',
    description:
      'Works like a PATCH with the whole text of that revision. Unchanged text is not ' +
      'touched. Restored text is attributed to its author in that revision.',
    extension: true,
    access: 'edit',
    keepsOutcome: ({ dryRun }) => dryRun !== 'true',
    headers: {
      'Idempotency-Key':
        'Repeating the exact same request with this key returns the first answer again.',
    },
    check: (body) => {
      checkOutcomes(body)
      if (body.base_revision === undefined) throw new Refusal('BASE_REVISION_REQUIRED')
    },
    errors: ['BASE_REVISION_REQUIRED', 'NOT_FOUND', 'BUSY', 'RATE_LIMITED', ...editErrors],
  },
  async (input, services) => {
    const { body, document, query, idempotencyKey, permission } = input
    const dryRun = query.dryRun === 'true'
    const writer = await writerOf(input, dryRun, services)
    const revert = (costs: EditCosts) =>
      inTurn(input, services, (sources) =>
        services.documents.revert(document.slug, body.revision, {
          sources,
          permission,
          dryRun,
          ...costs,
          maxMarkdownBytes: services.config.maxMarkdownBytes,
          writer: { ...writer, ipHash: input.addressHash },
          baseRevision: body.base_revision ?? 0,
          ...(body.comment_outcomes && { commentOutcomes: body.comment_outcomes }),
          ...(idempotencyKey !== undefined && {
            idempotency: {
              identity: document.access.holder,
              key: idempotencyKey,
              fingerprint: input.fingerprint,
            },
          }),
        }),
      )
    try {
      const outcome = dryRun
        ? await services.processorTime.dryRun(input, (onWork) => revert({ onWork }))
        : await charged(input, services, revert)
      if (!dryRun) await keepLink(input, services)
      const { revision, fields } = outcome
      return partsOf(
        jsonObject({ revision, ...fields }, { markdown: outcome.markdownJson }),
        jsonType,
      )
    } catch (error) {
      throw await withText(error, input, services)
    }
  },
)
