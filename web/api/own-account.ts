/** What people change of their own account (extensions §9): name, password, sessions, its end. */
import { type Account, accountFields } from './account.ts'
import { call } from './http.ts'

export const rename = (name: string): Promise<Account> =>
  call('/auth/me', accountFields, { method: 'PATCH', body: { name } })

/** Ends all other sessions. `current` is left out where there is no password yet. */
export const changePassword = (password: string, current: string | undefined): Promise<Account> =>
  call('/auth/me', accountFields, {
    method: 'PATCH',
    body: { password, ...(current !== undefined && { current_password: current }) },
  })

/** `password` is left out where there is none. */
export const endAccount = (password: string | undefined): Promise<unknown> =>
  call('/auth/me', [], { method: 'DELETE', body: { ...(password !== undefined && { password }) } })

export interface Session {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  /** The session that asks. */
  readonly current: boolean
}

export const listSessions = async (): Promise<readonly Session[]> =>
  (await call<{ readonly sessions: readonly Session[] }>('/auth/sessions', ['sessions'])).sessions

export const endSession = (id: string): Promise<unknown> =>
  call(`/auth/sessions/${id}`, [], { method: 'DELETE' })

export interface OwnerKey {
  readonly key_id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export const listOwnerKeys = async (): Promise<readonly OwnerKey[]> =>
  (await call<{ readonly keys: readonly OwnerKey[] }>('/auth/owner-keys', ['keys'])).keys

/** `key` is the secret, which is told this once. */
export const makeOwnerKey = (
  name: string,
): Promise<{ readonly key_id: string; readonly key: string }> =>
  call('/auth/owner-keys', ['key_id', 'key'], { method: 'POST', body: { name } })

export const revokeOwnerKey = (id: string): Promise<unknown> =>
  call(`/auth/owner-keys/${id}`, [], { method: 'DELETE' })

export interface OwnAgent {
  readonly agent_id: string
  readonly handle: string
  readonly name: string
  readonly kind: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface AgentPage {
  readonly agents: readonly OwnAgent[]
  readonly next_cursor?: string | null
}

export const listAgents = (cursor?: string): Promise<AgentPage> =>
  call(`/auth/agents${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`, [
    'agents',
  ])

/** Under this browser's account. `agent_secret` is told this once. */
export const registerAgent = (agent: {
  readonly name: string
  readonly handle?: string
}): Promise<{ readonly handle: string; readonly agent_secret: string }> =>
  call('/agents/register', ['handle', 'agent_secret'], { method: 'POST', body: agent })

export const deleteAgent = (id: string): Promise<unknown> =>
  call(`/auth/agents/${id}`, [], { method: 'DELETE' })
