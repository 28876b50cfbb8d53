/** What the routes of accounts have in common: whose browser it is, and how an account is shown. */
import type { Static } from '@sinclair/typebox'
import type { Credential } from '../../core/access/credentials.ts'
import type { Present, SignedIn } from '../../core/accounts/sign-in.ts'
import type { Account } from '../../core/records/records.ts'
import { Refusal } from '../../schema/errors.ts'
import type { accountSuccess } from '../../schema/wire/account.ts'
import type { Admitted } from '../admission/admitted.ts'
import { cookieHeader, sessionCookie } from '../admission/credentials.ts'
import { type Answer, type AnswerHeaders, json } from '../answers/answer.ts'
import type { QuotaState } from '../quotas/quotas.ts'
import type { Services } from '../services.ts'

type ShownAccount = Static<typeof accountSuccess>

/** The session of this browser, if it has one. */
export function presentOf(credential: Credential | undefined): Present | undefined {
  return credential?.kind === 'browser' ? credential.session : undefined
}

/** Refuses AUTH_REQUIRED without a session, FORBIDDEN a credential that can have none. */
export function requirePresent({ credential }: Pick<Admitted, 'credential'>): Present {
  const present = presentOf(credential)
  if (present !== undefined) return present
  const isBrowser = credential === undefined || credential.kind === 'browser'
  throw new Refusal(isBrowser ? 'AUTH_REQUIRED' : 'FORBIDDEN')
}

/** The account, and what a guest left to it that nobody has decided on yet. */
export async function shownAccount(account: Account, { people }: Services): Promise<ShownAccount> {
  const { accountId, actor, handle, name, guest } = account
  const shown = { actor_id: actor, handle, name, guest }
  const left = guest ? undefined : await people.accounts.guestDocuments(accountId)
  if (left === undefined) return shown
  const { actor: whose, ...documents } = left
  return { ...shown, guest_documents: { actor_id: whose, ...documents } }
}

/** Its new session goes with it. */
export async function signedInAnswer(
  { account, session }: SignedIn,
  { addresses }: Pick<Admitted, 'addresses'>,
  services: Services,
): Promise<Answer<ShownAccount>> {
  const headers = { 'Set-Cookie': cookieHeader(sessionCookie, session, addresses) }
  return json(await shownAccount(account, services), headers)
}

export const withoutSession = ({ addresses }: Pick<Admitted, 'addresses'>): AnswerHeaders => ({
  'Set-Cookie': cookieHeader(sessionCookie, '', { ...addresses, maxAgeSeconds: 0 }),
})

/** Refuses RATE_LIMITED; the headers tell of it either way. */
export function requireQuota(
  { onQuota }: Pick<Admitted, 'onQuota'>,
  state: QuotaState | undefined,
): void {
  if (state === undefined) return
  onQuota(state)
  if (state.exceeded) throw new Refusal('RATE_LIMITED', { retry_after: state.resetSeconds })
}

/**
 * Counts a try of the password of somebody, known or not, whatever address it comes from. Refuses
 * RATE_LIMITED; the headers go on telling of the address unless it does.
 */
export function countPasswordTry(input: Admitted, { quotas }: Services, whose: string): void {
  const state = quotas.takeOf('login', whose)
  if (state?.exceeded === true) requireQuota(input, state)
}

/** What an operator wants to know of: passwords and addresses that were wrong. */
export async function counted<T>({ count }: Services, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Refusal && error.code === 'LOGIN_FAILED') count?.('failed_sign_in')
    throw error
  }
}
