/** Links to a document and its general access (interface §4.10, extensions §4). */
import { Type } from '@sinclair/typebox'
import { nullable } from './primitives.ts'
import { linkAccessShape } from './read-document.ts'

export const shareLinkSuccess = Type.Object({
  url: Type.String({ description: 'The clean short link. It carries no secret.' }),
  code: Type.String({ pattern: '^[0-9a-z]{20}$' }),
  role: nullable(linkAccessShape.properties.role),
  link_id: Type.String({ description: 'What the log calls this link.' }),
})

export const confirmationSuccess = Type.Object({
  confirmation_url: Type.String({ description: 'To be followed once.' }),
  expires_at: Type.String({ description: 'ISO 8601, five minutes from now.' }),
})

export const confirmedSuccess = Type.Object({
  slug: Type.String(),
  api_reference_url: Type.String(),
})

export const linkAccessBody = Type.Partial(linkAccessShape, {
  additionalProperties: false,
  minProperties: 1,
})
