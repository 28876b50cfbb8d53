/** The members of an account's team (extensions §7): people, added and taken away by its owner. */
import { accountKey, handleKey, indexKey, memberKey, membersOf } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { accountById, isInUse } from '../accounts/account-records.ts'
import { peopleRecords } from '../records/people-records.ts'
import { type Account, readRecord, readRecords, records } from '../records/records.ts'
import type { LibraryContext } from './workspaces.ts'

/** The teams that an account is a member of, besides its own. */
const teamOfKey = (member: string, accountId: string): string =>
  indexKey('team-of', member, accountId)

export async function memberAccounts(store: Store, accountId: string): Promise<Account[]> {
  const ids: string[] = []
  for await (const { key } of store.scan(membersOf(accountId)))
    ids.push(key.split('/').at(-1) ?? '')
  const found = await readRecords(store, ids.map(accountKey), records.account)
  return found.flatMap((one) => (one === undefined ? [] : [one.record]))
}

export async function isMember(store: Store, accountId: string, member: string): Promise<boolean> {
  return (await store.get(memberKey(accountId, member))) !== undefined
}

/**
 * Adding again changes nothing. Refuses HANDLE_NOT_FOUND, INVALID_REQUEST for oneself,
 * LIMIT_REACHED.
 */
export async function addMember(
  { store, runtime }: LibraryContext,
  accountId: string,
  handle: string,
): Promise<Account> {
  for (;;) {
    const home = await readRecord(store, handleKey(handle), records.handle)
    const memberId = home !== undefined && 'accountId' in home.record ? home.record.accountId : ''
    const account = memberId === '' ? undefined : await accountById(store, memberId)
    if (account === undefined || !isInUse(account.record))
      throw new Refusal('HANDLE_NOT_FOUND', { handle })
    if (memberId === accountId) {
      const issues = [{ path: '/handle', message: 'is your own' }]
      throw new Refusal('INVALID_REQUEST', { issues })
    }
    if (await isMember(store, accountId, memberId)) return account.record
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
