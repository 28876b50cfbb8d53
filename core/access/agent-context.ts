/**
 * The documents that an agent has in its library (interface §4.12): those that were shared with it
 * by its handle, of an active bot those of its workspace's team, of a bot its brain. What it wrote, or
 * reached by a link, is not among them. Each is judged anew when it is asked for.
 */
import { grantKey, indexRange, ownerKey, parseKey, placementKey } from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import { type ActorId, isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Role } from '../documents/contract.ts'
import { isShown, type ListedDocument, listed, noCursor } from '../library/lists.ts'
import { workspaceOf } from '../library/workspaces.ts'
import { peopleRecords } from '../records/people-records.ts'
import { readRecords, records } from '../records/records.ts'
import { type AccessContext, type AgentCredential, credentialOf } from './credentials.ts'
import { isOwnEntry } from './grants.ts'
import { accessOn, type Standing } from './roles.ts'

/** Why a document is there; in this order. */
export const contextKinds = ['share', 'team', 'brain'] as const
export type ContextKind = (typeof contextKinds)[number]

/** One reason, by which documents are there together; of a share it is one. */
export type ContextScope =
  | { readonly kind: 'share'; readonly slug: Slug }
  | { readonly kind: 'team' | 'brain'; readonly containerId: string }

export interface ContextDocument extends ListedDocument {
  readonly role: Role
  readonly scope: ContextScope
  /** Who shared it; of what has a place, or where that is not known, whose it is. */
  readonly sharedBy: ActorId | undefined
  /** Absent: it stands in no folder of this scope. */
  readonly folderId?: string | undefined
  /** To go on behind it. */
  readonly at: string
}

export interface ContextPage {
  readonly documents: readonly ContextDocument[]
  /** What the next page goes on behind; `undefined`: this was the last. */
  readonly next: string | undefined
}

export interface ContextAsked {
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** Of this one alone. */
  readonly scope?: ContextScope | undefined
}

interface ContextEntry {
  readonly slug: Slug
  readonly scope: ContextScope
  /** Where it stands among all. */
  readonly at: string
}

interface ContextSources extends AccessContext {
  standing(credential: AgentCredential, slug: Slug): Promise<Standing>
}

/** So many entries are looked at for one page that it may have fewer documents. */
export async function agentContext(
  context: ContextSources,
  agent: AgentCredential,
  { limit, after, scope }: ContextAsked,
): Promise<ContextPage> {
  const documents: ContextDocument[] = []
  const some: ContextEntry[] = []
  let looked = 0
  let last = after
  const isFull = () => documents.length >= limit || looked >= limits.listedEntriesMax
  for await (const entry of entriesOf(context, agent, { after, scope })) {
    if (isFull()) return { documents, next: last }
    some.push(entry)
    looked++
    last = entry.at
    // No more at once than may be shown.
    if (documents.length + some.length < limit && looked < limits.listedEntriesMax) continue
    documents.push(...(await judged(context, agent, some.splice(0), scope)))
  }
  documents.push(...(await judged(context, agent, some, scope)))
  return { documents, next: undefined }
}

/** Whether it is there still, for the reason it was listed for, by the secret as it is now. */
export async function isInContext(
  context: ContextSources,
  { sha256 }: AgentCredential,
  { slug, scope, at }: ContextDocument,
): Promise<boolean> {
  const agent = await credentialOf(context, sha256)
  if (agent?.kind !== 'agent') return false
  return (await judged(context, agent, [{ slug, scope, at }], scope)).length > 0
}

/** Those scopes in which the agent has a part now. */
async function scopesOf(
  { store, runtime }: AccessContext,
  { agent }: AgentCredential,
): Promise<readonly Exclude<ContextScope, { kind: 'share' }>[]> {
  const { bot, ownerId } = agent
  if (bot === undefined || ownerId === undefined) return []
  const brain = { kind: 'brain', containerId: bot.containerId } as const
  if (!bot.active) return [brain]
  const { team } = await workspaceOf({ store, runtime }, ownerId)
  return [{ kind: 'team', containerId: team }, brain]
}

const isSameScope = (one: ContextScope, other: ContextScope): boolean =>
  one.kind === 'share'
    ? other.kind === 'share' && one.slug === other.slug
    : other.kind === one.kind && one.containerId === other.containerId

async function* entriesOf(
  context: AccessContext,
  agent: AgentCredential,
  { after = '', scope }: Pick<ContextAsked, 'after' | 'scope'>,
): AsyncGenerator<ContextEntry> {
  const { store } = context
  const [cursor, from = 'share', behind = ''] = /^(share|team|brain):(.*)$/s.exec(after) ?? []
  if (cursor === undefined && after !== '') throw noCursor()
  const isLeft = (kind: ContextKind) =>
    contextKinds.indexOf(kind) >= contextKinds.indexOf(from as ContextKind)
  const restOf = (kind: ContextKind) => (kind === from ? behind : '')
  if (scope?.kind === 'share') {
    if (after === '') yield { slug: scope.slug, scope, at: `share:${scope.slug}` }
    return
  }
  if (scope === undefined && isLeft('share')) {
    yield* shares(store, agent.actor, restOf('share'))
  }
  for (const own of await scopesOf(context, agent)) {
    const { kind, containerId } = own
    if (!isLeft(kind) || (scope !== undefined && !isSameScope(scope, own))) continue
    const range = behindIn(indexRange('placed', containerId), restOf(kind))
    for await (const { key } of store.scan(range)) {
      const slug = parseKey(key)?.path.at(-1) ?? ''
      const at = `${kind}:${key.slice(range.start.length)}`
      if (isSlug(slug)) yield { slug, scope: own, at }
    }
  }
}

const behindIn = ({ gte = '', lt = '' }: Range, rest: string) =>
  ({ ...(rest === '' ? { gte } : { gt: `${gte}${rest}` }), lt, start: gte }) as const

async function* shares(store: Store, actor: ActorId, behind: string): AsyncGenerator<ContextEntry> {
  let read = 0
  for await (const { key, value } of store.scan(behindIn(indexRange('grant-of', actor), behind))) {
    if (read++ === limits.ownEntriesPassedMax) return
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (!isSlug(slug) || isOwnEntry(value)) continue
    yield { slug, scope: { kind: 'share', slug }, at: `share:${slug}` }
  }
}

/** Those that the agent may read for that reason, as they are now. */
async function judged(
  context: ContextSources,
  agent: AgentCredential,
  entries: readonly ContextEntry[],
  asked: ContextScope | undefined,
): Promise<ContextDocument[]> {
  const { store } = context
  const slugs = entries.map(({ slug }) => slug)
  const [documents, grants, places, owners] = await Promise.all([
    listed(store, slugs),
    readRecords(
      store,
      slugs.map((slug) => grantKey(slug, agent.actor)),
      records.grant,
    ),
    readRecords(store, slugs.map(placementKey), peopleRecords.placement),
    readRecords(store, slugs.map(ownerKey), records.owner),
  ])
  const bySlug = new Map(documents.map((one) => [one.slug, one]))
  const found = await Promise.all(
    entries.map(async ({ slug, scope, at }, index) => {
      const document = bySlug.get(slug)
      if (document === undefined || !isShown(document, false)) return undefined
      const grant = grants[index]?.record
      const isShare = grant?.source === 'invite'
      const place = places[index]?.record
      // What was shared besides is listed once, as shared.
      const isTwice = asked === undefined && isShare
      const isThere =
        scope.kind === 'share' ? isShare : !isTwice && place?.containerId === scope.containerId
      if (!isThere) return undefined
      const access = accessOn(await context.standing(agent, slug), document.facts)
      if (access === undefined || access.through === 'general') return undefined
      const owner = owners[index]?.record.actor
      const by = scope.kind === 'share' ? (grant?.invitedBy ?? owner) : owner
      const sharedBy = by as ActorId | undefined
      const folderId = scope.kind === 'share' ? undefined : place?.parentFolderId
      return { ...document, role: access.role, scope, sharedBy, folderId, at }
    }),
  )
  return found.filter((one) => one !== undefined)
}
