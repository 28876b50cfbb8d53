/** Reporting what goes wrong (interface §4.9). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'

export const feedbackQuery = Type.Object(
  {
    ref: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,100}$',
        description: 'The `request_id` of the response that this is about.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const feedbackBody = Type.Object(
  {
    message: Type.String({ pattern: '\\S', description: 'At most 16 KiB. Secrets are masked.' }),
    kind: Type.Optional(
      Type.Union([Type.Literal('bug'), Type.Literal('friction'), Type.Literal('wish')]),
    ),
    image_urls: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: limits.feedbackImagesPerReport,
        description: 'Addresses that `POST …/feedback/images` returned.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const feedbackSuccess = Type.Object(
  { feedback_id: Type.String() },
  { additionalProperties: false },
)
