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
