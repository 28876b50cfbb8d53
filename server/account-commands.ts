/** What an operator does about accounts by the control socket (extensions §3). */
import type { Accounts } from '../core/accounts/accounts.ts'
import { type Command, type Refused, required } from './control-socket.ts'

export interface ListedAccount {
  readonly handle: string
  readonly name: string
  readonly created_at: string
  readonly disabled: boolean
}

export type AccountsAnswer =
  | { readonly ok: true; readonly accounts: readonly ListedAccount[]; readonly next?: string }
  | Refused

export type ResetAnswer = { readonly ok: true; readonly address: string } | Refused

export function accountCommands(
  accounts: Pick<Accounts, 'list' | 'setDisabled' | 'offerReset'>,
  baseUrl: () => string,
): Readonly<Record<'accounts' | 'disable' | 'enable' | 'reset-password', Command>> {
  const disabling =
    (disabled: boolean): Command =>
    async (request) => {
      const handle = required(request, 'handle')
      const account = await accounts.setDisabled(handle, disabled)
      if (account === undefined) throw nobodyCalled(handle)
      return { handle: account.handle }
    }
  return {
    async accounts({ after }) {
      const page = await accounts.list(typeof after === 'string' ? after : undefined)
      const listed: ListedAccount[] = page.accounts.map((account) => ({
        handle: account.handle,
        name: account.name,
        created_at: new Date(account.createdAt).toISOString(),
        disabled: account.disabled === true,
      }))
      return { accounts: listed, ...(page.next !== undefined && { next: page.next }) }
    },
    disable: disabling(true),
    enable: disabling(false),
    async 'reset-password'(request) {
      const handle = required(request, 'handle')
      const secret = await accounts.offerReset(handle)
      if (secret === undefined) throw nobodyCalled(handle)
      return { address: `${baseUrl()}/reset#${secret}` }
    },
  }
}

const nobodyCalled = (handle: string): Error =>
  new Error(`no account with the handle ${JSON.stringify(handle)}`)
