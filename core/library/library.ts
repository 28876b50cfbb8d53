/** Workspaces and what stands in them, as the layers above see them (interface §2.8). */

import { ownerKey, placementKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { randomName, type Slug } from '../../schema/ids.ts'
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Permission } from '../documents/contract.ts'
import {
  type Container,
  type Folder,
  peopleRecords,
  type Workspace,
} from '../records/people-records.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { type Account, records } from '../records/records.ts'
import {
  type Bot,
  type BotChanges,
  type BotRequest,
  botById,
  botsOf,
  changeBot,
  createBot,
  deleteBot,
  type NewBot,
} from './bots.ts'
import { type Contents, type ContentsRequest, contentsOf } from './contents.ts'
import {
  changeFolder,
  deleteFolder,
  type FolderChanges,
  folderById,
  makeFolder,
  pathTo,
} from './folders.ts'
import {
  addMember,
  endMemberships,
  isMember,
  memberAccounts,
  removeMember,
  type Team,
  teamsOf,
} from './members.ts'
import { isSamePlace, planPlacing } from './placement.ts'
import {
  folderFor,
  folderKinds,
  type LibraryTarget,
  type Placer,
  type Resolution,
  type ResolvedTarget,
  resolveTarget,
} from './targets.ts'
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
  resolve(placer: Placer | undefined, target?: LibraryTarget): Promise<ResolvedTarget | undefined>
  workspace(accountId: string): Promise<WholeWorkspace>
  /** Refuses HANDLE_NOT_FOUND, INVALID_REQUEST, LIMIT_REACHED. */
  addMember(accountId: string, handle: string): Promise<Account>
  /** Refuses NOT_FOUND. */
  removeMember(accountId: string, actor: string): Promise<void>
  /** Refuses HANDLE_TAKEN, LIMIT_REACHED. */
  createBot(request: BotRequest, attached?: AttachedRecords<Bot>): Promise<NewBot>
  /** Refuses NOT_FOUND, HANDLE_TAKEN, LIMIT_REACHED. */
  changeBot(
    bot: { readonly accountId: string; readonly agentId: string },
    changes: BotChanges,
  ): Promise<Bot>
  /** Whether this agent is a bot of the account. */
  hasBot(accountId: string, agentId: string): Promise<boolean>
  /** Refuses NOT_FOUND. */
  deleteBot(accountId: string, agentId: string): Promise<void>
  /**
   * What stands right in a folder, or in a container's root: of the folder's container, else of the
   * account's personal one unless one is named. Refuses NOT_FOUND.
   */
  contentsOf(
    accountId: string,
    where: { readonly containerId?: string | undefined; readonly folderId?: string | undefined },
    page: ContentsRequest,
  ): Promise<Contents>
  /** From the root to the folder; none where it is gone. */
  folderPath(folderId: string): Promise<readonly Folder[]>
  /** One of that name that is there already, or a new one. Refuses as `resolve`, LIMIT_REACHED. */
  createFolder(
    placer: Placer,
    /** `name` has passed `displayNameFrom`. */
    folder: { readonly name: string; readonly target: LibraryTarget },
    attached?: AttachedRecords<Folder>,
  ): Promise<{ readonly folder: Folder; readonly isNew: boolean }>
  /** Refuses NOT_FOUND, NOT_AUTHORIZED, INVALID_PARENT, NAME_TAKEN, LIMIT_REACHED. */
  changeFolder(placer: Placer, folderId: string, changes: FolderChanges): Promise<Folder>
  /** Refuses NOT_FOUND, NOT_AUTHORIZED, FOLDER_NOT_EMPTY. */
  deleteFolder(placer: Placer, folderId: string): Promise<void>
  /**
   * Puts a document elsewhere in its owner's library; what stands there already stays. Refuses as
   * `resolve`, and NOT_AUTHORIZED in somebody else's.
   */
  moveDocument(request: MoveRequest): Promise<Resolution>
  /** Of an account that is deleted: nobody has a part in its workspace, nor it in another. */
  endOf(accountId: string): Promise<void>
}

export function openLibrary(options: LibraryContext): Library {
  const { store, runtime } = options
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
    createBot: (request, attached) => createBot(options, request, attached),
    changeBot: (bot, changes) => changeBot(options, bot, changes),
    hasBot: async (accountId, agentId) => (await botById(store, accountId, agentId)) !== undefined,
    deleteBot: (accountId, agentId) => deleteBot(options, accountId, agentId),
    async contentsOf(accountId, { containerId: named, folderId }, page) {
      const folder = folderId === undefined ? undefined : await folderById(store, folderId)
      if (folderId !== undefined && folder === undefined) throw new Refusal('NOT_FOUND')
      const { personal } = await workspaceOf(options, accountId)
      const containerId = named ?? folder?.record.containerId ?? personal
      const container = await containerById(store, containerId)
      const isThere = folder === undefined || folder.record.containerId === containerId
      if (!(container && isThere && (await mayList(store, accountId, container)))) {
        throw new Refusal('NOT_FOUND')
      }
      return contentsOf(store, { containerId, ...(folderId && { parentFolderId: folderId }) }, page)
    },
    async folderPath(folderId) {
      const found = await folderById(store, folderId)
      return found === undefined ? [] : (await pathTo(store, folderId)).folders
    },
    async createFolder(placer, { name, target }, attached) {
      if (target.kind === 'default') throw new Refusal('INVALID_KIND', { accepted: folderKinds })
      for (;;) {
        const placed = await resolveTarget(options, placer, target)
        if (placed === undefined) throw new Refusal('NOT_AUTHORIZED')
        const { place, checks } = placed
        const folderId = `lf_${randomName(runtime, 20)}`
        const making = { name, place, checks, folderId, now: runtime.now() }
        const made = await makeFolder(store, making, attached)
        if (made !== undefined) return made
      }
    },
    async changeFolder(placer, folderId, changes) {
      for (;;) {
        const { folder, checks } = await folderFor(options, placer, folderId)
        const changed = await changeFolder(store, folder, changes, checks)
        if (changed !== undefined) return changed
      }
    },
    async deleteFolder(placer, folderId) {
      for (;;) {
        const { folder, checks } = await folderFor(options, placer, folderId)
        if (await deleteFolder(store, folder, checks)) return
      }
    },
    moveDocument: (request) => moveDocument(options, request),
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

export interface MoveRequest {
  readonly slug: Slug
  readonly placer: Placer
  readonly target: LibraryTarget
  /** To do what an owner may. */
  readonly permission: Permission
}

/**
 * Has a document stand elsewhere in its owner's library (extensions §12). It is no revision: text,
 * grants and links are as they were; who reads it by its place alone does so as it is now. Refuses
 * as `resolveTarget`, and NOT_AUTHORIZED in the library of somebody else.
 */
export async function moveDocument(
  context: LibraryContext,
  { slug, placer, target, ...request }: MoveRequest,
): Promise<Resolution> {
  const { store, runtime } = context
  for (let { permission } = request; ; permission = await permission.renewed()) {
    const placed = await resolveTarget(context, placer, target)
    const plan = new RecordPlan(store)
    const owner = await plan.read(ownerKey(slug), records.owner)
    if (placed === undefined || placed.owner !== owner?.actor) throw new Refusal('NOT_AUTHORIZED')
    const { place, resolution } = placed
    const before = await plan.read(placementKey(slug), peopleRecords.placement)
    if (before !== undefined && isSamePlace(before, place)) return resolution
    plan.restOn([...permission.checks, ...placed.checks])
    await planPlacing(plan, slug, { place, now: runtime.now() })
    const { records: planned } = plan.done(undefined)
    if (planned !== undefined && (await store.commit(planned)).ok) return resolution
  }
}
