/** Reporting what goes wrong (interface §4.9, extensions §11). */
import { isPictureType, pictureTypes } from '../../core/assets/pictures/picture.ts'
import type { AttachedRecords } from '../../core/commit/attached-records.ts'
import type { FeedbackImageRecord } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { madeOnce, retryable, uploadOnce } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { entityTag } from '../answers/entity-tag.ts'
import { storedBytes } from '../answers/stored-bytes.ts'
import { type Received, uploadIn } from '../bodies/upload.ts'
import { shownImage } from '../files/images.ts'
import { documentRoute } from '../route.ts'

export const reportFeedback = documentRoute(
  'POST /docs/:slug/feedback',
  {
    bodyLimit: 'discussion',
    answer: 'bounded',
    summary: 'Report a problem',
    description:
      'For cases where the service contradicts its reference or a documented recovery ' +
      'failed once. Report each problem once, without secrets. `ref` is the `request_id` of ' +
      'the failed request.',
    access: 'report',
    accountQuota: 'feedback',
    ...retryable,
    check({ message }) {
      const size = Buffer.byteLength(message)
      const limit = limits.feedbackMessageMaxBytes
      if (size > limit) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
    },
    success: { status: 201 },
    errors: ['LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { document, body, query, permission, addresses } = input
    const { slug, access } = document
    const report = {
      message: body.message,
      kind: body.kind,
      images: (body.image_urls ?? []).map((url) => idIn(url, slug, addresses.baseUrl)),
      ref: query.ref,
      actor: access.actor,
      permission,
    }
    const { id } = await madeOnce<{ readonly id: string }>(input, services, (attached) =>
      services.feedback.report(slug, { ...report, attached }),
    )
    return json({ feedback_id: id })
  },
)

/** As it was answered, or with the origin before it; anything else is no id. */
function idIn(url: string, slug: string, baseUrl: string): string {
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
  const before = `/docs/${slug}/feedback/images/`
  return path.startsWith(before) ? path.slice(before.length) : ''
}

export const uploadFeedbackImage = documentRoute(
  'POST /docs/:slug/feedback/images',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Upload an image for a report',
    description:
      'Raw bytes, at most 5,000,000. At most 25 images per credential and day. Images that ' +
      'no report uses are deleted after a day.',
    access: 'report',
    takesSpace: true,
    ...retryable,
    upload: { types: pictureTypes, maxBytes: limits.imageMaxBytes },
    async quotaOfHolder(holder, { feedback }) {
      const { left, resetSeconds } = await feedback.imagesLeft(holder)
      const remaining = Math.max(0, left - 1)
      return { limit: limits.feedbackImagesADay, remaining, resetSeconds, exceeded: left <= 0 }
    },
    success: { status: 201 },
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { slug, access } = input.document
    const { type } = uploadIn(input)
    if (!isPictureType(type)) throw new TypeError(`no picture was admitted: ${type}`)
    const { holder } = access
    const make = async (file: Received, attached: AttachedRecords<FeedbackImageRecord>) => {
      const permission = await input.stillPermitted()
      return services.feedback.addImage(slug, { type, file, holder, permission, attached })
    }
    const { id, size, mimeType } = await uploadOnce(input, services, make, shownImage)
    return json({ id, url: `/docs/${slug}/feedback/images/${id}`, size, mimeType })
  },
)

export const readFeedbackImage = documentRoute(
  'GET /docs/:slug/feedback/images/:id',
  {
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Get an image of a report',
    description: 'Only its uploader can read it.',
    access: 'read',
    success: { type: 'image/*', otherStatuses: [206, 304] },
    errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  },
  async (input, { feedback }) => {
    const { slug } = input.document
    const holder = input.credential?.holder
    const image = await feedback.findImage(slug, input.params['id'] ?? '', holder)
    const shown = {
      type: image.type,
      tag: entityTag([image.blob], 'strong'),
      headers: { 'Cache-Control': 'private, no-cache' },
    }
    return storedBytes(input, shown, () => feedback.openImage(image))
  },
)
