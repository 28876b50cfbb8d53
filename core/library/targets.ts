/**
 * Where a new document goes (interface §2.8): from what a create asks for and who asks to a place,
 * and what the creator is told of it. Who has no part in any workspace places nothing.
 */
import { accountKey, agentKey, memberKey } from '../../persistence/keys.ts'
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { accountById, isInUse } from '../accounts/account-records.ts'
import { agentById } from '../agents/registration.ts'
import type { Folder, Workspace } from '../records/people-records.ts'
import type { Account } from '../records/records.ts'
import { type Bot, botById, botBySlug, isBot } from './bots.ts'
import { type FoundFolder, folderById } from './folders.ts'
import type { LibraryPlace } from './placement.ts'
import { type LibraryContext, workspaceOf } from './workspaces.ts'

/** Who asks, as far as libraries know. */
export type Placer =
  | { readonly kind: 'person' | 'owner-key'; readonly accountId: string }
  | { readonly kind: 'agent'; readonly agentId: string }

/** As a create sends it. */
export interface LibraryTarget {
  readonly kind?: unknown
  readonly parentFolderId?: string | null | undefined
  readonly botId?: string | undefined
  readonly botSlug?: string | undefined
}

/** In wire spelling (interface §2.3). */
export type Resolution = {
  readonly kind: 'personal' | 'team' | 'bot'
  readonly workspaceId: string
  readonly containerId: string
  readonly parentFolderId: string | null
  readonly botId?: string
  readonly botSlug?: string
  readonly botAgentId?: string
  readonly bot_id?: string
  readonly requested_bot_slug?: string | null
  readonly canonical_bot_slug?: string
  readonly slug_resolution?: 'current' | 'renamed'
}

export interface ResolvedTarget {
  readonly place: LibraryPlace
  readonly resolution: Resolution
  /** Whose workspace it is: the document's owner. */
  readonly owner: ActorId
  /** What has to be so still when the document is made. */
  readonly checks: readonly Check[]
}

/** Where a folder can be made. */
export const folderKinds = ['personal', 'team', 'bot'] as const
const kinds = ['default', ...folderKinds] as const
type Kind = (typeof kinds)[number]

const kindOf = (value: unknown): Kind | undefined => kinds.find((kind) => kind === value)

/**
 * `undefined`: the document goes nowhere. Refuses NOT_AUTHORIZED, BOT_TARGET_MISMATCH, INVALID_KIND,
 * INVALID_PARENT, and INVALID_REQUEST a bot without a name.
 */
export async function resolveTarget(
  context: LibraryContext,
  placer: Placer | undefined,
  target: LibraryTarget = { kind: 'default' },
): Promise<ResolvedTarget | undefined> {
  const kind = kindOf(target.kind)
  if (kind === undefined) throw new Refusal('INVALID_KIND', { accepted: kinds })
  const asking = await askingOf(context, placer)
  if (asking === undefined && kind !== 'default') throw new Refusal('NOT_AUTHORIZED', { kind })
  const folder = await parentOf(context, target)
  if (asking === undefined) {
    if (folder !== undefined) throw new Refusal('NOT_AUTHORIZED')
    return undefined
  }
  const team = folder && kind === 'team' ? await teamOf(context, asking, folder.record) : undefined
  const found = team ?? (await containerOf(context, asking, kind, target))
  const own = { owner: asking.account.actor as ActorId }
  const placed = { ...own, ...found, checks: [...asking.checks, ...found.checks] }
  return folder === undefined ? placed : inFolder(placed, folder)
}

/** Refuses INVALID_PARENT where there is none. */
async function parentOf(
  { store }: LibraryContext,
  { parentFolderId }: LibraryTarget,
): Promise<FoundFolder | undefined> {
  if (parentFolderId === undefined || parentFolderId === null) return undefined
  const found = await folderById(store, parentFolderId)
  if (found === undefined) throw new Refusal('INVALID_PARENT')
  return found
}

/** Refuses NOT_AUTHORIZED a folder of another workspace, INVALID_PARENT of another container. */
function inFolder(placed: ResolvedTarget, { record, door }: FoundFolder): ResolvedTarget {
  const { place, resolution, checks } = placed
  const { folderId: parentFolderId, containerId, accountId } = record
  if (accountId !== place.accountId) throw new Refusal('NOT_AUTHORIZED', { parentFolderId })
  if (containerId !== place.containerId) throw new Refusal('INVALID_PARENT')
  return {
    ...placed,
    place: { ...place, parentFolderId },
    resolution: { ...resolution, parentFolderId },
    checks: [...checks, door],
  }
}

interface Asking {
  readonly by: Placer['kind']
  /** In whose workspace. */
  readonly account: Account
  readonly workspace: Workspace
  /** Itself, where it is one. */
  readonly bot: Bot | undefined
  /** What is known of it rests on these. */
  readonly checks: readonly Check[]
}

/** `undefined`: who asks has no part in any workspace. */
async function askingOf(
  context: LibraryContext,
  placer: Placer | undefined,
): Promise<Asking | undefined> {
  if (placer === undefined) return undefined
  const { store } = context
  const agent = placer.kind === 'agent' ? await agentById(store, placer.agentId) : undefined
  if (placer.kind === 'agent' && agent === undefined) throw new Refusal('AUTH_REQUIRED')
  const accountId = placer.kind === 'agent' ? agent?.record.ownerId : placer.accountId
  if (accountId === undefined) return undefined
  const workspace = await workspaceOf(context, accountId)
  const account = await accountById(store, accountId)
  if (account === undefined || !isInUse(account.record)) throw new Refusal('AUTH_REQUIRED')
  const checks = [{ key: accountKey(accountId), version: account.version }]
  const bot = agent && isBot(agent.record) ? agent.record : undefined
  if (agent !== undefined)
    checks.push({ key: agentKey(agent.record.agentId), version: agent.version })
  return { by: placer.kind, account: account.record, workspace, bot, checks }
}

/** The team of another that this folder is in; `undefined`: none of which one is a member. */
async function teamOf(
  context: LibraryContext,
  { by, account }: Asking,
  { kind, accountId, containerId }: Folder,
): Promise<(ResolvedPlace & Pick<ResolvedTarget, 'owner'>) | undefined> {
  if (by !== 'person' || kind !== 'team' || accountId === account.accountId) return undefined
  const { store } = context
  const key = memberKey(accountId, account.accountId)
  const [member, owner] = await Promise.all([store.get(key), accountById(store, accountId)])
  if (member === undefined || owner === undefined || !isInUse(owner.record)) return undefined
  const { workspaceId } = await workspaceOf(context, accountId)
  return {
    owner: owner.record.actor as ActorId,
    place: { containerId, kind, accountId },
    resolution: { kind, workspaceId, containerId, parentFolderId: null },
    checks: [
      { key, version: member.version },
      { key: accountKey(accountId), version: owner.version },
    ],
  }
}

async function containerOf(
  context: LibraryContext,
  asking: Asking,
  kind: Kind,
  target: LibraryTarget,
): Promise<ResolvedPlace> {
  const led = kind === 'default' ? (asking.bot === undefined ? 'personal' : 'bot') : kind
  // Of `default` nothing else is asked.
  if (led === 'bot') return brainOf(context, asking, kind === 'default' ? {} : target)
  return ownContainer(led, asking)
}

type ResolvedPlace = Omit<ResolvedTarget, 'owner'>

/**
 * A bot has no part in what is its owner's alone, while it is inactive none in the team's, and none
 * in another's brain; in brains nobody else has but their owner in person.
 */
function hasPart(
  { by, account, bot }: Asking,
  { kind, accountId, agentId }: Pick<LibraryPlace, 'kind' | 'accountId' | 'agentId'>,
): boolean {
  if (accountId !== account.accountId) return false
  if (bot === undefined) return kind !== 'brain' || by === 'person'
  return kind === 'brain' ? agentId === bot.agentId : kind === 'team' && bot.bot.active
}

export interface FolderFor {
  readonly folder: FoundFolder
  /** What has to be so still when it is changed by who asks. */
  readonly checks: readonly Check[]
}

/** Refuses NOT_AUTHORIZED who has no library, NOT_FOUND who has no part in its container. */
export async function folderFor(
  context: LibraryContext,
  placer: Placer,
  folderId: string,
): Promise<FolderFor> {
  const asking = await askingOf(context, placer)
  if (asking === undefined) throw new Refusal('NOT_AUTHORIZED')
  const folder = await folderById(context.store, folderId)
  if (folder === undefined) throw new Refusal('NOT_FOUND')
  const team = await teamOf(context, asking, folder.record)
  if (!(team || hasPart(asking, folder.record))) throw new Refusal('NOT_FOUND')
  return { folder, checks: [...asking.checks, ...(team?.checks ?? [])] }
}

/**
 * What has to be so still when something in this folder's container is changed by who asks. Refuses
 * NOT_AUTHORIZED who has no part in it.
 */
export async function partIn(
  context: LibraryContext,
  placer: Placer | undefined,
  folder: Folder,
): Promise<readonly Check[]> {
  const asking = await askingOf(context, placer)
  const team = asking && (await teamOf(context, asking, folder))
  if (asking === undefined || !(team || hasPart(asking, folder))) {
    throw new Refusal('NOT_AUTHORIZED')
  }
  return [...asking.checks, ...(team?.checks ?? [])]
}

function ownContainer(kind: 'personal' | 'team', asking: Asking): ResolvedPlace {
  const { workspaceId, accountId } = asking.workspace
  if (!hasPart(asking, { kind, accountId })) throw new Refusal('NOT_AUTHORIZED', { kind })
  const { workspace } = asking
  const containerId = workspace[kind]
  return {
    place: { containerId, kind, accountId },
    resolution: { kind, workspaceId, containerId, parentFolderId: null },
    checks: [],
  }
}

async function brainOf(
  context: LibraryContext,
  asking: Asking,
  { botId, botSlug }: LibraryTarget,
): Promise<ResolvedPlace> {
  const { workspaceId, accountId } = asking.workspace
  const target = await targetedBot(context, asking, { botId, botSlug })
  const found = await agentById(context.store, target.agentId)
  const { agentId, bot } = target
  const { containerId, slug } = bot
  return {
    place: { containerId, kind: 'brain', accountId, agentId },
    resolution: {
      kind: 'bot',
      workspaceId,
      containerId,
      parentFolderId: null,
      botId: agentId,
      botSlug: slug,
      botAgentId: agentId,
      bot_id: agentId,
      requested_bot_slug: botSlug ?? null,
      canonical_bot_slug: slug,
      slug_resolution: botSlug === undefined || botSlug === slug ? 'current' : 'renamed',
    },
    checks: [{ key: agentKey(agentId), version: found?.version }],
  }
}

/** Unknown bots and others' are refused alike. */
async function targetedBot(
  { store }: LibraryContext,
  { by, bot: self, workspace }: Asking,
  { botId, botSlug }: Pick<LibraryTarget, 'botId' | 'botSlug'>,
): Promise<Bot> {
  if (by === 'owner-key' || (by === 'agent' && self === undefined)) {
    throw new Refusal('NOT_AUTHORIZED', { kind: 'bot' })
  }
  if (botId === undefined && botSlug === undefined) {
    if (self !== undefined) return self
    const issues = [{ path: '/library_target', message: 'needs botId, botSlug or both' }]
    throw new Refusal('INVALID_REQUEST', { issues })
  }
  const { accountId } = workspace
  const byId = botId === undefined ? undefined : await botById(store, accountId, botId)
  const bySlug = botSlug === undefined ? undefined : await botBySlug(store, accountId, botSlug)
  const isMissing =
    (botId !== undefined && byId === undefined) || (botSlug !== undefined && bySlug === undefined)
  const found = byId ?? bySlug
  if (isMissing || found === undefined) throw new Refusal('NOT_AUTHORIZED', { kind: 'bot' })
  if (byId !== undefined && bySlug !== undefined && byId.agentId !== bySlug.agentId) {
    throw new Refusal('BOT_TARGET_MISMATCH')
  }
  if (self !== undefined && self.agentId !== found.agentId) {
    throw new Refusal('NOT_AUTHORIZED', { kind: 'bot' })
  }
  return found
}
