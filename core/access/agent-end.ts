/** When the secret of an agent ends because another took its place, also while it is in use. */
import { tokenBySha256 } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { readRecord, records } from '../records/records.ts'
import type { AgentCredential } from './credentials.ts'

export interface WatchContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly onTrouble: (error: unknown) => void
}

/** Calls back when the secret's time is over, which another secret may set meanwhile. */
export function watchAgentEnd(
  { store, runtime, onTrouble }: WatchContext,
  { sha256, endsAt }: AgentCredential,
  listener: () => void,
): () => void {
  let timer: Timer | undefined
  let isOver = false
  const set = (until: number | undefined) => {
    timer?.cancel()
    if (isOver || until === undefined) return
    timer = runtime.after(Math.max(0, until - runtime.now()), listener)
  }
  set(endsAt)
  const key = tokenBySha256(sha256)
  const stop = store.watch(key, () => {
    readRecord(store, key, records.secret).then((found) => {
      set(found?.record.type === 'agent' ? found.record.until : undefined)
    }, onTrouble)
  })
  return () => {
    isOver = true
    timer?.cancel()
    stop()
  }
}
