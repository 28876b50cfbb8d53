/** Agents, as the layers above see them (interface §4.12). */
import { Refusal } from '../../schema/errors.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Agent } from '../records/records.ts'
import { type DeletionContext, deleteAgent, deleteAgentsOf, sweepEndedAgents } from './deletion.ts'
import { type OwnedAgents, ownedAgents } from './owned.ts'
import { type AgentProfile, agentProfile, changeProfile, type ProfileChanges } from './profile.ts'
import {
  type AgentRequest,
  agentById,
  type RegisteredAgent,
  registerAgent,
} from './registration.ts'
import { type RotatedSecret, type Rotation, rotateSecret } from './secrets.ts'
import { type WebhookContext, type WebhookTarget, webhookTarget } from './webhooks.ts'

export interface Agents {
  /** Refuses HANDLE_TAKEN, LIMIT_REACHED. */
  register(
    request: Omit<AgentRequest, 'bot'>,
    attached?: AttachedRecords<Agent>,
  ): Promise<RegisteredAgent>
  profile(agentId: string): Promise<AgentProfile>
  /** Refuses INVALID_REQUEST. */
  change(
    agentId: string,
    changes: ProfileChanges,
  ): Promise<{ readonly webhookSecret: string | undefined }>
  rotate(rotation: Rotation, attached?: AttachedRecords<RotatedSecret>): Promise<RotatedSecret>
  /** By itself. Refuses BOT_OWNER_DELETE_REQUIRED. */
  deleteSelf(agent: { readonly agentId: string; readonly used: string }): Promise<void>
  /** By its owner; bots go by their workspace. Refuses NOT_FOUND. */
  deleteOwned(accountId: string, agentId: string): Promise<void>
  owned(
    accountId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<OwnedAgents>
  /** Whether the agent is there and belongs to the account; bots too. */
  isOwned(accountId: string, agentId: string): Promise<boolean>
  /** Of an account that is deleted. */
  deleteAllOf(accountId: string): Promise<void>
  /** Where its events are sent, with what signs them; `undefined`: nowhere. */
  webhookTarget(agentId: string): Promise<WebhookTarget | undefined>
  /** Deletes what time has ended. */
  sweep(): Promise<void>
}

export function openAgents(options: WebhookContext & DeletionContext): Agents {
  const { store } = options
  return {
    register: (request, attached) => registerAgent(options, request, attached),
    profile: (agentId) => agentProfile(options, agentId),
    change: (agentId, changes) => changeProfile(options, agentId, changes),
    rotate: (rotation, attached) => rotateSecret(options, rotation, attached),
    async deleteSelf({ agentId, used }) {
      const judge = ({ bot }: Agent) => {
        if (bot !== undefined) throw new Refusal('BOT_OWNER_DELETE_REQUIRED')
        return true
      }
      if (!(await deleteAgent(options, agentId, { used, judge }))) {
        throw new Refusal('AUTH_REQUIRED')
      }
    },
    async deleteOwned(accountId, agentId) {
      const judge = ({ ownerId, bot }: Agent) => ownerId === accountId && bot === undefined
      if (!(await deleteAgent(options, agentId, { judge }))) throw new Refusal('NOT_FOUND')
    },
    async owned(accountId, page) {
      await options.uses.store()
      return ownedAgents(store, accountId, page)
    },
    async isOwned(accountId, agentId) {
      return (await agentById(store, agentId))?.record.ownerId === accountId
    },
    deleteAllOf: (accountId) => deleteAgentsOf(options, accountId),
    webhookTarget: (agentId) => webhookTarget(options, agentId),
    async sweep() {
      await sweepEndedAgents(options)
    },
  }
}
