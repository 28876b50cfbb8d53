/** The shapes of what is stored of uploads and of reports. */
import { Type } from '@sinclair/typebox'

/** An image of a document; its bytes are the blob's. */
export const image = Type.Object({
  id: Type.String(),
  blob: Type.String(),
  size: Type.Integer(),
  type: Type.String(),
  actor: Type.String(),
  createdAt: Type.Integer(),
})

/** A page in one file; its source, and later its poster, are blobs. */
export const artifact = Type.Object({
  id: Type.String(),
  blob: Type.String(),
  size: Type.Integer(),
  title: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  actor: Type.String(),
  createdAt: Type.Integer(),
  poster: Type.Optional(Type.Object({ blob: Type.String(), size: Type.Integer() })),
})

/** What somebody reported, without secrets. */
export const feedback = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  message: Type.String(),
  kind: Type.Optional(
    Type.Union([Type.Literal('bug'), Type.Literal('friction'), Type.Literal('wish')]),
  ),
  images: Type.Array(Type.String()),
  /** The request that it is about. */
  ref: Type.Optional(Type.String()),
  actor: Type.Optional(Type.String()),
  createdAt: Type.Integer(),
})

/** An image for a report; `report` names the last one that shows it. */
export const feedbackImage = Type.Object({
  id: Type.String(),
  blob: Type.String(),
  size: Type.Integer(),
  type: Type.String(),
  holder: Type.String(),
  report: Type.Optional(Type.String()),
  createdAt: Type.Integer(),
})

const counted = Type.Integer({ minimum: 0 })
/** What a document has of what is uploaded to it; absent: nothing. */
export const assetTotals = Type.Object({
  images: counted,
  imageBytes: counted,
  artifacts: counted,
  artifactBytes: counted,
  posterBytes: counted,
  reports: counted,
  reportImageBytes: counted,
})
