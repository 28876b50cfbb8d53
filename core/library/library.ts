/** Workspaces and what stands in them, as the layers above see them (interface §2.8). */
import type { Slug } from '../../schema/ids.ts'
import type { RegisteredAgent } from '../agents/registration.ts'
import type { Container, Workspace } from '../records/people-records.ts'
import type { Account } from '../records/records.ts'
import { type Bot, type BotChanges, botsOf, changeBot, createBot, deleteBot } from './bots.ts'
import {
  type DocumentPage,
  documentsIn,
  type ListedDocument,
  listed,
  type PageRequest,
} from './lists.ts'
import { addMember, isMember, memberAccounts, removeMember } from './members.ts'
import { type LibraryTarget, type Placed, type Placer, resolveTarget } from './targets.ts'
import { brainsOf, containerById, type LibraryContext, workspaceOf } from './workspaces.ts'

export interface WholeWorkspace {
  readonly workspace: Workspace
  readonly brains: readonly Container[]
  readonly members: readonly Account[]
  readonly bots: readonly Bot[]
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
  /** Refuses NOT_FOUND. */
  deleteBot(accountId: string, agentId: string): Promise<void>
  /** `undefined`: there is no such container. */
  container(containerId: string): Promise<Container | undefined>
  /** Whether a person sees what is in it. */
  mayList(accountId: string, container: Container): Promise<boolean>
  documentsIn(containerId: string, page: PageRequest): Promise<DocumentPage>
  /** Without those that are gone. */
  listed(slugs: readonly Slug[]): Promise<ListedDocument[]>
}

export function openLibrary(options: LibraryContext): Library {
  const { store } = options
  return {
    resolve: (placer, target) => resolveTarget(options, placer, target),
    async workspace(accountId) {
      const workspace = await workspaceOf(options, accountId)
      const [brains, members, bots] = await Promise.all([
        brainsOf(store, accountId),
        memberAccounts(store, accountId),
        botsOf(store, accountId),
      ])
      return { workspace, brains, members, bots }
    },
    addMember: (accountId, handle) => addMember(options, accountId, handle),
    removeMember: (accountId, actor) => removeMember(store, accountId, actor),
    createBot: (request) => createBot(options, request),
    changeBot: (bot, changes) => changeBot(options, bot, changes),
    deleteBot: (accountId, agentId) => deleteBot(options, accountId, agentId),
    container: (containerId) => containerById(store, containerId),
    async mayList(accountId, { kind, accountId: owner }) {
      return owner === accountId || (kind === 'team' && (await isMember(store, owner, accountId)))
    },
    documentsIn: (containerId, page) => documentsIn(store, { containerId }, page),
    listed: (slugs) => listed(store, slugs),
  }
}
