/**
 * Accounts of people (extensions §3). A guest has a random handle and no password: a name is all it
 * takes to write. Handles are shared with agents; the commit that takes one requires that nobody
 * has it.
 */
import { accountKey, actorKey, handleKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Account, readRecord, records } from '../records/records.ts'
import { accountPut, isInUse } from './account-records.ts'
import { newSession } from './sessions.ts'

/** A new account with a session. `name` has passed `displayNameFrom`. */
export async function createGuest(
  { store, runtime }: { readonly store: Store; readonly runtime: Runtime },
  name: string,
): Promise<{ readonly account: Account; readonly session: string }> {
  const handle = `guest-${randomName(runtime, 12)}`
  const accountId = `acc_${randomName(runtime, 20)}`
  const actor = `human:${handle}` as ActorId
  const account: Account = { accountId, actor, handle, name, guest: true, createdAt: runtime.now() }
  const session = newSession(runtime, account)
  const home = { accountId }
  const result = await store.commit({
    checks: [{ key: handleKey(handle), version: undefined }],
    puts: [
      { key: handleKey(handle), value: records.handle.encode(home) },
      accountPut(account),
      { key: actorKey(actor), value: records.actorHome.encode(home) },
      ...session.puts,
    ],
  })
  if (!result.ok) throw new TypeError('a random handle was taken')
  return { account, session: session.secret }
}

/** The account under another name. Refuses AUTH_REQUIRED when it is gone. */
export async function renameAccount(
  store: Store,
  accountId: string,
  name: string,
): Promise<Account> {
  const key = accountKey(accountId)
  for (;;) {
    const found = await readRecord(store, key, records.account)
    if (found === undefined || !isInUse(found.record)) throw new Refusal('AUTH_REQUIRED')
    if (found.record.name === name) return found.record
    const renamed = { ...found.record, name }
    const result = await store.commit({
      checks: [{ key, version: found.version }],
      puts: [accountPut(renamed)],
    })
    if (result.ok) return renamed
  }
}
