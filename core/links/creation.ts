/**
 * What a create means for people (interface §2.3, §4.2): who the creator is, what
 * it gets in the hand, and which records must exist exactly when the document does. A replay is
 * answered from ids alone: the secrets are derived again.
 */
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Commit } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Credential } from '../access/credentials.ts'
import { grantPuts, ownerPuts } from '../access/grants.ts'
import { authMethodOf } from '../access/roles.ts'
import type { Founding, LinkAccess, Writer } from '../documents/contract.ts'
import { placingNew } from '../library/placement.ts'
import type { Placer, Resolution, ResolvedTarget } from '../library/targets.ts'
import type { SecretKey } from '../records/secrets.ts'
import { issueToken, secretAgain } from './tokens.ts'

const creationNote = Type.Object({
  actor: Type.String(),
  identified: Type.Boolean(),
  /** Absent when the creator has a credential of its own. */
  accessTokenId: Type.Optional(Type.String()),
  shareTokenId: Type.String(),
  /** Where it was put, in wire spelling. */
  placed: Type.Optional(Type.Unsafe<Resolution>(Type.Object({}))),
})

/** What has to be remembered to answer a replay. Holds no secret. */
export type CreationNote = Static<typeof creationNote>

export interface Creation {
  readonly writer: Writer
  /** With the place that it gets in a library; `undefined`: none. */
  founding(placed: ResolvedTarget | undefined): Founding
}

/** What the creator is told. */
export interface CreatorAccess {
  readonly actor: ActorId
  readonly identified: boolean
  readonly accessToken: string | undefined
  readonly shareToken: string
  /** Where the document was put; `undefined`: nowhere. */
  readonly placed: Resolution | undefined
}

/** Who places a document in a library, of those who can. */
export function placerOf(credential: Credential | undefined): Placer | undefined {
  switch (credential?.kind) {
    case 'owner-key':
      return { kind: 'owner-key', accountId: credential.account.accountId }
    case 'agent':
      return { kind: 'agent', agentId: credential.agentId }
    case 'browser': {
      const account = credential.session?.account
      return account && { kind: 'person', accountId: account.accountId }
    }
    default:
      return undefined
  }
}

interface CreationContext {
  readonly runtime: Runtime
  readonly secretKey: SecretKey
}

interface CreationRequest {
  readonly slug: Slug
  readonly credential: Credential | undefined
  readonly displayName: string | undefined
}

/**
 * A create by an agent is that agent's, which gets an editor's grant; one by a person's session or
 * owner key is that person's. Any other is anonymous, whatever document token came with it, and
 * gets a personal editor's token of its own. What has a place in a library is its owner's at once
 * (interface §4.2) and restricted, but for what a guest creates.
 */
export function prepareCreation(context: CreationContext, request: CreationRequest): Creation {
  const { slug, credential } = request
  const now = context.runtime.now()
  const share = issueToken(context, { slug, role: 'editor', origin: 'handoff' })
  const { writer, puts, note } = creatorOf(context, request)
  return {
    writer,
    founding: (placed) => ({
      linkAccess: linkAccessOf(credential, placed),
      puts: [...share.puts, ...puts, ...(placed ? placingPuts(slug, placed, now) : [])],
      checks: placed?.checks ?? [],
      replay: { ...note, shareTokenId: share.id, ...(placed && { placed: placed.resolution }) },
    }),
  }
}

interface Creator {
  readonly writer: Writer
  readonly puts: NonNullable<Commit['puts']>
  readonly note: Omit<CreationNote, 'shareTokenId'>
}

function creatorOf(
  context: CreationContext,
  { slug, credential, displayName }: CreationRequest,
): Creator {
  if (credential?.actor !== undefined && credential.kind !== 'token') {
    const { actor } = credential
    const grant = { role: 'editor', grantedAt: context.runtime.now(), source: 'creator' } as const
    return {
      writer: { actor, authMethod: authMethodOf(credential) },
      // People own what they create, which goes with its place.
      puts: credential.kind === 'agent' ? grantPuts(slug, actor, grant) : [],
      note: { actor, identified: true },
    }
  }
  const access = issueToken(context, { slug, role: 'editor', origin: 'create', displayName })
  const { actor, id: accessTokenId } = access
  return {
    writer: { actor, authMethod: 'anonymous' },
    puts: access.puts,
    note: { actor, identified: displayName !== undefined, accessTokenId },
  }
}

const placingPuts = (slug: Slug, { place, owner }: ResolvedTarget, now: number) => [
  ...placingNew(slug, place, now),
  ...ownerPuts(slug, owner, now),
]

function linkAccessOf(
  credential: Credential | undefined,
  placed: ResolvedTarget | undefined,
): LinkAccess {
  const isGuest = credential?.kind === 'browser' && credential.session?.account.guest === true
  return placed === undefined || isGuest
    ? { mode: 'anyone', role: 'editor' }
    : { mode: 'restricted', role: 'viewer' }
}

/**
 * What the creator was told, from the note alone. Throws TypeError when the note is not one of
 * ours.
 */
export function creatorAccess(secretKey: SecretKey, note: unknown): CreatorAccess {
  if (!Value.Check(creationNote, note)) throw new TypeError('not the note of a create')
  const { actor, identified, accessTokenId, shareTokenId, placed } = note
  return {
    actor: actor as ActorId,
    identified,
    accessToken:
      accessTokenId === undefined ? undefined : secretAgain(secretKey, 'create', accessTokenId),
    shareToken: secretAgain(secretKey, 'handoff', shareTokenId),
    placed,
  }
}
