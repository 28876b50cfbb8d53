/** What people change of their own account (extensions §3): name, password, sessions, its end. */
import type { Success } from '../../schema/wire/api.ts'
import { type Account, accountFields } from './account.ts'
import { call } from './http.ts'

export const rename = (name: string): Promise<Account> =>
  call('PATCH /auth/me', accountFields, { body: { name } })

/** Ends all other sessions. `current` is left out where there is no password yet. */
export const changePassword = (password: string, current: string | undefined): Promise<Account> =>
  call('PATCH /auth/me', accountFields, { body: { password, current_password: current } })

/** `password` is left out where there is none. */
export const endAccount = (password: string | undefined) =>
  call('DELETE /auth/me', [], { body: { password } })

export type Session = Success<'GET /auth/sessions'>['sessions'][number]

export const listSessions = async () => (await call('GET /auth/sessions', ['sessions'])).sessions

export const endSession = (id: string) => call('DELETE /auth/sessions/:id', [], { id })

export const listOwnerKeys = async () => (await call('GET /auth/owner-keys', ['keys'])).keys

/** `key` is the secret, which is told this once. */
export const makeOwnerKey = (name: string) =>
  call('POST /auth/owner-keys', ['key_id', 'key'], { body: { name } })

export const revokeOwnerKey = (id: string) =>
  call('DELETE /auth/owner-keys/:key_id', [], { key_id: id })

export type OwnAgent = Success<'GET /auth/agents'>['agents'][number]

export const listAgents = (cursor?: string) =>
  call('GET /auth/agents', ['agents'], { query: { cursor } })

/** Under this browser's account. `agent_secret` is told this once. */
export const registerAgent = (agent: { readonly name: string; readonly handle?: string }) =>
  call('POST /agents/register', ['handle', 'agent_secret'], { body: agent })

export const deleteAgent = (id: string) =>
  call('DELETE /auth/agents/:agent_id', [], { agent_id: id })
