/**
 * Routes that are for one kind of credential, whatever document (interface §5): who comes without
 * one is AUTH_REQUIRED, who comes with another is FORBIDDEN.
 */
import type {
  AgentCredential,
  BrowserSession,
  Credential,
  OwnerKeyCredential,
} from '../../core/access/credentials.ts'
import type { Placer } from '../../core/library/targets.ts'
import { placerOf } from '../../core/links/creation.ts'
import { Refusal } from '../../schema/errors.ts'

/** A person's session, that of a full account, an agent's secret, an owner key, any of these. */
const bearings = ['session', 'account', 'agent', 'owner-key', 'library'] as const
export type Bearing = (typeof bearings)[number]

export const isBearing = (caller: string): caller is Bearing =>
  bearings.some((bearing) => bearing === caller)

/** Refuses AUTH_REQUIRED, FORBIDDEN. */
export function requireBearing(credential: Credential | undefined, bearing: Bearing): void {
  switch (bearing) {
    case 'session':
      sessionOf(credential)
      return
    case 'account':
      if (sessionOf(credential).account.guest) throw new Refusal('FORBIDDEN')
      return
    case 'agent':
      agentOf(credential)
      return
    case 'owner-key':
      ownerKeyOf(credential)
      return
    case 'library':
      placerIn(credential)
  }
}

export function sessionOf(credential: Credential | undefined): BrowserSession {
  const session = credential?.kind === 'browser' ? credential.session : undefined
  return session ?? refused(credential?.kind === 'browser' ? undefined : credential)
}

export const agentOf = (credential: Credential | undefined): AgentCredential =>
  credential?.kind === 'agent' ? credential : refused(credential)

export const ownerKeyOf = (credential: Credential | undefined): OwnerKeyCredential =>
  credential?.kind === 'owner-key' ? credential : refused(credential)

/** Who may have a part in a library. */
export const placerIn = (credential: Credential | undefined): Placer =>
  placerOf(credential) ?? refused(credential)

function refused(credential: Credential | undefined): never {
  throw new Refusal(credential === undefined ? 'AUTH_REQUIRED' : 'FORBIDDEN')
}
