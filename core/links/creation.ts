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
import type { LinkAccess, Writer } from '../documents/contract.ts'
import type { SecretKey } from '../records/secrets.ts'
import { issueToken, secretAgain } from './tokens.ts'

const creationNote = Type.Object({
  actor: Type.String(),
  identified: Type.Boolean(),
  /** Absent when the creator has a credential of its own. */
  accessTokenId: Type.Optional(Type.String()),
  shareTokenId: Type.String(),
})

/** What has to be remembered to answer a replay. Holds no secret. */
export type CreationNote = Static<typeof creationNote>

export interface Creation {
  readonly writer: Writer
  readonly linkAccess: LinkAccess
  readonly puts: NonNullable<Commit['puts']>
  readonly note: CreationNote
}

/** What the creator is told. */
export interface CreatorAccess {
  readonly actor: ActorId
  readonly identified: boolean
  readonly accessToken: string | undefined
  readonly shareToken: string
}

interface Context {
  readonly runtime: Runtime
  readonly secretKey: SecretKey
}

/**
 * A create by an agent is that agent's, which gets an editor's grant; one by a person's session is
 * that person's, who owns it. Any other is anonymous, whatever document token came with it, and gets a personal editor's token of its own.
 */
export function prepareCreation(
  context: Context,
  request: {
    readonly slug: Slug
    readonly credential: Credential | undefined
    readonly displayName: string | undefined
  },
): Creation {
  const { slug, credential, displayName } = request
  const linkAccess: LinkAccess = { mode: 'anyone', role: 'editor' }
  const share = issueToken(context, { slug, role: 'editor', origin: 'handoff' })
  if (credential?.kind === 'agent') {
    const { actor } = credential
    const grantedAt = context.runtime.now()
    const grant = { role: 'editor', grantedAt, source: 'creator' } as const
    return {
      writer: { actor, authMethod: 'agent' },
      linkAccess,
      puts: [...share.puts, ...grantPuts(slug, actor, grant)],
      note: { actor, identified: true, shareTokenId: share.id },
    }
  }
  if (credential?.kind === 'browser' && credential.actor !== undefined) {
    const { actor } = credential
    return {
      writer: { actor, authMethod: 'session' },
      linkAccess,
      puts: [...share.puts, ...ownerPuts(slug, actor, context.runtime.now())],
      note: { actor, identified: true, shareTokenId: share.id },
    }
  }
  const access = issueToken(context, { slug, role: 'editor', origin: 'create', displayName })
  return {
    writer: { actor: access.actor, authMethod: 'anonymous' },
    linkAccess,
    puts: [...access.puts, ...share.puts],
    note: {
      actor: access.actor,
      identified: displayName !== undefined,
      accessTokenId: access.id,
      shareTokenId: share.id,
    },
  }
}

/**
 * What the creator was told, from the note alone. Throws TypeError when the note is not one of
 * ours.
 */
export function creatorAccess(secretKey: SecretKey, note: unknown): CreatorAccess {
  if (!Value.Check(creationNote, note)) throw new TypeError('not the note of a create')
  const { actor, identified, accessTokenId, shareTokenId } = note
  return {
    actor: actor as ActorId,
    identified,
    accessToken:
      accessTokenId === undefined ? undefined : secretAgain(secretKey, 'create', accessTokenId),
    shareToken: secretAgain(secretKey, 'handoff', shareTokenId),
  }
}
