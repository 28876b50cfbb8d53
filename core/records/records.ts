/**
 * How the records of people lie in the store: JSON bytes, checked against their shape when read, so
 * that a record of another kind or an older layout is a loud failure and never a wrong answer.
 * It knows shapes, not who may see them.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Store, StoredValue, Version } from '../../persistence/store.ts'

/** A kind of record: how to write it and how to read it back. */
export interface RecordShape<T> {
  encode(record: T): Uint8Array
  /** Throws TypeError when the bytes are not a record of this shape. */
  decode(bytes: Uint8Array): T
}

export function recordShape<S extends TSchema>(name: string, schema: S): RecordShape<Static<S>> {
  const checker = TypeCompiler.Compile(schema)
  return {
    encode(record) {
      if (!checker.Check(record)) throw new TypeError(`not a ${name} record`)
      return new TextEncoder().encode(JSON.stringify(record))
    },
    decode(bytes) {
      const record: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      if (!checker.Check(record)) throw new TypeError(`a stored ${name} record has another shape`)
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
   * How it came about: its document's create, that create's share address, a link, or a shared
   * token's read.
   */
  origin: Type.Union([
    Type.Literal('create'),
    Type.Literal('handoff'),
    Type.Literal('link'),
    Type.Literal('read'),
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
  /** SHA-256 of the shared token it was minted through, with which it ends. */
  parent: Type.Optional(Type.String()),
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
})

const account = Type.Object({
  accountId: Type.String(),
  actor: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  /** Made by nothing but a name; there is no way back into it without its session. */
  guest: Type.Boolean(),
  createdAt: Type.Integer(),
})

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
})

/** When a secret or an agent was used: a token for the first time, others of late. */
const use = Type.Object({ usedAt: Type.Integer() })

const owner = Type.Object({ actor: Type.String() })

const shortLink = Type.Object({
  linkId: Type.String(),
  slug: Type.String(),
  tokenId: Type.String(),
  createdAt: Type.Integer(),
})

const generalLink = Type.Object({ linkId: Type.String() })

export type DocumentToken = Static<typeof documentToken>
export type Agent = Static<typeof agent>
export type Account = Static<typeof account>
export type AgentSecret = Static<typeof agentSecret>
export type OwnerKeySecret = Static<typeof ownerKeySecret>
export type SessionRecord = Static<typeof session>
export type GrantRecord = Static<typeof grant>

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
