/** Who this browser is (extensions §3, §9): an account by its session cookie, or nobody yet. */

import type { Body, Success } from '../../schema/wire/api.ts'
import { under } from './base.ts'
import { ApiError, call } from './http.ts'

export type Account = Success<'GET /auth/me'>

/** Of the guest that this browser was; nobody has decided yet whether they join the account. */
export type GuestDocuments = NonNullable<Account['guest_documents']>

export const accountFields = ['actor_id', 'handle', 'name'] as const

/** The account of this browser's session; `undefined` without one. */
export const currentAccount = (): Promise<Account | undefined> =>
  call('GET /auth/me', accountFields).catch((error) => {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  })

/** Makes a guest account for this browser, so that it may write under `name`. */
export const becomeGuest = (name: string): Promise<Account> =>
  call('POST /auth/guest', accountFields, { body: { name } })

/** The same for who came by a link of this document, counted by the link; otherwise as anybody. */
export const becomeGuestOf = (slug: string, name: string): Promise<Account> =>
  call('POST /docs/:slug/guest', accountFields, { slug, body: { name } }).catch((error) => {
    const isWithoutLink = error instanceof ApiError && [401, 403].includes(error.status)
    if (isWithoutLink) return becomeGuest(name)
    throw error
  })

export const logOut = () => call('POST /auth/logout', ['ok'])

/** How one gets into an account here. */
export type SignInWays = Success<'GET /auth/options'>

/** Who this browser is, without asking for an account where there is no session to have one. */
export async function waysAndAccount(): Promise<{
  readonly ways: SignInWays
  readonly account: Account | undefined
}> {
  const ways = await signInWays()
  return { ways, account: ways.account && (await currentAccount()) }
}

export const signInWays = () => call('GET /auth/options', ['signup', 'guests', 'provider'])

/** Leaves for the provider of identities and comes back to `back`. */
export const providerAddress = (back: string): string =>
  under(`/auth/oidc?back=${encodeURIComponent(back)}`)

/** Leaves for it so that this account can be entered by it too, and comes back to the account. */
export const linkAddress = under('/auth/oidc?link=1&back=/account')

/** From a guest's session the guest's account is kept, with all that it wrote. */
export const signUp = (account: Body<'POST /auth/signup'>): Promise<Account> =>
  call('POST /auth/signup', accountFields, { body: account })

export const signIn = (handle: string, password: string): Promise<Account> =>
  call('POST /auth/login', accountFields, { body: { handle, password } })

/** By the secret of an address that the operator handed out. */
export const resetPassword = (secret: string, password: string): Promise<Account> =>
  call('POST /auth/reset', accountFields, { body: { secret, password } })

/** Whether the documents of the guest that one was become one's own. */
export const answerGuestDocuments = (join: boolean) =>
  call('POST /auth/guest-documents', [], { body: { join } })
