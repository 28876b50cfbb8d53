/**
 * How the records of people lie in the store: JSON bytes, checked against their shape when read, so
 * that a record of another kind or an older layout is a loud failure and never a wrong answer.
 * It knows shapes, not who may see them.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Store, StoredValue, Version } from '../../persistence/store.ts'
import { compiledCheck } from '../../schema/compiled-check.ts'
import { artifact, assetTotals, feedback, feedbackImage, image } from './asset-records.ts'

/** A kind of record: how to write it and how to read it back. */
export interface RecordShape<T> {
  encode(record: T): Uint8Array
  /** Throws TypeError when the bytes are not a record of this shape. */
  decode(bytes: Uint8Array): T
}

export function recordShape<S extends TSchema>(name: string, schema: S): RecordShape<Static<S>> {
  const checker = compiledCheck(schema)
  return {
    encode(record) {
      if (!checker().Check(record)) throw new TypeError(`not a ${name} record`)
      return Buffer.from(JSON.stringify(record))
    },
    decode(bytes) {
      const record: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      if (!checker().Check(record)) throw new TypeError(`a stored ${name} record has another shape`)
      return record
    },
  }
}

const grantableRole = Type.Union([
  Type.Literal('editor'),
  Type.Literal('commenter'),
  Type.Literal('viewer'),
])

const documentToken = Type.Object({
  type: Type.Literal('document'),
  /** Public; the secret is derived from it. */
  id: Type.String(),
  prefix: Type.Union([Type.Literal('dtk'), Type.Literal('shr')]),
  slug: Type.String(),
  role: grantableRole,
  /** A shared token may be in many hands; a personal one stands for one holder. */
  kind: Type.Union([Type.Literal('personal'), Type.Literal('shared')]),
  /**
   * How it came about: its document's create, that create's share address, a link, a shared token's
   * read, or made by the owner (`POST /docs/:slug/access`).
   */
  origin: Type.Union([
    Type.Literal('create'),
    Type.Literal('handoff'),
    Type.Literal('link'),
    Type.Literal('read'),
    Type.Literal('access'),
  ]),
  /** Its role is that of the document's general access; absent: its own `role`. */
  follows: Type.Optional(Type.Literal(true)),
  actor: Type.String(),
  /** Absent: not identified yet. */
  displayName: Type.Optional(Type.String()),
  createdAt: Type.Integer(),
  /** Of a token that was used when this was still noted here. */
  usedAt: Type.Optional(Type.Integer()),
  /** Ends at this time unless it was used before. */
  unusedUntil: Type.Optional(Type.Integer()),
  /**
   * SHA-256 of the token that it was made through: the shared one that a read minted it from, or
   * its maker's. Absent: through none.
   */
  parent: Type.Optional(Type.String()),
  /**
   * The actor of the account or agent that made it. Absent, as in records of before this was
   * written down, without a parent: it belongs to the document.
   */
  maker: Type.Optional(Type.String()),
  /** Ends at this time, and what came through it. */
  expiresAt: Type.Optional(Type.Integer()),
  /** It has ended, and is kept for the name by which its holder wrote. */
  revoked: Type.Optional(Type.Literal(true)),
})

const agentSecret = Type.Object({
  type: Type.Literal('agent'),
  agentId: Type.String(),
  createdAt: Type.Integer(),
  /** Another took its place: it ends then. */
  until: Type.Optional(Type.Integer()),
})

const ownerKeySecret = Type.Object({
  type: Type.Literal('owner-key'),
  keyId: Type.String(),
  accountId: Type.String(),
  createdAt: Type.Integer(),
})

const session = Type.Object({
  type: Type.Literal('session'),
  accountId: Type.String(),
  createdAt: Type.Integer(),
  /** When the record was made; later uses are noted beside it. */
  usedAt: Type.Integer(),
  /** That of its account when it was made; absent: 0. */
  generation: Type.Optional(Type.Integer()),
})

const account = Type.Object({
  accountId: Type.String(),
  actor: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  /** Made by nothing but a name; there is no way back into it without its session. */
  guest: Type.Boolean(),
  createdAt: Type.Integer(),
  /** Sessions of another one have ended; absent: 0. */
  generation: Type.Optional(Type.Integer()),
  /** Nobody gets in until an operator enables it again. */
  disabled: Type.Optional(Type.Literal(true)),
  /** It has ended. What it wrote keeps its name, and its handle is nobody's again. */
  deletedAt: Type.Optional(Type.Integer()),
  /** SHA-256 of the identities at a provider by which it is known. */
  identities: Type.Optional(Type.Array(Type.String())),
})

/** Bytes are in base64url. */
const password = Type.Object({
  algorithm: Type.Literal('scrypt'),
  N: Type.Integer(),
  r: Type.Integer(),
  p: Type.Integer(),
  salt: Type.String(),
  hash: Type.String(),
})

const identity = Type.Object({ accountId: Type.String() })

const reset = Type.Object({
  accountId: Type.String(),
  /** Of the account when it was made: another password ends it. */
  generation: Type.Integer(),
  endsAt: Type.Integer(),
})

const guestOffer = Type.Object({ guest: Type.String(), documents: Type.Integer() })

const accountWork = Type.Union([
  /** Its documents become those of another. */
  Type.Object({ what: Type.Literal('join'), into: Type.String() }),
  /** Its documents are archived and its grants end. */
  Type.Object({ what: Type.Literal('end') }),
])

const agent = Type.Object({
  agentId: Type.String(),
  actor: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  createdAt: Type.Integer(),
  /** The account that it belongs to; absent: to nobody. */
  ownerId: Type.Optional(Type.String()),
  /** It ends when it was idle for long. */
  ephemeral: Type.Optional(Type.Literal(true)),
  bot: Type.Optional(
    Type.Object({ slug: Type.String(), active: Type.Boolean(), containerId: Type.String() }),
  ),
  avatarUrl: Type.Optional(Type.String()),
  /** SHA-256 of its secrets, the newest first; absent in those of before. */
  secrets: Type.Optional(Type.Array(Type.String())),
})

/** What a handle stands for. */
const handle = Type.Union([
  Type.Object({ agentId: Type.String() }),
  Type.Object({ accountId: Type.String() }),
])

/** Where an actor's name is kept, so that there is one place to rename. */
const actorHome = Type.Union([
  Type.Object({ token: Type.String() }),
  Type.Object({ agentId: Type.String() }),
  Type.Object({ accountId: Type.String() }),
  /** Of who is gone: the last one. */
  Type.Object({ name: Type.String() }),
])

const grant = Type.Object({
  /** Its own; absent when it has only what its links are worth. */
  role: Type.Optional(Type.Union([Type.Literal('owner'), grantableRole])),
  /** SHA-256 of the tokens of the links it was written through. */
  links: Type.Optional(Type.Array(Type.String())),
  grantedAt: Type.Integer(),
  /** How its own role came about; absent in records of before that was written down. */
  source: Type.Optional(Type.Union([Type.Literal('invite'), Type.Literal('creator')])),
  /** Who made it by an invitation; absent in records of before that was written down. */
  invitedBy: Type.Optional(Type.String()),
  /** Until then it may take over the document, and reads it meanwhile. */
  offeredUntil: Type.Optional(Type.Integer()),
})

/** What is counted of a document's access; every act that gives or takes some writes it. */
const sharing = Type.Object({
  acts: Type.Integer(),
  invited: Type.Integer(),
  /** To whom its owner has offered the document. */
  offer: Type.Optional(
    Type.Object({ actor: Type.String(), by: Type.String(), at: Type.Integer() }),
  ),
})

/** When a secret was used: a token, a session of late; and how often, where it is a link's. */
const use = Type.Object({ usedAt: Type.Integer(), uses: Type.Optional(Type.Integer()) })

const owner = Type.Object({
  actor: Type.String(),
  /** When it was claimed; absent of who made it or was given it. Milliseconds since the epoch. */
  claimedAt: Type.Optional(Type.Number()),
})

const shortLink = Type.Object({
  linkId: Type.String(),
  slug: Type.String(),
  tokenId: Type.String(),
  createdAt: Type.Integer(),
  /** Absent of the link of general access, whose role is that. */
  role: Type.Optional(grantableRole),
  name: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.Integer()),
  /** For whom it was made. */
  audience: Type.Optional(Type.Literal('agent')),
  /** Who made it. */
  by: Type.Optional(Type.String()),
  /** SHA-256 of the token by which they came; written until tokens had it. */
  through: Type.Optional(Type.String()),
})

/** Whose a name of a link is. */
const linkName = Type.Object({
  slug: Type.String(),
  linkId: Type.String(),
  /** When its link ends, or has ended. */
  endsAt: Type.Optional(Type.Integer()),
})

const generalLink = Type.Object({ linkId: Type.String() })

const entry = Type.Object({
  event: Type.String(),
  at: Type.Integer(),
  /** Absent: it is about no document. */
  slug: Type.Optional(Type.String()),
  /** Whose act it was. */
  actor: Type.String(),
  thread: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  /** How many acts it stands for. */
  count: Type.Integer(),
  /** Acts of others before it that had no room. */
  earlier: Type.Optional(Type.Integer()),
  /** So many agents answered each other that none is called any more. */
  peopleOnly: Type.Optional(Type.Literal(true)),
  /** Who has an entry of its own for it. */
  named: Type.Optional(Type.Array(Type.String())),
})

/** An act that somebody should hear of, as its own commit stores it. */
const notice = Type.Object({
  at: Type.Integer(),
  /** Absent: it is about no document. */
  slug: Type.Optional(Type.String()),
  actor: Type.String(),
  thread: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  /** Everybody in the document hears of it as this event. */
  toAll: Type.Optional(Type.String()),
  to: Type.Array(Type.Object({ actor: Type.String(), events: Type.Array(Type.String()) })),
  peopleOnly: Type.Optional(Type.Literal(true)),
})

/** The number of the last entry. */
const lastEntry = Type.Object({ id: Type.Integer() })
const inboxState = Type.Object({ acked: Type.Integer() })
const mute = Type.Object({ all: Type.Boolean(), threads: Type.Array(Type.String()) })

export type EntryRecord = Static<typeof entry>
export type NoticeRecord = Static<typeof notice>
export type MuteRecord = Static<typeof mute>
export type DocumentToken = Static<typeof documentToken>
export type Agent = Static<typeof agent>
export type Account = Static<typeof account>
export type AgentSecret = Static<typeof agentSecret>
export type OwnerKeySecret = Static<typeof ownerKeySecret>
export type PasswordRecord = Static<typeof password>
export type GuestOffer = Static<typeof guestOffer>
export type AccountWork = Static<typeof accountWork>
export type SessionRecord = Static<typeof session>
export type GrantRecord = Static<typeof grant>
export type Sharing = Static<typeof sharing>
export type ShortLinkRecord = Static<typeof shortLink>
export type LinkName = Static<typeof linkName>
export type AssetTotals = Static<typeof assetTotals>
export type ImageRecord = Static<typeof image>
export type FeedbackRecord = Static<typeof feedback>
export type FeedbackImageRecord = Static<typeof feedbackImage>
export type ArtifactRecord = Static<typeof artifact>

export const records = {
  secret: recordShape('secret', Type.Union([documentToken, agentSecret, ownerKeySecret, session])),
  account: recordShape('account', account),
  agent: recordShape('agent', agent),
  handle: recordShape('handle', handle),
  actorHome: recordShape('actor', actorHome),
  grant: recordShape('grant', grant),
  owner: recordShape('owner', owner),
  use: recordShape('use', use),
  shortLink: recordShape('short link', shortLink),
  generalLink: recordShape('general link', generalLink),
  linkName: recordShape('link name', linkName),
  sharing: recordShape('sharing', sharing),
  entry: recordShape('entry', entry),
  notice: recordShape('notice', notice),
  lastEntry: recordShape('last entry', lastEntry),
  inboxState: recordShape('inbox state', inboxState),
  mute: recordShape('mute', mute),
  password: recordShape('password', password),
  identity: recordShape('identity', identity),
  reset: recordShape('reset', reset),
  guestOffer: recordShape('guest offer', guestOffer),
  accountWork: recordShape('account work', accountWork),
  assetTotals: recordShape('asset totals', assetTotals),
  image: recordShape('image', image),
  artifact: recordShape('artifact', artifact),
  feedback: recordShape('feedback', feedback),
  feedbackImage: recordShape('feedback image', feedbackImage),
} as const

/** A record with the version a conditional commit has to name. */
export interface Versioned<T> {
  readonly record: T
  readonly version: Version
}

const decoded = <T>(shape: RecordShape<T>, stored: StoredValue | undefined) =>
  stored && { record: shape.decode(stored.value), version: stored.version }

/** Absence is `undefined`. */
export async function readRecord<T>(
  store: Store,
  key: string,
  shape: RecordShape<T>,
): Promise<Versioned<T> | undefined> {
  return decoded(shape, await store.get(key))
}

/** In the order of `keys`. */
export async function readRecords<T>(
  store: Store,
  keys: readonly string[],
  shape: RecordShape<T>,
): Promise<(Versioned<T> | undefined)[]> {
  return (await store.getMany(keys)).map((stored) => decoded(shape, stored))
}
