/**
 * What a request counts in (interface §8, extensions §2): by its address before anything is looked
 * up, or by the account or agent behind its credential once that is known.
 */
import type { IncomingMessage } from 'node:http'
import type { Credential } from '../../core/access/credentials.ts'
import { Refusal } from '../../schema/errors.ts'
import { cookieOf, linkOf, sessionCookie } from '../admission/credentials.ts'
import type { FullDeclaration } from '../route.ts'
import type { Services } from '../services.ts'
import type { ByteShare } from './byte-shares.ts'
import type { QuotaState } from './quotas.ts'

export function takeQuota(
  declaration: FullDeclaration,
  address: string,
  arrival: Arrival,
  { quotas }: Services,
): void {
  const { quota, upload } = declaration
  if (quota !== undefined && !countsByCaller(declaration, arrival)) {
    withinQuota(quotas.take(quota, address), arrival)
  }
  // What it counts is known when it has come.
  if (upload !== undefined) withinQuota(quotas.look('uploadMb', address), arrival)
}

/** Trying passwords counts by address, whoever is signed in. */
const countsByCaller = (
  { quota, access }: FullDeclaration,
  { request }: Pick<Arrival, 'request'>,
): boolean =>
  quota !== 'login' &&
  access !== 'none' &&
  (request.headers.authorization !== undefined || cookieOf(request, sessionCookie) !== undefined)

/** Once it is known who calls: by account or agent, or else by address. */
export function takeCallersQuota(
  declaration: FullDeclaration,
  credential: Credential | undefined,
  arrival: Traced,
  { quotas }: Services,
): void {
  const { quota } = declaration
  if (quota === undefined || !countsByCaller(declaration, arrival)) return
  const { address } = arrival
  const holder = quotaHolderOf(credential)
  const state =
    holder === undefined
      ? quotas.take(quota, address)
      : quotas.takeOfHolder(quota, { holder, address })
  withinQuota(state, arrival)
}

/** An ephemeral agent counts for the account that makes any number of them. */
function quotaHolderOf(credential: Credential | undefined): string | undefined {
  switch (credential?.kind) {
    case 'agent': {
      const { agentId, ephemeral, ownerId } = credential.agent
      return ephemeral && ownerId !== undefined ? `account:${ownerId}` : `agent:${agentId}`
    }
    case 'owner-key':
      return `account:${credential.account.accountId}`
    case 'browser': {
      const { session } = credential
      return session && `account:${session.account.accountId}`
    }
    default:
      return undefined
  }
}

function withinQuota(state: QuotaState | undefined, arrival: Arrival): void {
  if (state === undefined) return
  arrival.onQuota(state)
  if (state.exceeded) throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
}

/** After the role, before the body; the whole of a crowd behind one link is one. */
export function takeAccountQuota(
  { accountQuota: name }: FullDeclaration,
  credential: Credential | undefined,
  arrival: Traced,
  services: Services,
): void {
  if (name === undefined || credential === undefined) return
  if (name === 'guest') {
    withinQuota(services.quotas.takeOfAll('account', arrival.address), arrival)
  }
  const isNamed = credential.kind === 'agent' || credential.actor?.startsWith('human:') === true
  const isOneself = isNamed || name === 'feedback'
  const account = isOneself ? credential.holder : linkOf(credential)
  withinQuota(services.quotas.takeOfAccount(name, account), arrival)
}

/** What the route itself counts by who holds the credential. */
export async function lookAtHolder(
  { quotaOfHolder }: FullDeclaration,
  credential: Credential | undefined,
  arrival: Arrival,
  services: Services,
): Promise<void> {
  if (quotaOfHolder === undefined || credential === undefined) return
  withinQuota(await quotaOfHolder(credential.holder, services), arrival)
}

/** A request whose route is known. */
export interface Arrival {
  readonly request: IncomingMessage
  readonly requestId: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
  /** What the answer may hold of the memory. */
  readonly room: ByteShare
  /** Told before anything else is decided, so that refusals carry the headers too. */
  onQuota(state: QuotaState): void
  /** Told of a deprecated field before anything is decided about the body. */
  onDeprecated(field: string): void
}

/** The same, of a caller who is known by address. */
export interface Traced extends Arrival {
  readonly address: string
  /** What the body may take of the memory. */
  readonly share: ByteShare
}
