/** PATCH /docs/:slug (interface §4.5): edits to the text, or a whole new one. */
import type { Static } from '@sinclair/typebox'
import type { PatchOutcome, Permission, Writer } from '../../core/documents/contract.ts'
import type { EditCosts } from '../../core/documents/discussion.ts'
import { inlineNameFor } from '../../core/links/token-names.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { costOfMarkdown } from '../../schema/memory-cost.ts'
import {
  editProblem,
  needsBaseRevision,
  type PatchBody,
  type patchDocumentQuery,
} from '../../schema/wire/patch-document.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { jsonObject, jsonType, partsOf } from '../answers/answer.ts'
import { requireSize } from '../comments/comment-rules.ts'
import { documentRoute } from '../route.ts'
import type { RestConfig, Services } from '../services.ts'
import { charged } from './edit-charges.ts'
import { editErrors } from './edit-errors.ts'
import { literalBreaksWarning, markdownBytes, requireMarkdownSize } from './sent-markdown.ts'

/** Of new text in a PATCH: less is not queued. */
const queuedTextFromBytes = 4 * 1024

export const patchDocument = documentRoute(
  'PATCH /docs/:slug',
  {
    bodyLimit: 'text',
    answer: 'document',
    summary: 'Edit the text of a document',
    description:
      'Takes up to 100 edits, each matched against the markdown of the document, or ' +
      '`replace_document`. 200 means that at least one edit was committed. 409 and 422 mean ' +
      'that nothing was committed.',
    access: 'edit',
    keepsOutcome: ({ dryRun }) => dryRun !== 'true',
    headers: {
      'Idempotency-Key':
        'Repeating the exact same request with this key returns the first answer again.',
    },
    check: checkBody,
    deprecatedField: (body) => (namesByPosition(body) ? 'block_id' : undefined),
    errors: [
      'BASE_REVISION_REQUIRED',
      'REPLACE_DOCUMENT_WITH_EDITS',
      'BUSY',
      // A dry run's.
      'RATE_LIMITED',
      ...editErrors,
    ],
  },
  async (input, services) => {
    try {
      const outcome = await patched(input, services)
      const { revision, fields } = outcome
      const text = { markdown: outcome.markdownJson }
      const warning = literalBreaksWarning(newTexts(input.body))
      const answer = { revision, ...fields, ...(warning !== undefined && { warning }) }
      return partsOf(jsonObject(answer, text), jsonType)
    } catch (error) {
      throw await withText(error, input, services)
    }
  },
)

type Input = Admitted & {
  readonly query: Static<typeof patchDocumentQuery>
  readonly body: PatchBody
  readonly document: DocumentContext
}

async function patched(input: Input, services: Services): Promise<PatchOutcome> {
  const { body, document, idempotencyKey } = input
  const dryRun = input.query.dryRun === 'true'
  const writer = await writerOf(input, dryRun, services)
  const patch = (costs: EditCosts) =>
    queued(input, services, async (permission) =>
      services.documents.patch(document.slug, {
        sources: input.sources,
        permission,
        edits: body.edits ?? [{ replace_document: body.replace_document }],
        baseRevision: body.base_revision,
        commentOutcomes: body.comment_outcomes,
        dryRun,
        ...costs,
        maxMarkdownBytes: services.config.maxMarkdownBytes,
        writer: { ...writer, ipHash: input.addressHash },
        idempotency:
          idempotencyKey === undefined
            ? undefined
            : {
                identity: document.access.holder,
                key: idempotencyKey,
                fingerprint: input.fingerprint,
              },
      }),
    )
  const outcome = dryRun
    ? await services.processorTime.dryRun(input, (onWork) => patch({ onWork }))
    : await charged(input, services, patch)
  if (!dryRun) await keepLink(input, services)
  return outcome
}

/** All new text but a little takes its turn; so do a whole new one and every dry run. */
function queued<T>(
  { body, query, sources, isGone, permission, stillPermitted }: Input,
  { workQueue }: Services,
  job: (permission: Permission | undefined) => Promise<T>,
): Promise<T> {
  const heldBytes = sizeOf(body)
  const isSmall = body.replace_document === undefined && query.dryRun !== 'true'
  if (isSmall && heldBytes < queuedTextFromBytes) return job(permission)
  const costBytes = costOfMarkdown(...newTexts(body))
  return workQueue.run({ source: sources, isGone, costBytes, heldBytes }, async () =>
    job(await stillPermitted()),
  )
}

/** Every conflict and judgement has the document (§7), also one found before that was looked at. */
export async function withText(
  error: unknown,
  { document: { slug }, sources }: Admitted & { readonly document: DocumentContext },
  { documents }: Services,
): Promise<unknown> {
  if (!(error instanceof Refusal) || (error.status !== 409 && error.status !== 422)) return error
  if ('revision' in error.details) return error
  const { markdown, revision } = await documents.read(slug, { markdown: true }, sources)
  return new Refusal(error.code, { ...error.details, markdown, revision }, error.message)
}

/** The first write by a link makes it the account's own way to the document (extensions §3). */
export async function keepLink(
  { credential, document }: Admitted & { readonly document: DocumentContext },
  { people }: Services,
): Promise<void> {
  if (credential?.kind === 'browser') await people.access.keepLink(credential, document.slug)
}

/** Blocks named as `blk_*` (interface §9.4). */
const namesByPosition = ({ edits = [] }: PatchBody): boolean =>
  edits.some(
    ({ after_block: after, before_block: before, delete_block: gone, move_block: moved }) =>
      [after, before, gone, moved].some((id) => id?.startsWith('blk_')),
  )

/** The rules between fields. Refuses with the 400 codes of §4.5, and 413. */
function checkBody(body: PatchBody, { maxMarkdownBytes }: RestConfig): void {
  const { edits, replace_document: whole, base_revision: base } = body
  if (edits !== undefined && whole !== undefined) throw new Refusal('REPLACE_DOCUMENT_WITH_EDITS')
  if ((edits ?? []).length === 0 && whole === undefined) {
    const message = 'exactly one of edits and replace_document is required'
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: '/edits', message }] })
  }
  const issues = (edits ?? []).flatMap((edit, index) => {
    const message = editProblem(edit)
    return message === undefined ? [] : [{ path: `/edits/${index}`, message }]
  })
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues })
  checkOutcomes(body)
  const index = (edits ?? []).findIndex(needsBaseRevision)
  if (base === undefined && (whole !== undefined || index >= 0)) {
    throw new Refusal('BASE_REVISION_REQUIRED', index < 0 ? {} : { edits: [{ index }] })
  }
  requireMarkdownSize(sizeOf(body), maxMarkdownBytes)
}

const newTexts = ({ edits = [], replace_document: whole = '' }: PatchBody): string[] => [
  whole,
  ...edits.map((edit) => edit.new_string ?? ''),
]

const sizeOf = (body: PatchBody): number => markdownBytes(...newTexts(body))

/**
 * What is remapped goes to exactly one place (extensions §13). Refuses INVALID_REQUEST, and
 * PAYLOAD_TOO_LARGE for a quote over its limit.
 */
export function checkOutcomes({
  comment_outcomes: outcomes = [],
}: Pick<PatchBody, 'comment_outcomes'>): void {
  for (const { new_block_quote: quote = '' } of outcomes) requireSize(quote, limits.quoteMaxBytes)
  const issues = outcomes.flatMap((outcome, index) => {
    const { action, new_block_idx: idx, new_block_quote: quote } = outcome
    const places = [idx, quote].filter((place) => place !== undefined).length
    if (places === (action === 'remap' ? 1 : 0)) return []
    const takes = action === 'remap' ? 'exactly one' : 'neither'
    const message = `${action} takes ${takes} of new_block_idx and new_block_quote`
    return [{ path: `/comment_outcomes/${index}`, message }]
  })
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues })
}

/** Who is credited, after an inline `display_name` took effect (§4.7); a dry run names nobody. */
export async function writerOf(
  { credential, displayName, document }: Admitted & { readonly document: DocumentContext },
  dryRun: boolean,
  { people }: Services,
): Promise<Writer> {
  if (credential === undefined) throw new TypeError('a writer without a credential was admitted')
  if (displayName !== undefined) {
    if (dryRun) inlineNameFor(credential, displayName)
    else await people.links.identifyInline(credential, displayName)
  }
  if (document.access.writer !== undefined) return document.access.writer
  if (credential.kind !== 'token') throw new TypeError('only a token takes its name with a write')
  return { actor: credential.actor, authMethod: 'token' }
}
