/**
 * Bots (extensions §7): agents of a workspace, each with a brain and a slug that is its own there.
 * A slug that a bot once had still leads to it and is nobody else's.
 */
import {
  accountKey,
  agentKey,
  botSlugKey,
  botSlugsOf,
  containerKey,
} from '../../persistence/keys.ts'
import type { Check, Commit, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { randomName } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import { deleteAgent } from '../agents/deletion.ts'
import {
  agentById,
  handleBase,
  type RegisteredAgent,
  registerAgent,
} from '../agents/registration.ts'
import {
  AttachedConflict,
  type AttachedRecords,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { peopleRecords } from '../records/people-records.ts'
import { type Agent, readRecord, readRecords, records } from '../records/records.ts'
import { foldersIn } from './folders.ts'
import { placedIn } from './placement.ts'
import {
  brainOfKey,
  brainsOf,
  containerPuts,
  type LibraryContext,
  newContainerId,
  workspaceOf,
} from './workspaces.ts'

export type Bot = Agent & { readonly bot: NonNullable<Agent['bot']> }

export const isBot = (agent: Agent): agent is Bot => agent.bot !== undefined

/** The bots of an account that are there. */
export async function botsOf(store: Store, accountId: string): Promise<Bot[]> {
  const brains = await brainsOf(store, accountId)
  const keys = brains.map(({ agentId = '' }) => agentKey(agentId))
  const found = await readRecords(store, keys, records.agent)
  return found.flatMap((one) => (one !== undefined && isBot(one.record) ? [one.record] : []))
}

/** The bot that this slug leads to, or once led to. */
export async function botBySlug(
  store: Store,
  accountId: string,
  slug: string,
): Promise<Bot | undefined> {
  if (slug === '') return undefined
  const found = await readRecord(store, botSlugKey(accountId, slug), peopleRecords.botSlug)
  return found && botById(store, accountId, found.record.agentId)
}

/** A bot of this account. */
export async function botById(
  store: Store,
  accountId: string,
  agentId: string,
): Promise<Bot | undefined> {
  const agent = agentId === '' ? undefined : (await agentById(store, agentId))?.record
  return agent !== undefined && agent.ownerId === accountId && isBot(agent) ? agent : undefined
}

const slugPut = (accountId: string, slug: string, agentId: string) => ({
  key: botSlugKey(accountId, slug),
  value: peopleRecords.botSlug.encode({ agentId }),
})

async function slugsOf(
  store: Store,
  accountId: string,
): Promise<{ slug: string; agentId: string }[]> {
  const slugs: { slug: string; agentId: string }[] = []
  for await (const { key, value } of store.scan(botSlugsOf(accountId))) {
    const { agentId } = peopleRecords.botSlug.decode(value)
    slugs.push({ slug: decodeURIComponent(key.split('/').at(-1) ?? ''), agentId })
  }
  return slugs
}

function requireSlugRoom(known: number): void {
  const max = limits.botSlugsPerAccount
  if (known >= max) throw new Refusal('LIMIT_REACHED', { limit: 'slugs', max })
}

export interface BotRequest {
  readonly accountId: string
  /** Has passed `displayNameFrom`. */
  readonly name: string
  /** Without one it is made from the name. */
  readonly slug: string | undefined
  /** Random unless it has to be known again. */
  readonly secret?: string
}

export type NewBot = RegisteredAgent & { readonly agent: Bot }

/** Refuses HANDLE_TAKEN for a slug that is used, LIMIT_REACHED. */
export async function createBot(
  context: LibraryContext,
  request: BotRequest,
  attached: AttachedRecords<Bot> = noAttachedRecords,
): Promise<NewBot> {
  const { store } = context
  const { accountId, name, slug } = request
  await workspaceOf(context, accountId)
  const max = limits.brainsPerAccount
  for (;;) {
    if ((await brainsOf(store, accountId)).length >= max) {
      throw new Refusal('LIMIT_REACHED', { limit: 'bots', max })
    }
    const taken = new Set((await slugsOf(store, accountId)).map((one) => one.slug))
    requireSlugRoom(taken.size)
    if (slug !== undefined && taken.has(slug)) throw new Refusal('HANDLE_TAKEN', { slug })
    const own = slug ?? freeSlug(handleBase(name), taken)
    const made = await makeBot(context, { ...request, slug: own }, attached)
    // Another bot took the slug in the same moment, or the account was changed.
    if (made !== undefined) return made
  }
}

/** `undefined`: the slug is another's by now, or the account is another. */
async function makeBot(
  context: LibraryContext,
  { accountId, name, slug, secret }: BotRequest & { readonly slug: string },
  attached: AttachedRecords<Bot>,
): Promise<NewBot | undefined> {
  const { store, runtime } = context
  const containerId = newContainerId(runtime)
  const bot = { slug, active: true, containerId }
  const account = await store.get(accountKey(accountId))
  const own = [
    { key: botSlugKey(accountId, slug), version: undefined },
    { key: accountKey(accountId), version: account?.version },
  ]
  const handle = `${slug.slice(0, 32)}-${randomName(runtime, 6)}`
  const request = { name, ownerId: accountId, bot, handle, ...(secret && { secret }) }
  try {
    const registered = await registerAgent(context, request, {
      checks: [...own, ...attached.checks],
      puts: (agent) => [
        slugPut(accountId, slug, agent.agentId),
        ...containerPuts({
          ...{ containerId, kind: 'brain', accountId, agentId: agent.agentId, name },
        }),
        ...attached.puts({ ...agent, bot }),
      ],
    })
    return { ...registered, agent: { ...registered.agent, bot } }
  } catch (error) {
    if (!(error instanceof AttachedConflict) || !own.some(({ key }) => key === error.key))
      throw error
    return undefined
  }
}

function freeSlug(base: string, taken: ReadonlySet<string>): string {
  let slug = base.length < 2 ? `${base}-1` : base
  for (let next = 2; taken.has(slug); next++) slug = `${base}-${next}`
  return slug
}

export interface BotChanges {
  /** Has passed `displayNameFrom`. */
  readonly name?: string | undefined
  readonly slug?: string | undefined
  /** An inactive one keeps secret and brain, and has no part in the team's documents. */
  readonly active?: boolean | undefined
}

/** Refuses NOT_FOUND, HANDLE_TAKEN for a slug that is another's, LIMIT_REACHED. */
export async function changeBot(
  { store }: LibraryContext,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
  { name, slug, active }: BotChanges,
): Promise<Bot> {
  for (;;) {
    const found = await agentById(store, agentId)
    const before = found?.record
    if (found === undefined || before?.ownerId !== accountId || !isBot(before)) {
      throw new Refusal('NOT_FOUND')
    }
    const bot = {
      ...before.bot,
      ...(slug !== undefined && { slug }),
      ...(active !== undefined && { active }),
    }
    const changed: Bot = { ...before, ...(name !== undefined && { name }), bot }
    const taking = slug === undefined ? nothing : await takingSlug(store, before, slug)
    const { containerId } = bot
    const brain = { containerId, kind: 'brain', accountId, agentId, name: changed.name } as const
    const result = await store.commit({
      checks: [{ key: agentKey(agentId), version: found.version }, ...taking.checks],
      puts: [
        { key: agentKey(agentId), value: records.agent.encode(changed) },
        { key: containerKey(containerId), value: peopleRecords.container.encode(brain) },
        ...taking.puts,
      ],
    })
    if (result.ok) return changed
  }
}

interface Taking {
  readonly checks: readonly Check[]
  readonly puts: NonNullable<Commit['puts']>
}

const nothing: Taking = { checks: [], puts: [] }

async function takingSlug(
  store: Store,
  { agentId, ownerId = '' }: Agent,
  slug: string,
): Promise<Taking> {
  const key = botSlugKey(ownerId, slug)
  const found = await readRecord(store, key, peopleRecords.botSlug)
  if (found?.record.agentId === agentId) return nothing
  if (found !== undefined) throw new Refusal('HANDLE_TAKEN', { slug })
  requireSlugRoom((await slugsOf(store, ownerId)).length)
  return { checks: [{ key, version: undefined }], puts: [slugPut(ownerId, slug, agentId)] }
}

/**
 * Its documents stay where they are, its owner's; an empty brain goes with it, once nobody can put
 * anything there any more. Refuses NOT_FOUND.
 */
export async function deleteBot(
  context: LibraryContext,
  accountId: string,
  agentId: string,
): Promise<void> {
  const { store } = context
  const bot = await botById(store, accountId, agentId)
  if (bot === undefined) throw new Refusal('NOT_FOUND')
  const { containerId } = bot.bot
  const slugs = (await slugsOf(store, accountId)).filter((one) => one.agentId === agentId)
  const isThere = await deleteAgent(context, agentId, {
    judge: ({ ownerId }) => ownerId === accountId,
    attached: () => ({ deletes: slugs.map(({ slug }) => botSlugKey(accountId, slug)) }),
  })
  if (!isThere) throw new Refusal('NOT_FOUND')
  if (!(await isEmptyContainer(store, containerId))) return
  await store.commit({
    deletes: [containerKey(containerId), brainOfKey(accountId, containerId)],
  })
}

async function isEmptyContainer(store: Store, containerId: string): Promise<boolean> {
  for (const range of [foldersIn({ containerId }), placedIn({ containerId })]) {
    for await (const _ of store.scan({ ...range, limit: 1 })) return false
  }
  return true
}
