/** Who this browser is (extensions §3, §9): an account by its session cookie, or nobody yet. */

import { under } from './base.ts'
import { ApiError, call } from './http.ts'

/** What the guest had that this browser was before it signed in. */
export interface GuestDocuments {
  readonly name: string
  readonly documents: number
}

export interface Account {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
  readonly guest: boolean
  /** Nobody has decided yet whether they join the account. */
  readonly guest_documents?: GuestDocuments
}

export const accountFields = ['actor_id', 'handle', 'name'] as const

/** The account of this browser's session; `undefined` without one. */
export async function currentAccount(): Promise<Account | undefined> {
  try {
    return await call<Account>('/auth/me', accountFields)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}

/** Makes a guest account for this browser, so that it may write under `name`. */
export const becomeGuest = (name: string): Promise<Account> =>
  call('/auth/guest', accountFields, { method: 'POST', body: { name } })

/** The same for who came by a link of this document, counted by the link; otherwise as anybody. */
export async function becomeGuestOf(slug: string, name: string): Promise<Account> {
  try {
    return await call<Account>(`/docs/${slug}/guest`, accountFields, {
      method: 'POST',
      body: { name },
    })
  } catch (error) {
    const isWithoutLink =
      error instanceof ApiError && (error.status === 401 || error.status === 403)
    if (!isWithoutLink) throw error
    return becomeGuest(name)
  }
}

export const logOut = (): Promise<{ ok: true }> => call('/auth/logout', ['ok'], { method: 'POST' })

/** How one gets into an account here. */
export interface SignInWays {
  readonly signup: 'open' | 'oidc' | 'closed'
  readonly guests: boolean
  /** There is a provider of identities at `/auth/oidc`. */
  readonly provider: boolean
  /** By what the account of this session can be entered. */
  readonly account?: { readonly password: boolean; readonly linked: boolean }
}

/** Who this browser is, without asking for an account where there is no session to have one. */
export async function waysAndAccount(): Promise<{
  readonly ways: SignInWays
  readonly account: Account | undefined
}> {
  const ways = await signInWays()
  return { ways, account: ways.account === undefined ? undefined : await currentAccount() }
}

export const signInWays = (): Promise<SignInWays> =>
  call('/auth/options', ['signup', 'guests', 'provider'])

/** Leaves for the provider of identities and comes back to `back`. */
export const providerAddress = (back: string): string =>
  under(`/auth/oidc?back=${encodeURIComponent(back)}`)

/** Leaves for it so that this account can be entered by it too, and comes back to the account. */
export const linkAddress = under('/auth/oidc?link=1&back=/account')

export interface NewAccount {
  readonly handle: string
  readonly name: string
  readonly password: string
}

/** From a guest's session the guest's account is kept, with all that it wrote. */
export const signUp = (account: NewAccount): Promise<Account> =>
  call('/auth/signup', accountFields, { method: 'POST', body: account })

export const signIn = (handle: string, password: string): Promise<Account> =>
  call('/auth/login', accountFields, { method: 'POST', body: { handle, password } })

/** By the secret of an address that the operator handed out. */
export const resetPassword = (secret: string, password: string): Promise<Account> =>
  call('/auth/reset', accountFields, { method: 'POST', body: { secret, password } })

/** Whether the documents of the guest that one was become one's own. */
export const answerGuestDocuments = (join: boolean): Promise<unknown> =>
  call('/auth/guest-documents', [], { method: 'POST', body: { join } })
