/** Images of a document (interface §4.8, extensions §11). */
import { isPictureType, pictureTypes } from '../../core/assets/pictures/picture.ts'
import type { AttachedRecords } from '../../core/commit/attached-records.ts'
import type { ImageRecord } from '../../core/records/records.ts'
import { limits } from '../../schema/limits.ts'
import { retryable, uploadOnce } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { entityTag } from '../answers/entity-tag.ts'
import { storedBytes } from '../answers/stored-bytes.ts'
import { type Received, uploadIn } from '../bodies/upload.ts'
import { keepLink, writerOf } from '../edits/patch-document.ts'
import { documentRoute } from '../route.ts'

export const shownImage = ({ id, size, type }: Pick<ImageRecord, 'id' | 'size' | 'type'>) => ({
  ...{ id, size, mimeType: type },
})

export const uploadImage = documentRoute(
  'POST /docs/:slug/images',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Upload an image',
    description:
      'Raw bytes, at most 5,000,000, and 100,000,000 per document. For registered agents ' +
      'and people with a session. The text refers to the image by its absolute address.',
    access: 'illustrate',
    takesSpace: true,
    ...retryable,
    upload: { types: pictureTypes, maxBytes: limits.imageMaxBytes },
    success: { status: 201 },
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { slug } = input.document
    const { type } = uploadIn(input)
    if (!isPictureType(type)) throw new TypeError(`no picture was admitted: ${type}`)
    const { actor } = await writerOf(input, false, services)
    const make = async (file: Received, attached: AttachedRecords<ImageRecord>) => {
      const permission = await input.stillPermitted()
      return services.assets.images.add(slug, { type, file, actor, permission, attached })
    }
    const { id, size, mimeType } = await uploadOnce(input, services, make, shownImage)
    await keepLink(input, services)
    return json({ id, url: `/docs/${slug}/images/${id}`, size, mimeType })
  },
)

export const readImage = documentRoute(
  'GET /docs/:slug/images/:id',
  {
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Get an image',
    description:
      'Supports `Range` and `If-None-Match`. Anyone who can read the document can read its ' +
      'images.',
    access: 'read',
    success: {
      type: 'image/*',
      otherStatuses: [206, 304],
    },
    errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  },
  async (input, { assets }) => {
    const image = await assets.images.find(input.document.slug, input.params['id'] ?? '')
    const shown = {
      type: image.type,
      tag: entityTag([image.blob], 'strong'),
      headers: { 'Cache-Control': 'private, max-age=31536000, immutable' },
    }
    return storedBytes(input, shown, () => assets.images.open(image))
  },
)

export const deleteImage = documentRoute(
  'DELETE /docs/:slug/images/:id',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete an image',
    description: 'The deletion is permanent. Earlier revisions no longer show the image either.',
    extension: true,
    access: 'attach',
    errors: ['NOT_FOUND'],
  },
  async ({ document, params, permission }, { assets }) => {
    const id = params['id'] ?? ''
    await assets.images.delete(document.slug, id, permission)
    return json({ deleted: true as const, id })
  },
)
