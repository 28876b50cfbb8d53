/**
 * GET /docs/:slug/live/state (extensions §5): what a live socket says first, in one answer over
 * HTTP, for readers whose network lets no websocket through. It changes nothing, and holds durable
 * content only.
 */
import type { ConnectRequest, LivePeer } from '../../core/documents/contract.ts'
import { schemaVersion } from '../../schema/document-schema.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { jsonObject, jsonType, notModified, partsOf } from '../answers/answer.ts'
import { entityTag, matchesTag } from '../answers/entity-tag.ts'
import { documentRoute } from '../route.ts'
import type { Services } from '../services.ts'

/** An empty state vector: nothing is known. */
const nothing = new Uint8Array([0])

export const readLiveState = documentRoute(
  'GET /docs/:slug/live/state',
  {
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Read the live document over HTTP',
    description:
      'Returns the fields of the event `hello`, and `update`: a Yjs update (V1) in base64 ' +
      'with what the state vector `have` lacks. For editors that cannot open a WebSocket. ' +
      'Poll every few seconds with `If-None-Match`.',
    extension: true,
    access: 'read',
    headers: {
      'If-None-Match':
        'The ETag of an earlier answer. 304 when nothing visible to the caller has changed.',
    },
    success: { otherStatuses: [304] },
    errors: [],
  },
  async (input, services) => {
    const { document, sources, query, header } = input
    const { slug, access } = document
    // Seals pending typing, so that the revision names what is answered, or something older.
    const { revision, facts } = await services.documents.read(slug, {}, sources)
    const hello = {
      epoch: services.epoch(),
      revision,
      role: access.role,
      actor_id: access.actor ?? null,
      name: access.displayName ?? null,
      read_only: facts.readOnly,
      comments_disabled: facts.commentsDisabled,
      schema: schemaVersion,
      ...(await browserFields(input, services)),
    }
    const validators = {
      ETag: entityTag([hello], 'weak'),
      'Cache-Control': 'private, no-store',
      Vary: 'Authorization, Cookie',
    }
    if (matchesTag(header('if-none-match'), validators.ETag)) return notModified(validators)
    const have = query.have === undefined ? nothing : Buffer.from(query.have, 'base64url')
    const update = await updateFor(input, have, services)
    const base64 = Buffer.from(update).toString('base64')
    return partsOf(jsonObject(hello, { update: [`"${base64}"`] }), jsonType, validators)
  },
)

type Input = Pick<Admitted, 'credential' | 'sources'> & { readonly document: DocumentContext }

/** What only a browser is told: whether it may claim, and that it came by no link. */
async function browserFields({ credential, document }: Input, { people }: Services) {
  if (credential !== undefined && credential.kind !== 'browser') return {}
  const isLinkless = credential?.link === undefined
  const mayClaim =
    credential !== undefined && (await people.access.mayClaim(credential, document.slug))
  return { ...(mayClaim && { claimable: true }), ...(isLinkless && { linkless: true }) }
}

/** Refuses INVALID_REQUEST where the vector is malformed or claims more than the document has. */
async function updateFor(
  { document, sources }: Input,
  have: Uint8Array,
  { documents }: Services,
): Promise<Uint8Array> {
  const { slug, access } = document
  const { actor, writer, holder } = access
  const request: ConnectRequest = {
    access: { role: 'viewer', actor, writer, holder, sources },
    events: false,
    knowsEpoch: false,
  }
  const peer = new StateReader()
  const session = await documents.connect(slug, request, peer)
  try {
    return await session.answerStep1(have)
  } catch (error) {
    if (peer.refusal === undefined || !(error instanceof Refusal)) throw error
    const issue = { path: '?have', message: peer.refusal }
    throw new Refusal('INVALID_REQUEST', { issues: [issue] })
  } finally {
    session.leave()
  }
}

/** Needs no event: it asks once and leaves. */
class StateReader implements LivePeer {
  refusal: string | undefined
  onCurrent(): void {}
  onUpdate(): void {}
  onChange(): void {}
  onProvenance(): void {}
  onSaved(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}
  onClose(code: number, reason: string): void {
    if (code >= 4400 && code < 4500) this.refusal = reason
  }
}
