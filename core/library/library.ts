/** Workspaces and what stands in them, as the layers above see them (interface §2.8). */
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { RegisteredAgent } from '../agents/registration.ts'
import type { Container, Workspace } from '../records/people-records.ts'
import type { Account } from '../records/records.ts'
import {
  type Bot,
  type BotChanges,
  botById,
  botsOf,
  changeBot,
  createBot,
  deleteBot,
} from './bots.ts'
import { type DocumentPage, documentsIn, type PageRequest } from './lists.ts'
import {
  addMember,
  endMemberships,
  isMember,
  memberAccounts,
  removeMember,
  type Team,
  teamsOf,
} from './members.ts'
import { type LibraryTarget, type Placed, type Placer, resolveTarget } from './targets.ts'
import { brainsOf, containerById, type LibraryContext, workspaceOf } from './workspaces.ts'

export interface WholeWorkspace {
  readonly workspace: Workspace
  readonly brains: readonly Container[]
  readonly members: readonly Account[]
  readonly bots: readonly Bot[]
  /** Of others, that it is a member of. */
  readonly teams: readonly Team[]
}

export interface Library {
  /** Where a create goes; `undefined`: nowhere. Refuses as `resolveTarget`. */
  resolve(placer: Placer | undefined, target?: LibraryTarget): Promise<Placed | undefined>
  workspace(accountId: string): Promise<WholeWorkspace>
  /** Refuses HANDLE_NOT_FOUND, INVALID_REQUEST, LIMIT_REACHED. */
  addMember(accountId: string, handle: string): Promise<Account>
  /** Refuses NOT_FOUND. */
  removeMember(accountId: string, actor: string): Promise<void>
  /** Refuses HANDLE_TAKEN, LIMIT_REACHED. */
  createBot(request: {
    readonly accountId: string
    readonly name: string
    readonly slug: string | undefined
  }): Promise<RegisteredAgent & { readonly agent: Bot }>
  /** Refuses NOT_FOUND, HANDLE_TAKEN, LIMIT_REACHED. */
  changeBot(
    bot: { readonly accountId: string; readonly agentId: string },
    changes: BotChanges,
  ): Promise<Bot>
  /** Whether this agent is a bot of the account. */
  hasBot(accountId: string, agentId: string): Promise<boolean>
  /** Refuses NOT_FOUND. */
  deleteBot(accountId: string, agentId: string): Promise<void>
  /** Of the account's personal container unless one is named. Refuses NOT_FOUND. */
  documentsIn(
    accountId: string,
    containerId: string | undefined,
    page: PageRequest,
  ): Promise<DocumentPage>
  /** Of an account that is deleted: nobody has a part in its workspace, nor it in another. */
  endOf(accountId: string): Promise<void>
}

export function openLibrary(options: LibraryContext): Library {
  const { store } = options
  return {
    resolve: (placer, target) => resolveTarget(options, placer, target),
    async workspace(accountId) {
      const workspace = await workspaceOf(options, accountId)
      const [brains, members, bots, teams] = await Promise.all([
        brainsOf(store, accountId),
        memberAccounts(store, accountId),
        botsOf(store, accountId),
        teamsOf(store, accountId),
      ])
      return { workspace, brains, members, bots, teams }
    },
    addMember: (accountId, handle) => addMember(options, accountId, handle),
    removeMember: (accountId, actor) => removeMember(store, accountId, actor),
    createBot: (request) => createBot(options, request),
    changeBot: (bot, changes) => changeBot(options, bot, changes),
    hasBot: async (accountId, agentId) => (await botById(store, accountId, agentId)) !== undefined,
    deleteBot: (accountId, agentId) => deleteBot(options, accountId, agentId),
    async documentsIn(accountId, named, page) {
      const { personal } = await workspaceOf(options, accountId)
      const containerId = named ?? personal
      const container = await containerById(store, containerId)
      if (container === undefined || !(await mayList(store, accountId, container))) {
        throw new Refusal('NOT_FOUND')
      }
      return documentsIn(store, { containerId }, page)
    },
    endOf: (accountId) => endMemberships(store, accountId),
  }
}

async function mayList(
  store: Store,
  accountId: string,
  { kind, accountId: owner }: Container,
): Promise<boolean> {
  return owner === accountId || (kind === 'team' && (await isMember(store, owner, accountId)))
}
