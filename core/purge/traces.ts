/**
 * Everywhere something of a document lies: the one place to add a kind of record to. Each entry of
 * `traces` finds its keys by what the document has an index of, and says which go together; what it
 * is found by goes in the same commit, so that after a crash the rest is found again. A purge takes
 * them in this order and looks again until none is left. It deletes nothing itself.
 */
import {
  artifactsOfDocument,
  assetsKey,
  blobReference,
  blobReferences,
  deliveryInLane,
  deliveryKey,
  docHead,
  docRange,
  feedBehind,
  feedbackImagesOfDocument,
  feedbackOfDocument,
  feedHeadKey,
  generalLinkKey,
  givenTokenOf,
  grantKey,
  grantOfActor,
  grantsOfDocument,
  idempotencyOfDocument,
  imagesOfDocument,
  inboxKey,
  inboxOfDocument,
  indexRange,
  kindRange,
  laneDueKey,
  linkBySha256,
  linkNameKey,
  linkNameOfDocument,
  linkOfDocument,
  madeKey,
  mutesOfDocument,
  ownerKey,
  parseKey,
  placementKey,
  sharingKey,
  tokenById,
  tokenBySha256,
  tokenOfDocument,
  useKey,
  webhookBodiesOf,
  webhookEventsOf,
} from '../../persistence/keys.ts'
import { type Check, type Range, type Store, StoreDamage } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { decodeOutcome } from '../commit/kept-outcomes.ts'
import { keysOfImage } from '../feedback/feedback.ts'
import { placeKeys, placementOf } from '../library/placement.ts'
import { freeNameKey } from '../links/link-names.ts'
import { linkKey } from '../links/short-links.ts'
import { foundBy } from '../links/unused-tokens.ts'
import { readRecord, records } from '../records/records.ts'
import { derivedCode, type SecretKey } from '../records/secrets.ts'
import { webhookRecords } from '../records/webhook-records.ts'

export interface TraceContext {
  readonly store: Store
  readonly secretKey: SecretKey
}

/** Keys that go in one commit, on the condition that others are as they were. */
export interface Trace {
  readonly deletes: readonly string[]
  readonly checks?: readonly Check[]
  /** Blobs that these keys referred to. */
  readonly blobs?: readonly string[]
}

type Traces = (context: TraceContext, slug: Slug) => AsyncGenerator<Trace>

/** Who owns it goes last of all, since until then the owner is told how far it is. */
export const traces: readonly Traces[] = [
  ...[
    content,
    images,
    artifacts,
    reports,
    outcomes,
    place,
    links,
    linkNames,
    tokens,
    notices,
    deliveries,
    grants,
    sums,
  ],
]

/** With what is damaged. */
async function* keysOf(store: Store, range: Range): AsyncGenerator<string> {
  for await (const record of store.scanRaw(range)) if (!('upTo' in record)) yield record.key
}

const lastSegment = (key: string): string => parseKey(key)?.path.at(-1) ?? ''

/** Text, log, history, views and whatever else is stored beside the text. */
async function* content({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const key of keysOf(store, docRange(slug))) {
    if (key !== docHead(slug)) yield { deletes: [key] }
  }
}

async function* images({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  let isLost = false
  for await (const key of keysOf(store, imagesOfDocument(slug))) {
    const image = await readable(readRecord(store, key, records.image))
    if (image === undefined) {
      isLost = true
      yield { deletes: [key] }
    } else {
      const { blob, id } = image.record
      yield { deletes: [key, blobReference(blob, slug, id)], blobs: [blob] }
    }
  }
  if (isLost) yield* references(store, slug)
}

async function* artifacts({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  let isLost = false
  for await (const key of keysOf(store, artifactsOfDocument(slug))) {
    const artifact = await readable(readRecord(store, key, records.artifact))
    if (artifact === undefined) {
      isLost = true
      yield { deletes: [key] }
    } else {
      const { id, blob, poster } = artifact.record
      const blobs = poster === undefined ? [blob] : [blob, poster.blob]
      yield { deletes: [key, ...blobs.map((one) => blobReference(one, slug, id))], blobs }
    }
  }
  if (isLost) yield* references(store, slug)
}

async function* reports({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const key of keysOf(store, feedbackOfDocument(slug))) yield { deletes: [key] }
  let isLost = false
  for await (const key of keysOf(store, feedbackImagesOfDocument(slug))) {
    const image = await readable(readRecord(store, key, records.feedbackImage))
    if (image === undefined) {
      isLost = true
      yield { deletes: [key] }
    } else {
      yield { deletes: keysOfImage(slug, image.record), blobs: [image.record.blob] }
    }
  }
  if (!isLost) return
  yield* references(store, slug)
  for await (const key of keysOf(store, indexRange('feedback-image-of'))) {
    if (parseKey(key)?.path[3] === slug) yield { deletes: [key] }
  }
}

/** Of records that cannot be read. */
async function* references(store: Store, slug: Slug): AsyncGenerator<Trace> {
  for await (const key of keysOf(store, blobReferences())) {
    const [, blob = '', of] = parseKey(key)?.path ?? []
    if (of === slug) yield { deletes: [key], blobs: [blob] }
  }
}

/** `undefined`: it is damaged, or of another shape. */
async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof StoreDamage || error instanceof TypeError) return undefined
    throw error
  }
}

/** What is kept under an `Idempotency-Key`, unless the key stands for another document by now. */
async function* outcomes({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const found of keysOf(store, indexRange('idempotency-of', slug))) {
    const [, , ...path] = parseKey(found)?.path ?? []
    const key = ['idempotency', ...path.map(encodeURIComponent)].join('/')
    const kept = await store.get(key)
    const isIts = kept !== undefined && decodeOutcome(kept.value).slug === slug
    const index = idempotencyOfDocument(slug, path)
    if (isIts) yield { checks: [{ key, version: kept.version }], deletes: [key, index] }
    else yield { deletes: [index] }
  }
}

/** In a library. */
async function* place({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  const found = await placementOf(store, slug)
  if (found === undefined) return
  const checks = [{ key: placementKey(slug), version: found.version }]
  yield { checks, deletes: placeKeys(slug, found.record) }
}

async function* links(context: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  const { store, secretKey } = context
  const lost = new Set<string>()
  for await (const found of keysOf(store, indexRange('link-of', slug))) {
    const linkId = lastSegment(found)
    const key = linkKey(derivedCode(secretKey, linkId))
    if ((await store.get(key)) === undefined) lost.add(linkId)
    else yield { deletes: [key, linkOfDocument(slug, linkId)] }
  }
  if (lost.size === 0) return
  // Made under another key of the service: no code leads there, and the record is there anyway.
  for await (const { key, value } of store.scan(kindRange('link'))) {
    const { slug: of, linkId } = records.shortLink.decode(value)
    if (of === slug && lost.has(linkId)) yield { deletes: [linkBySha256(lastSegment(key))] }
  }
  for (const linkId of lost) yield { deletes: [linkOfDocument(slug, linkId)] }
}

/** Those that links have, and those that are kept for the document for a while. */
async function* linkNames({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const found of keysOf(store, indexRange('link-name-of', slug))) {
    const name = lastSegment(found)
    const key = linkNameKey(name)
    const index = linkNameOfDocument(slug, name)
    const known = await readRecord(store, key, records.linkName)
    if (known?.record.slug !== slug) {
      yield { deletes: [index] }
      continue
    }
    const { endsAt } = known.record
    const free = endsAt === undefined ? [] : [freeNameKey(endsAt, name)]
    yield { checks: [{ key, version: known.version }], deletes: [key, index, ...free] }
  }
}

/** With the names under which their holders wrote: nothing is left that they could sign. */
async function* tokens({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const found of keysOf(store, indexRange('token-of', slug))) {
    const id = lastSegment(found)
    const index = [tokenOfDocument(slug, id), givenTokenOf(slug, id)]
    const home = await readRecord(store, tokenById(id), records.actorHome)
    const sha256 = home !== undefined && 'token' in home.record ? home.record.token : undefined
    if (sha256 === undefined) {
      yield { deletes: [...index, tokenById(id)] }
      continue
    }
    const own = [tokenById(id), tokenBySha256(sha256), useKey(sha256)]
    const token = await readRecord(store, tokenBySha256(sha256), records.secret)
    if (token?.record.type === 'document') {
      own.push(...foundBy(token.record))
      const { maker } = token.record
      if (maker !== undefined) own.push(madeKey(maker, slug))
    }
    yield { deletes: [...own, ...index] }
  }
}

/** What somebody should hear of, the whole house's notices among it: few wait at any time. */
async function* notices({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const { key, value } of store.scan(kindRange('outbox'))) {
    if (records.notice.decode(value).slug === slug) yield { deletes: [key] }
  }
  for await (const key of keysOf(store, indexRange('inbox-of', slug))) {
    const [actor = '', id] = parseKey(key)?.path.slice(-2) ?? []
    const number = Number(id)
    yield { deletes: [inboxKey(actor, number), inboxOfDocument(slug, actor, number)] }
  }
  for await (const key of keysOf(store, feedBehind(slug, 0))) yield { deletes: [key] }
  for await (const key of keysOf(store, mutesOfDocument(slug))) yield { deletes: [key] }
}

/** What agents were sent of it, and were to be sent. */
async function* deliveries({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  for await (const key of keysOf(store, indexRange('webhook-fan-out', slug))) {
    yield { deletes: [key] }
  }
  for await (const found of keysOf(store, indexRange('delivery-of', slug))) {
    const [agentId = '', id = ''] = parseKey(found)?.path.slice(-2) ?? []
    const key = deliveryKey(agentId, id)
    const known = await readable(readRecord(store, key, webhookRecords.delivery))
    const { lane, dueAt = 0 } = known?.record ?? {}
    const due = Math.floor(dueAt / 1000)
    const waiting =
      lane === undefined ? [] : [deliveryInLane(agentId, lane, id), laneDueKey(agentId, due, lane)]
    yield { deletes: [key, found, ...waiting] }
  }
  for (const range of [webhookEventsOf(slug), webhookBodiesOf(slug)]) {
    for await (const key of keysOf(store, range)) yield { deletes: [key] }
  }
}

async function* grants({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  const owner = await readRecord(store, ownerKey(slug), records.owner)
  for await (const key of keysOf(store, grantsOfDocument(slug))) {
    const actor = lastSegment(key)
    if (actor !== owner?.record.actor) yield { deletes: [key, grantOfActor(actor, slug)] }
  }
}

async function* sums({ store }: TraceContext, slug: Slug): AsyncGenerator<Trace> {
  const keys = [sharingKey(slug), generalLinkKey(slug), feedHeadKey(slug), assetsKey(slug)]
  for (const key of keys) {
    if ((await store.get(key)) !== undefined) yield { deletes: [key] }
  }
}

/** What is left at the end. */
export async function lastTrace({ store }: TraceContext, slug: Slug): Promise<Trace> {
  const owner = await readRecord(store, ownerKey(slug), records.owner)
  const own = owner && [
    grantKey(slug, owner.record.actor),
    grantOfActor(owner.record.actor, slug),
    ownerKey(slug),
  ]
  return { deletes: [docHead(slug), ...(own ?? [])] }
}
