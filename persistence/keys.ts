/**
 * The layout of the store, the only place that spells keys. `/` separates segments and no segment
 * holds one: every value that comes from outside is escaped or hashed. Numbers that give an order
 * are padded. It knows names, not values.
 */
import { hash } from 'node:crypto'
import { isSlug, type Slug } from '../schema/ids.ts'
import type { Below, DamagedRecords, KeyedValue, Range, Store } from './store.ts'

const numberWidth = 12

/** The number as a segment whose text order is its numeric order. */
function padded(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number >= 10 ** numberWidth) {
    throw new TypeError(`not a number for a key: ${number}`)
  }
  return String(number).padStart(numberWidth, '0')
}

/** Any text as one segment. Throws URIError on text that has no UTF-8 form. */
function segment(text: string): string {
  if (text === '') throw new TypeError('a key segment must not be empty')
  return encodeURIComponent(text)
}

/** Every key that begins with `prefix` and `/`. `0` is the character after `/`. */
const below = (prefix: string): Below => ({ gte: `${prefix}/`, lt: `${prefix}0` })

/** An entry of the index `name`; numbers order as numbers, texts as their escaped form. */
export const indexKey = (name: string, ...path: readonly (string | number)[]): string =>
  ['index', segment(name), ...path.map(indexSegment)].join('/')

/** All entries of the index `name` that begin with the whole segments `path`. */
export const indexRange = (name: string, ...path: readonly (string | number)[]): Range =>
  below(indexKey(name, ...path))

const indexSegment = (part: string | number): string =>
  typeof part === 'number' ? padded(part) : segment(part)

const sha256 = (text: string): string => hash('sha256', text)

function inDoc(slug: Slug, ...rest: readonly string[]): string {
  if (!isSlug(slug)) throw new TypeError(`not a slug: ${slug}`)
  let key = `doc/${slug}`
  for (const part of rest) key += `/${part}`
  return key
}

/** The records of one document. */
export const docHead = (slug: Slug): string => inDoc(slug, 'head')
export const docSnapshot = (slug: Slug): string => inDoc(slug, 'snap')
/** What plain reads are told, derived from the others. */
export const docView = (slug: Slug): string => inDoc(slug, 'view')
/** The threads that few of them ask for. */
export const docFarThreads = (slug: Slug): string => inDoc(slug, 'far')
export const docLog = (slug: Slug, seq: number): string => inDoc(slug, 'log', padded(seq))
export const docHistory = (slug: Slug, revision: number): string =>
  inDoc(slug, 'history', padded(revision))
/** The whole text of a revision, kept now and then so that the texts between can be rebuilt. */
export const docText = (slug: Slug, revision: number): string =>
  inDoc(slug, 'text', padded(revision))

/** A record of a section, by the numbers and names that follow it. */
export const docRecord = (
  slug: Slug,
  section: DocSection,
  path: readonly (string | number)[],
): string => inDoc(slug, section, ...path.map(indexSegment))

/** The sections of a document that hold more than one record. */
export const docSections = [
  'authors',
  'client',
  'comment',
  'exception',
  'history',
  'hue',
  'ledger',
  'log',
  'move',
  'name',
  'text',
  'thread',
  'tombstone',
] as const
export type DocSection = (typeof docSections)[number]

/** Those that are one record. */
const docSingles = ['far', 'head', 'snap', 'view'] as const
type SingleRecord = (typeof docSingles)[number]

/** Everything of one document, its head included. */
export const docRange = (slug: Slug): Below => below(inDoc(slug))
/** One section of one document, in the order of its numbers or names. */
export const docSectionRange = (slug: Slug, section: DocSection): Range =>
  below(inDoc(slug, section))
/** Log records from `seq` on. */
export const docLogFrom = (slug: Slug, seq: number): Range => ({
  gte: docLog(slug, seq),
  lt: `${inDoc(slug, 'log')}0`,
})

/**
 * The kinds of record outside documents. `token` and `use` are keyed by the SHA-256 of the secret,
 * `token-id` by the public id, `link` by the SHA-256 of its code; `index` by the name of the index
 * and what it is ordered by. What is below `index` can be made anew from the others.
 */
export const kinds = [
  'account',
  'account-work',
  'actor',
  'agent',
  'agent-use',
  'artifact',
  'assets',
  'bot-slug',
  'confirmation',
  'container',
  'delivery',
  'feed',
  'feed-head',
  'feedback',
  'feedback-image',
  'folder',
  'folder-door',
  'general-link',
  'grant',
  'guest-offer',
  'handle',
  'idempotency',
  'identity',
  'image',
  'inbox',
  'inbox-state',
  'index',
  'lease',
  'link',
  'link-name',
  'member',
  'meta',
  'mute',
  'node',
  'owner',
  'outbox',
  'owner-key',
  'password',
  'placement',
  'purge',
  'reset',
  'sharing',
  'token',
  'token-id',
  'use',
  'webhook',
  'webhook-body',
  'webhook-event',
  'webhook-state',
  'workspace',
] as const
export type Kind = (typeof kinds)[number]

const sha256Hex = /^[0-9a-f]{64}$/

export function tokenBySha256(sha256OfSecret: string): string {
  if (!sha256Hex.test(sha256OfSecret)) throw new TypeError('not a SHA-256 in hex')
  return `token/${sha256OfSecret}`
}
/** When a token or session was last used: beside the record that its holder's rights rest on. */
export const useKey = (sha256OfSecret: string): string =>
  tokenBySha256(sha256OfSecret).replace('token/', 'use/')
export const tokenById = (tokenId: string): string => `token-id/${segment(tokenId)}`
export const agentKey = (agentId: string): string => `agent/${segment(agentId)}`
/** When an agent was last here. */
export const agentUseKey = (agentId: string): string => `agent-use/${segment(agentId)}`
/** Where an agent's events are sent. */
export const webhookKey = (agentId: string): string => `webhook/${segment(agentId)}`
export const accountKey = (accountId: string): string => `account/${segment(accountId)}`
/** What is still to be done for an account, such as the end of it. */
export const accountWorkKey = (accountId: string): string => `account-work/${segment(accountId)}`
/** How an account proves who it is; absent: not by a password. */
export const passwordKey = (accountId: string): string => `password/${segment(accountId)}`
/** Whose account somebody is whom a provider of identities vouches for. */
export const identityKey = (sha256OfIdentity: string): string =>
  `identity/${segment(sha256OfIdentity)}`
/** A way to a new password, good once. */
export const resetKey = (sha256OfSecret: string): string => `reset/${segment(sha256OfSecret)}`
/** A guest whose documents could become this account's. */
export const guestOfferKey = (accountId: string, guestId: string): string =>
  `guest-offer/${segment(accountId)}/${segment(guestId)}`
export const guestOffersOf = (accountId: string): Range =>
  below(`guest-offer/${segment(accountId)}`)
/** The sessions of an account, by their public ids. */
export const sessionOfAccount = (accountId: string, sessionId: string): string =>
  indexKey('session-of', accountId, sessionId)
export const handleKey = (handle: string): string => `handle/${segment(handle)}`
/** Where an actor's name is kept. */
export const actorKey = (actor: string): string => `actor/${segment(actor)}`
/** What is recorded for an actor on a document. */
export const grantKey = (slug: Slug, actor: string): string => `grant/${slug}/${segment(actor)}`
/** All of those, in the order of their actors; those behind `after` alone. */
export const grantsOfDocument = (slug: Slug, after?: string): Range => ({
  ...below(`grant/${slug}`),
  ...(after !== undefined && { gte: `${grantKey(slug, after)}!` }),
})
/** Those of agents. */
export const agentGrantsOf = (slug: Slug, after?: string): Range => ({
  ...grantsOfDocument(slug, after ?? 'ai:'),
  lt: grantKey(slug, 'ai;'),
})
/** Who owns the document; present once somebody does. */
export const ownerKey = (slug: Slug): string => `owner/${slug}`
/** A key by which an account's scripts create. */
export const ownerKeyKey = (accountId: string, keyId: string): string =>
  `owner-key/${segment(accountId)}/${segment(keyId)}`
export const ownerKeysOf = (accountId: string): Range => below(`owner-key/${segment(accountId)}`)
/** The workspace of an account; its containers are found by their own ids. */
export const workspaceKey = (accountId: string): string => `workspace/${segment(accountId)}`
export const containerKey = (containerId: string): string => `container/${segment(containerId)}`
export const folderKey = (folderId: string): string => `folder/${segment(folderId)}`
/** Whether anything may come into a folder; written when it begins and ends alone. */
export const folderDoorKey = (folderId: string): string => `folder-door/${segment(folderId)}`
/** A member of an account's team. */
export const memberKey = (accountId: string, member: string): string =>
  `member/${segment(accountId)}/${segment(member)}`
export const membersOf = (accountId: string): Range => below(`member/${segment(accountId)}`)
/** What a slug stands for, or once stood for, among the bots of an account. */
export const botSlugKey = (accountId: string, slug: string): string =>
  `bot-slug/${segment(accountId)}/${segment(slug)}`
export const botSlugsOf = (accountId: string): Range => below(`bot-slug/${segment(accountId)}`)
/** Where the document stands in a library. */
export const placementKey = (slug: Slug): string => `placement/${slug}`
export const linkBySha256 = (sha256OfCode: string): string => `link/${segment(sha256OfCode)}`
/** Whose the name of a link is, or was of late. */
export const linkNameKey = (name: string): string => `link-name/${segment(name)}`
/** What is counted of a document's access. */
export const sharingKey = (slug: Slug): string => `sharing/${slug}`
/** The document's link of general access. */
export const generalLinkKey = (slug: Slug): string => `general-link/${slug}`
/** A ticket that was spent, by the second in which it would have ended. */
export const confirmationKey = (endsAtSecond: number, sha256OfTicket: string): string =>
  `confirmation/${padded(endsAtSecond)}/${segment(sha256OfTicket)}`
/** The archived documents, by when they are to be purged; truth is in their heads. */
export const purgeDueKey = (atSecond: number, slug: Slug): string =>
  indexKey('purge-due', atSecond, slug)
/** Those that are due by the end of this second. */
export const purgesDueBy = (second: number): Range => ({
  ...indexRange('purge-due'),
  lt: indexKey('purge-due', second + 1),
})
/** The document is being purged; the last of it to go. */
export const purgeKey = (slug: Slug): string => `purge/${slug}`
/** Tickets that ended before this second. */
export const confirmationsBefore = (second: number): Range => ({
  gte: 'confirmation/',
  lt: `confirmation/${padded(second)}`,
})

/** What somebody should hear of and nobody has been told yet. */
export const outboxKey = (id: string): string => `outbox/${segment(id)}`
/** An entry of somebody's inbox, in the order in which they came; those behind one alone. */
export const inboxKey = (actor: string, id: number): string =>
  `inbox/${segment(actor)}/${padded(id)}`
export const inboxBehind = (actor: string, id: number): Range => ({
  gt: inboxKey(actor, id),
  lt: `inbox/${segment(actor)}0`,
})
/** How far somebody has read it. */
export const inboxStateKey = (actor: string): string => `inbox-state/${segment(actor)}`
/** What everybody in a document should hear of, in the order of all entries. */
export const feedKey = (slug: Slug, id: number): string => `feed/${slug}/${padded(id)}`
export const feedBehind = (slug: Slug, id: number): Range => ({
  gt: feedKey(slug, id),
  lt: `feed/${slug}0`,
})
/** The newest of those. */
export const feedHeadKey = (slug: Slug): string => `feed-head/${slug}`
/** Entries of inboxes that are about a document. */
export const inboxOfDocument = (slug: Slug, actor: string, id: number): string =>
  indexKey('inbox-of', slug, actor, id)
/** Of what in a document somebody does not want to hear. */
export const muteKey = (slug: Slug, actor: string): string => `mute/${slug}/${segment(actor)}`
export const mutesOfDocument = (slug: Slug): Range => below(`mute/${slug}`)

/** What is counted of a document's images and whatever else is uploaded to it. */
export const assetsKey = (slug: Slug): string => `assets/${slug}`
export const imageKey = (slug: Slug, id: string): string => `image/${slug}/${segment(id)}`
export const imagesOfDocument = (slug: Slug): Range => below(`image/${slug}`)
/** A page in one file that belongs to a document. */
export const artifactKey = (slug: Slug, id: string): string => `artifact/${slug}/${segment(id)}`
export const artifactsOfDocument = (slug: Slug): Range => below(`artifact/${slug}`)
/** What somebody reported of a document, and images for that. */
export const feedbackKey = (slug: Slug, id: string): string => `feedback/${slug}/${segment(id)}`
export const feedbackOfDocument = (slug: Slug): Range => below(`feedback/${slug}`)
export const feedbackImageKey = (slug: Slug, id: string): string =>
  `feedback-image/${slug}/${segment(id)}`
export const feedbackImagesOfDocument = (slug: Slug): Range => below(`feedback-image/${slug}`)
/** Images that no report names, by when they came. */
export const feedbackImageDue = (second: number, slug: Slug, id: string): string =>
  indexKey('feedback-image-due', second, slug, id)
export const feedbackImagesDueBy = (second: number): Range => ({
  ...indexRange('feedback-image-due'),
  lt: indexKey('feedback-image-due', second + 1),
})
/** Those that one holder uploaded, whatever document they are for. */
export const feedbackImageBy = (
  holder: string,
  second: number,
  { slug, id }: { readonly slug: Slug; readonly id: string },
): string => indexKey('feedback-image-of', holder, second, slug, id)
export const feedbackImagesBySince = (holder: string, second: number): Range => ({
  ...indexRange('feedback-image-of', holder),
  gte: indexKey('feedback-image-of', holder, second),
})
/** A record refers to a blob: by the blob, so that it is known who has it. */
export const blobReference = (blob: string, slug: Slug, recordId: string): string =>
  indexKey('blob-of', blob, slug, recordId)
/** All of those, or those of one blob. */
export const blobReferences = (blob?: string): Range =>
  blob === undefined ? indexRange('blob-of') : indexRange('blob-of', blob)

/** A blob is there, in a store whose blobs several processes delete. */
export const blobPresence = (blob: string): string => indexKey('blob-there', blob)

/** By holder, and by document; none holds anything but its key. */
export const grantOfActor = (actor: string, slug: Slug): string => indexKey('grant-of', actor, slug)
export const tokenOfDocument = (slug: Slug, tokenId: string): string =>
  indexKey('token-of', slug, tokenId)
/** Of those, the tokens that were made on purpose: its creator's, and its owner's. */
export const givenTokenOf = (slug: Slug, tokenId: string): string =>
  indexKey('given-token-of', slug, tokenId)
/** Of those, the ones that a read minted and that nobody had named so far, by when. */
export const mintedTokenOf = (slug: Slug, second: number, tokenId: string): string =>
  indexKey('minted-token-of', slug, second, tokenId)
export const mintedOfDocument = (slug: Slug): Range => indexRange('minted-token-of', slug)
export const linkOfDocument = (slug: Slug, linkId: string): string =>
  indexKey('link-of', slug, linkId)
/** The names that links of a document have, or had of late. */
export const linkNameOfDocument = (slug: Slug, name: string): string =>
  indexKey('link-name-of', slug, name)
/** The outcomes kept under `Idempotency-Key` that tell of a document; `path` of the key's own. */
export const idempotencyOfDocument = (slug: Slug, path: readonly string[]): string =>
  indexKey('idempotency-of', slug, ...path)

export const metaKey = (name: string): string => `meta/${segment(name)}`

/** `identity` says whose key it is; the caller's `Idempotency-Key` goes in as its hash. */
export const idempotencyKey = (identity: string, key: string): string =>
  `idempotency/${segment(identity)}/${sha256(key)}`

/** All records of one kind. */
export const kindRange = (kind: Kind): Range => below(kind)

/** What a key names; `path` are its remaining segments, unescaped. */
export type ParsedKey =
  | {
      readonly kind: 'doc'
      readonly slug: Slug
      readonly section: DocSection | SingleRecord
      readonly path: readonly string[]
    }
  | { readonly kind: Kind; readonly path: readonly string[] }

const isKind = (text: string): text is Kind => kinds.some((kind) => kind === text)
const isSection = (text: string): text is DocSection | SingleRecord =>
  [...docSingles, ...docSections].some((section) => section === text)

/** The inverse of the functions above; `undefined`: no key of this layout. */
export function parseKey(key: string): ParsedKey | undefined {
  const [first = '', ...rest] = key.split('/')
  if (rest.length === 0 || rest.includes('')) return undefined
  if (isKind(first)) return { kind: first, path: rest.map(unescaped) }
  const [slug = '', section = '', ...path] = rest
  if (first !== 'doc' || !isSlug(slug) || !isSection(section)) return undefined
  return { kind: 'doc', slug, section, path: path.map(unescaped) }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where keys go on behind one that was read as text: it may have ended amid a character. */
function firstBehind(key: string): string {
  const at = key.indexOf('\ufffd')
  if (at < 1) return `${key}\u0000`
  return key.slice(0, at - 1) + String.fromCharCode(key.charCodeAt(at - 1) + 1)
}

/**
 * The slug of every document that has any record, in order, also one whose head is gone or damaged.
 * What lies among keys that are out of service is passed over.
 * Leaps from document to document: one short scan each, so not one snapshot over all.
 */
export async function* allDocSlugs(store: Store): AsyncGenerator<Slug> {
  let from = 'doc/'
  for (;;) {
    let next: KeyedValue | DamagedRecords | undefined
    for await (const found of store.scanRaw({ gte: from, lt: 'doc0', limit: 1 })) next = found
    if (next === undefined) return
    if ('upTo' in next) {
      from = firstBehind(next.upTo)
      continue
    }
    const slug = next.key.split('/')[1] ?? ''
    if (isSlug(slug)) yield slug
    from = `doc/${slug}0`
  }
}

/** A node that runs; it writes the record anew with each heartbeat. */
export const nodeKey = (id: string): string => `node/${segment(id)}`
export const nodes: Range = below('node')
/** Which node has the document open. */
export const documentLease = (slug: Slug): string => `lease/doc/${slug}`
/** All leases. */
export const leases: Range = below('lease')
/** Which node does some work for all of them. */
export const dutyLease = (duty: string): string => `lease/duty/${segment(duty)}`

/** An event that agents are sent, by its number among all entries; and the bytes that are sent. */
export const webhookEventKey = (slug: Slug, event: number): string =>
  `webhook-event/${slug}/${padded(event)}`
export const webhookEventsOf = (slug: Slug): Range => below(`webhook-event/${slug}`)
export const webhookBodyKey = (slug: Slug, event: number): string =>
  `webhook-body/${slug}/${padded(event)}`
export const webhookBodiesOf = (slug: Slug): Range => below(`webhook-body/${slug}`)
/** Events whose recipients are still to be found among those with a part in the document. */
export const webhookFanOut = (slug: Slug, event: number): string =>
  indexKey('webhook-fan-out', slug, event)
/** How an agent's webhook fares; where it leads is in `webhook`. */
export const webhookStateKey = (agentId: string): string => `webhook-state/${segment(agentId)}`
/** The id of a delivery: ids of later events order behind those of earlier ones. */
export const deliveryId = (event: number, random: string): string => `msg_${padded(event)}${random}`
export const deliveryKey = (agentId: string, id: string): string =>
  `delivery/${segment(agentId)}/${segment(id)}`
/** All of an agent; those before `id` alone. */
export const deliveriesOf = (agentId: string, id?: string): Below => ({
  ...below(`delivery/${segment(agentId)}`),
  ...(id !== undefined && { lt: deliveryKey(agentId, id) }),
})
/** Deliveries that wait, by the lane in which they keep their order. */
export const deliveryInLane = (agentId: string, lane: string, id: string): string =>
  indexKey('delivery-lane', agentId, lane, id)
/** When the first delivery of a lane is to be sent; and when something of an agent is. */
export const laneDueKey = (agentId: string, second: number, lane: string): string =>
  indexKey('lane-due', agentId, second, lane)
export const lanesDueBy = (agentId: string, second: number): Range => ({
  ...indexRange('lane-due', agentId),
  lt: indexKey('lane-due', agentId, second + 1),
})
export const targetDueKey = (second: number, agentId: string): string =>
  indexKey('target-due', second, agentId)
export const targetsDueBy = (second: number): Range => ({
  ...indexRange('target-due'),
  lt: indexKey('target-due', second + 1),
})
/** Deliveries that are about a document, finished ones too. */
export const deliveryOfDocument = (slug: Slug, agentId: string, id: string): string =>
  indexKey('delivery-of', slug, agentId, id)

/** Which documents an account or agent has made links or tokens of (extensions §3). */
export const madeKey = (actor: string, slug: Slug): string => indexKey('made-by', actor, slug)
export const madeBy = (actor: string): Range => indexRange('made-by', actor)
