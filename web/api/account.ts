/** Who this browser is (extensions §3): an account by its session cookie, or nobody yet. */
import { ApiError, call } from './http.ts'

export interface Account {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
  readonly guest: boolean
}

/** The account of this browser's session; `undefined` without one. */
export async function currentAccount(): Promise<Account | undefined> {
  try {
    return await call<Account>('/auth/me')
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}

/** Makes a guest account for this browser, so that it may write under `name`. */
export const becomeGuest = (name: string): Promise<Account> =>
  call('/auth/guest', { method: 'POST', body: { name } })

export const logOut = (): Promise<{ ok: true }> => call('/auth/logout', { method: 'POST' })
