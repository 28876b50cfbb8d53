/** What is uploaded to a document (interface §2.7, §4.8). */
import { Type } from '@sinclair/typebox'

export const imageSuccess = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'The path of the image on this host.' }),
    size: Type.Integer({ description: 'Bytes as stored.' }),
    mimeType: Type.String(),
  },
  { additionalProperties: false },
)

export const deletedSuccess = Type.Object(
  { deleted: Type.Literal(true), id: Type.String() },
  { additionalProperties: false },
)

export const artifactSuccess = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'The only line of the fenced code block that shows it.' }),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  { additionalProperties: false },
)

export const artifactQuery = Type.Object(
  { source: Type.Optional(Type.Literal('1')) },
  { additionalProperties: false },
)

export const artifactMeta = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    source_bytes: Type.Integer(),
    poster_url: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
)

export const posterSuccess = Type.Object(
  { id: Type.String(), poster_url: Type.String() },
  { additionalProperties: false },
)
