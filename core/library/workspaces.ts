/**
 * Workspaces (extensions §7): each account has one, made when it is first asked for, with a
 * container of its own, one of its team, and one for each of its bots.
 */
import {
  accountKey,
  containerKey,
  grantKey,
  indexKey,
  indexRange,
  ownerKey,
  parseKey,
  placementKey,
  workspaceKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { accountById, isInUse } from '../accounts/account-records.ts'
import type { DeletionContext } from '../agents/deletion.ts'
import { type Container, peopleRecords, type Workspace } from '../records/people-records.ts'
import {
  type Account,
  readRecord,
  readRecords,
  records,
  type Versioned,
} from '../records/records.ts'
import { type LibraryPlace, placingNew } from './placement.ts'

export type LibraryContext = DeletionContext

type WorkspaceContext = Pick<LibraryContext, 'store' | 'runtime'>

export const newContainerId = (runtime: Runtime): string => `lc_${randomName(runtime, 20)}`

export const containerPuts = (container: Container) => [
  { key: containerKey(container.containerId), value: peopleRecords.container.encode(container) },
  ...(container.kind === 'brain'
    ? [{ key: brainOfKey(container.accountId, container.containerId), value: new Uint8Array() }]
    : []),
]

export const brainOfKey = (accountId: string, containerId: string): string =>
  indexKey('brain-of', accountId, containerId)

/** The account's workspace, made when there is none. Refuses AUTH_REQUIRED without an account. */
export async function workspaceOf(
  context: WorkspaceContext,
  accountId: string,
): Promise<Workspace> {
  const { store } = context
  const key = workspaceKey(accountId)
  for (;;) {
    const found = await readRecord(store, key, peopleRecords.workspace)
    if (found !== undefined && found.record.adopting === undefined) return found.record
    const account = await accountById(store, accountId)
    if (account === undefined || !isInUse(account.record)) throw new Refusal('AUTH_REQUIRED')
    if (found === undefined) {
      await makeWorkspace(context, account)
      continue
    }
    const { adopting: _, ...workspace } = found.record
    await adoptOwned(store, account.record.actor, placeIn(workspace))
    const value = peopleRecords.workspace.encode(workspace)
    await store.commit({ checks: [{ key, version: found.version }], puts: [{ key, value }] })
  }
}

/** Unless somebody else makes it at the same time. */
async function makeWorkspace(
  { store, runtime }: WorkspaceContext,
  { record: { accountId, actor }, version }: Versioned<Account>,
): Promise<void> {
  const key = workspaceKey(accountId)
  const workspace: Workspace = {
    workspaceId: `ws_${randomName(runtime, 20)}`,
    accountId,
    personal: newContainerId(runtime),
    team: newContainerId(runtime),
    createdAt: runtime.now(),
    ...((await hasGrants(store, actor)) && { adopting: true }),
  }
  const { personal, team } = workspace
  await store.commit({
    checks: [
      { key, version: undefined },
      { key: accountKey(accountId), version },
    ],
    puts: [
      { key, value: peopleRecords.workspace.encode(workspace) },
      ...containerPuts({ containerId: personal, kind: 'personal', accountId }),
      ...containerPuts({ containerId: team, kind: 'team', accountId }),
    ],
  })
}

const placeIn = ({ personal, accountId }: Workspace): LibraryPlace => ({
  containerId: personal,
  kind: 'personal',
  accountId,
})

/** An account's own container, as a place. Refuses AUTH_REQUIRED without an account. */
export async function personalPlace(
  context: WorkspaceContext,
  accountId: string,
): Promise<LibraryPlace> {
  return placeIn(await workspaceOf(context, accountId))
}

export async function containerById(
  store: Store,
  containerId: string,
): Promise<Container | undefined> {
  if (containerId === '') return undefined
  const found = await readRecord(store, containerKey(containerId), peopleRecords.container)
  return found?.record
}

/** Those of an account's bots, of deleted ones too while there is anything in them. */
export async function brainsOf(store: Store, accountId: string): Promise<Container[]> {
  const ids: string[] = []
  for await (const { key } of store.scan(indexRange('brain-of', accountId))) {
    ids.push(key.split('/').at(-1) ?? '')
  }
  const found = await readRecords(store, ids.map(containerKey), peopleRecords.container)
  return found.flatMap((one) => (one === undefined ? [] : [one.record]))
}

/** Whether anything is recorded for this actor on any document. */
async function hasGrants(store: Store, actor: string): Promise<boolean> {
  for await (const _ of store.scan({ ...indexRange('grant-of', actor), limit: 1 })) return true
  return false
}

/**
 * Puts there what the actor owned before there were libraries and nobody has placed. Safe to
 * repeat, and beside others.
 */
async function adoptOwned(store: Store, actor: string, place: LibraryPlace): Promise<void> {
  for await (const { key } of store.scan(indexRange('grant-of', actor))) {
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (isSlug(slug)) await adopt(store, slug, { actor, place })
  }
}

async function adopt(
  store: Store,
  slug: Slug,
  { actor, place }: { readonly actor: string; readonly place: LibraryPlace },
): Promise<void> {
  const owner = await readRecord(store, ownerKey(slug), records.owner)
  if (owner?.record.actor !== actor) return
  const grant = await readRecord(store, grantKey(slug, actor), records.grant)
  // Where it fails somebody else has placed it, or given it away.
  await store.commit({
    checks: [
      { key: ownerKey(slug), version: owner.version },
      { key: placementKey(slug), version: undefined },
    ],
    puts: placingNew(slug, place, grant?.record.grantedAt ?? 0),
  })
}
