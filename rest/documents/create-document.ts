/** POST /docs (interface §2.3, §4.2): a new document, and what its creator gets in the hand. */
import type { Static } from '@sinclair/typebox'
import type { CreateOutcome } from '../../core/documents/contract.ts'
import { placerOf } from '../../core/links/creation.ts'
import { newSlug } from '../../schema/ids.ts'
import { costOfMarkdown } from '../../schema/memory-cost.ts'
import type {
  createDocumentBody,
  createDocumentSuccess,
} from '../../schema/wire/create-document.ts'
import { pathOf } from '../addresses/own-addresses.ts'
import type { Admitted } from '../admission/admitted.ts'
import { cookieHeader, visitorCookie } from '../admission/credentials.ts'
import { json } from '../answers/answer.ts'
import { literalBreaksWarning, markdownBytes, requireMarkdownSize } from '../edits/sent-markdown.ts'
import type { Work } from '../quotas/work-queue.ts'
import { route } from '../route.ts'
import type { Services } from '../services.ts'

type Body = Static<typeof createDocumentBody>

export const createDocument = route(
  'POST /docs',
  {
    bodyLimit: 'text',
    answer: 'bounded',
    summary: 'Create a document',
    description:
      'Without a credential, or with a document token, the document is created anonymously ' +
      'and the response contains an `access_token` for it. A registered agent creates it ' +
      'under its own handle, an owner key in the name of its owner. Owned documents are ' +
      'placed in the owner’s library.',
    access: 'optional',
    ownerKeys: true,
    quota: 'create',
    takesSpace: true,
    keepsOutcome: () => true,
    headers: {
      'Idempotency-Key':
        'A retry with the same key and body, under the same Bearer or visitor cookie, returns ' +
        'the first answer again.',
    },
    closedBody: true,
    check: ({ markdown }, { maxMarkdownBytes }) =>
      requireMarkdownSize(markdownBytes(markdown), maxMarkdownBytes),
    success: { status: 201 },
    errors: [
      'NOT_AUTHORIZED',
      'INVALID_KIND',
      'INVALID_PARENT',
      'BOT_TARGET_MISMATCH',
      'DOC_SLUG_CONFLICT_UNVERIFIED',
      'INVALID_MARKDOWN',
      'BUSY',
    ],
  },
  async (input, services) => {
    const { documents, people, runtime } = services
    const { body, credential } = input
    const size = markdownBytes(body.markdown)
    const slug = newSlug(runtime)
    const creation = people.links.prepareCreation({
      slug,
      credential,
      displayName: input.displayName,
    })
    const founding = async () =>
      creation.founding(await people.library.resolve(placerOf(credential), body.library_target))
    const owner = keyOwner(input, services)
    const work = workOf(input, size)
    const outcome = await services.workQueue.run(work, async () => {
      return documents.create({
        sources: input.sources,
        permission: await input.stillPermitted(),
        markdown: body.markdown,
        costBytes: work.costBytes,
        founding,
        slug,
        writer: { ...creation.writer, ipHash: input.addressHash },
        ...(input.idempotencyKey !== undefined && {
          idempotency: {
            identity: owner.identity,
            key: input.idempotencyKey,
            fingerprint: input.fingerprint,
          },
        }),
      })
    })
    const warning = literalBreaksWarning([body.markdown])
    const answer = created(outcome, services)
    return json({ ...answer, ...(warning !== undefined && { warning }) }, owner.headers)
  },
)

function workOf({ sources, isGone, body }: Admitted & { readonly body: Body }, size: number): Work {
  return { source: sources, isGone, costBytes: costOfMarkdown(body.markdown), heldBytes: size }
}

/** Whose Idempotency-Keys these are (interface §4.2): the Bearer's, else the visitor's. */
function keyOwner(
  { credential, cookie, addresses }: Pick<Admitted, 'credential' | 'cookie' | 'addresses'>,
  { people }: Services,
): { identity: string; headers: Record<string, string> } {
  if (credential !== undefined) return { identity: credential.holder, headers: {} }
  const visitor = people.access.visitor(cookie(visitorCookie))
  const header = cookieHeader(visitorCookie, visitor.cookie, addresses)
  return { identity: visitor.holder, headers: visitor.isNew ? { 'Set-Cookie': header } : {} }
}

function created(
  { slug, replay, title, markdown, revision }: CreateOutcome,
  { people, config }: Services,
): Static<typeof createDocumentSuccess> {
  const creator = people.links.creatorAccess(replay)
  const url = `/docs/${slug}`
  // Who resolves a relative one against the origin would miss the path.
  const shareBase = pathOf(config.baseUrl) === '' ? '' : config.baseUrl
  return {
    id: slug,
    title,
    markdown,
    revision,
    ...(creator.accessToken !== undefined && {
      access_token: creator.accessToken,
      access_token_role: 'editor',
    }),
    url,
    api_url: url,
    share_url: `${shareBase}/d/${slug}?token=${creator.shareToken}`,
    actor_id: creator.actor,
    identify_required: !creator.identified,
    identify_url: '/agents/identify',
    docs_url: `${url}?docs`,
    ...(creator.placed && { library_target_resolution: creator.placed }),
  }
}
