/** The members of an account's team (extensions §7): people, added and taken away by its owner. */
import {
  accountKey,
  handleKey,
  indexKey,
  indexRange,
  memberKey,
  membersOf,
  workspaceKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { accountById, isInUse } from '../accounts/account-records.ts'
import { peopleRecords, type Workspace } from '../records/people-records.ts'
import { type Account, readRecord, readRecords, records } from '../records/records.ts'
import { type LibraryContext, workspaceOf } from './workspaces.ts'

/** The teams that an account is a member of, besides its own. */
const teamOfKey = (member: string, accountId: string): string =>
  indexKey('team-of', member, accountId)

export async function memberAccounts(store: Store, accountId: string): Promise<Account[]> {
  const ids: string[] = []
  for await (const { key } of store.scan(membersOf(accountId)))
    ids.push(key.split('/').at(-1) ?? '')
  return accountsOf(store, ids)
}

/** Without those that are gone. */
async function accountsOf(store: Store, ids: readonly string[]): Promise<Account[]> {
  const found = await readRecords(store, ids.map(accountKey), records.account)
  return found.flatMap((one) => (one !== undefined && isInUse(one.record) ? [one.record] : []))
}

/** A team of somebody else. */
export interface Team {
  readonly workspace: Workspace
  readonly owner: Account
}

/** Those that an account is a member of. */
export async function teamsOf(store: Store, member: string): Promise<Team[]> {
  const owners = await accountsOf(store, await teamOwners(store, member))
  const keys = owners.map(({ accountId }) => workspaceKey(accountId))
  const found = await readRecords(store, keys, peopleRecords.workspace)
  return owners.flatMap((owner, index) => {
    const workspace = found[index]?.record
    return workspace === undefined ? [] : [{ workspace, owner }]
  })
}

async function teamOwners(store: Store, member: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of store.scan(indexRange('team-of', member))) {
    ids.push(key.split('/').at(-1) ?? '')
  }
  return ids
}

export async function isMember(store: Store, accountId: string, member: string): Promise<boolean> {
  return (await store.get(memberKey(accountId, member))) !== undefined
}

/**
 * Adding again changes nothing. Refuses HANDLE_NOT_FOUND, INVALID_REQUEST for oneself,
 * LIMIT_REACHED.
 */
export async function addMember(
  context: LibraryContext,
  accountId: string,
  handle: string,
): Promise<Account> {
  const { store, runtime } = context
  await workspaceOf(context, accountId)
  for (;;) {
    const home = await readRecord(store, handleKey(handle.replace(/^@/, '')), records.handle)
    const memberId = home !== undefined && 'accountId' in home.record ? home.record.accountId : ''
    const account = memberId === '' ? undefined : await accountById(store, memberId)
    if (account === undefined || !isInUse(account.record))
      throw new Refusal('HANDLE_NOT_FOUND', { handle })
    if (memberId === accountId) {
      const issues = [{ path: '/handle', message: 'is your own' }]
      throw new Refusal('INVALID_REQUEST', { issues })
    }
    if (await isMember(store, accountId, memberId)) return account.record
    const teams = limits.teamsPerMember
    if ((await teamOwners(store, memberId)).length >= teams) {
      throw new Refusal('LIMIT_REACHED', { limit: 'teams', max: teams })
    }
    const max = limits.membersPerTeam
    if ((await memberAccounts(store, accountId)).length >= max) {
      throw new Refusal('LIMIT_REACHED', { limit: 'members', max })
    }
    const result = await store.commit({
      checks: [{ key: accountKey(memberId), version: account.version }],
      puts: [
        {
          key: memberKey(accountId, memberId),
          value: peopleRecords.member.encode({ addedAt: runtime.now() }),
        },
        { key: teamOfKey(memberId, accountId), value: new Uint8Array() },
      ],
    })
    if (result.ok) return account.record
  }
}

/** Refuses NOT_FOUND who is none. */
export async function removeMember(store: Store, accountId: string, actor: string): Promise<void> {
  const members = await memberAccounts(store, accountId)
  const member = members.find((one) => one.actor === actor)
  if (member === undefined) throw new Refusal('NOT_FOUND')
  const { accountId: memberId } = member
  await store.commit({ deletes: [memberKey(accountId, memberId), teamOfKey(memberId, accountId)] })
}

/** Of an account that is deleted: its team is nobody's, and it is in none. */
export async function endMemberships(store: Store, accountId: string): Promise<void> {
  const deletes: string[] = []
  for (const owner of await teamOwners(store, accountId)) {
    deletes.push(memberKey(owner, accountId), teamOfKey(accountId, owner))
  }
  for await (const { key } of store.scan(membersOf(accountId))) {
    deletes.push(key, teamOfKey(key.split('/').at(-1) ?? '', accountId))
  }
  if (deletes.length > 0) await store.commit({ deletes })
}
