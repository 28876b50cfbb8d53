/** Whom a handle stands for (extensions §3): people and agents share one namespace. */
import { accountKey, agentKey, handleKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { isInUse } from '../accounts/account-records.ts'
import { readRecord, records } from '../records/records.ts'

export interface HandleHolder {
  readonly actor: ActorId
  readonly handle: string
  readonly name: string
  readonly kind: 'person' | 'guest' | 'agent'
}

/** Refuses HANDLE_NOT_FOUND. A leading `@` counts for nothing. */
export async function holderOfHandle(store: Store, written: string): Promise<HandleHolder> {
  const handle = written.trim().replace(/^@/, '')
  const holder = handle === '' ? undefined : await holderOf(store, handle)
  if (holder === undefined) throw new Refusal('HANDLE_NOT_FOUND', { handle })
  return holder
}

/** `undefined`: nobody's, or of an account that nobody gets into. */
export async function holderOf(store: Store, handle: string): Promise<HandleHolder | undefined> {
  const found = await readRecord(store, handleKey(handle), records.handle)
  if (found === undefined) return undefined
  if ('agentId' in found.record) {
    const agent = await readRecord(store, agentKey(found.record.agentId), records.agent)
    return agent && { ...shown(agent.record), kind: 'agent' }
  }
  const account = await readRecord(store, accountKey(found.record.accountId), records.account)
  if (account === undefined || !isInUse(account.record)) return undefined
  return { ...shown(account.record), kind: account.record.guest ? 'guest' : 'person' }
}

const shown = ({ actor, handle, name }: { actor: string; handle: string; name: string }) => ({
  actor: actor as ActorId,
  handle,
  name,
})
