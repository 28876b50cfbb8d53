/**
 * Artifacts of a document and their posters (interface §4.8, extensions §11). They are public to
 * whoever knows an id, as long as their document is active.
 */
import type { Assets } from '../../core/assets/assets.ts'
import type { AttachedRecords } from '../../core/commit/attached-records.ts'
import type { ArtifactRecord } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Admitted } from '../admission/admitted.ts'
import { retryable, uploadOnce } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { entityTag } from '../answers/entity-tag.ts'
import { storedBytes } from '../answers/stored-bytes.ts'
import { type Received, uploadIn } from '../bodies/upload.ts'
import { keepLink, writerOf } from '../edits/patch-document.ts'
import { documentRoute, route } from '../route.ts'
import type { Services } from '../services.ts'

/**
 * What an artifact is served under (interface §4.8): a document of no origin, whose scripts run and
 * reach nothing. Its own styles and scripts are inline, its images in the file; whatever asks the
 * network for something is refused by the browser, and so are forms, frames, popups, storage and
 * cookies. What no policy of today stops: WebRTC, and where it is opened by itself that it leads
 * itself elsewhere and writes another path of this host into the address bar.
 */
const artifactPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const denied = [
  ...['accelerometer', 'ambient-light-sensor', 'autoplay', 'bluetooth', 'camera'],
  ...['clipboard-read', 'clipboard-write', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['gamepad', 'geolocation', 'gyroscope', 'hid', 'idle-detection', 'local-fonts'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]

const artifactHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': artifactPolicy,
  'X-Frame-Options': 'SAMEORIGIN',
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': denied.map((name) => `${name}=()`).join(', '),
  'X-Robots-Tag': 'noindex',
}

const addressOf = (slug: string, id: string): string => `/docs/${slug}/artifacts/${id}`
/** Asked for again each time: it is shown no longer than its document is there. */
const revalidated = { 'Cache-Control': 'no-cache' }

type ShownArtifact = Pick<ArtifactRecord, 'id' | 'width' | 'height'>

const shownArtifact = ({ id, width, height }: ArtifactRecord): ShownArtifact => ({
  ...{ id, width, height },
})

export const uploadArtifact = documentRoute(
  'POST /docs/:slug/artifacts',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Upload an artifact',
    description:
      'One HTML document in UTF-8, at most 512 KiB before and after normalization, and 8 ' +
      'MiB per document. To show it, add a fenced code block with the language `artifact` ' +
      'whose only line is `url`.',
    access: 'attach',
    takesSpace: true,
    ...retryable,
    upload: { types: ['text/html'], maxBytes: limits.artifactMaxBytes },
    success: { status: 201 },
    errors: ['INVALID_ARTIFACT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { slug } = input.document
    const { address, link } = input.sources
    const { actor } = await writerOf(input, false, services)
    const made = { from: { address, link }, actor, permission: () => input.stillPermitted() }
    const make = (file: Received, attached: AttachedRecords<ArtifactRecord>) =>
      services.assets.artifacts.add(slug, { ...made, file, attached })
    const { id, width, height } = await uploadOnce(input, services, make, shownArtifact)
    await keepLink(input, services)
    return json({ id, url: addressOf(slug, id), width, height })
  },
)

/** Refuses DOC_NOT_FOUND, DOC_ARCHIVED, NOT_FOUND. */
async function shown({ params }: Admitted, { documents, assets }: Services) {
  const slug = params['slug'] ?? ''
  if (!isSlug(slug)) throw new Refusal('DOC_NOT_FOUND')
  const { life } = await documents.facts(slug)
  if (life.state === 'purging') throw new Refusal('DOC_NOT_FOUND', { slug })
  if (life.state === 'archived') throw new Refusal('DOC_ARCHIVED')
  return { slug, artifact: await found(assets, slug, params['id'] ?? '') }
}

const found = ({ artifacts }: Assets, slug: Slug, id: string) => artifacts.find(slug, id)

const publicErrors = ['DOC_NOT_FOUND', 'DOC_ARCHIVED', 'DOC_DAMAGED', 'NOT_FOUND'] as const

export const readArtifact = route(
  'GET /docs/:slug/artifacts/:id',
  {
    access: 'none',
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Get an artifact',
    description:
      'Runs without an origin and without network access. With `source=1`, returns its ' +
      'normalized source as text.',
    success: {
      type: 'text/html; charset=utf-8',
      otherTypes: ['text/plain; charset=utf-8'],
      otherStatuses: [206, 304],
    },
    errors: [...publicErrors, 'RANGE_NOT_SATISFIABLE'],
  },
  async (input, services) => {
    const { artifact } = await shown(input, services)
    const isSource = input.query.source === '1'
    const type = isSource ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8'
    const headers = isSource ? revalidated : { ...revalidated, ...artifactHeaders }
    const tag = entityTag([artifact.blob, type], 'strong')
    return storedBytes(input, { type, tag, headers }, () =>
      services.assets.artifacts.open(artifact),
    )
  },
)

export const readArtifactMeta = route(
  'GET /docs/:slug/artifacts/:id/meta',
  {
    access: 'none',
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Get the metadata of an artifact',
    errors: publicErrors,
  },
  async (input, services) => {
    const { slug, artifact } = await shown(input, services)
    const { id, title, width, height, size, poster } = artifact
    const poster_url = poster === undefined ? null : `${addressOf(slug, id)}/poster`
    return json({ id, title, width, height, source_bytes: size, poster_url })
  },
)

export const pictureArtifact = documentRoute(
  'POST /docs/:slug/artifacts/:id/poster',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Upload the poster of an artifact',
    description:
      'A complete PNG, at most 1,000,000 bytes and 4000 × 4000 pixels. The first valid ' +
      'poster is kept. Later uploads answer 200.',
    access: 'picture',
    takesSpace: true,
    upload: { types: ['image/png'], maxBytes: limits.posterMaxBytes },
    success: { status: 201, otherStatuses: [200] },
    errors: ['NOT_FOUND'],
  },
  async (input, services) => {
    const { slug } = input.document
    const id = input.params['id'] ?? ''
    const isFirst = await uploadIn(input).receive(async (file) => {
      const permission = await input.stillPermitted()
      return services.assets.artifacts.picture(slug, id, { file, permission })
    })
    const answer = json({ id, poster_url: `${addressOf(slug, id)}/poster` })
    return isFirst ? answer : { ...answer, status: 200 }
  },
)

export const readPoster = route(
  'GET /docs/:slug/artifacts/:id/poster',
  {
    access: 'none',
    bodyLimit: 'none',
    answer: 'streamed',
    summary: 'Get the poster of an artifact',
    success: { type: 'image/png', otherStatuses: [206, 304] },
    errors: [...publicErrors, 'RANGE_NOT_SATISFIABLE'],
  },
  async (input, services) => {
    const { poster } = (await shown(input, services)).artifact
    if (poster === undefined) throw new Refusal('NOT_FOUND')
    const tag = entityTag([poster.blob], 'strong')
    const picture = { type: 'image/png', tag, headers: revalidated }
    return storedBytes(input, picture, () => services.assets.artifacts.open(poster))
  },
)
