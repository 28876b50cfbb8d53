/**
 * The epoch names one unbroken life of the data. Every new store draws one, a backup draws another,
 * so after a restore each client that remembers the old one knows that its copy is ahead of ours.
 */
import { randomName } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'
import { metaKey } from './keys.ts'
import type { Commit, Store } from './store.ts'

export const epochKey = metaKey('epoch')

/** A new epoch's stored bytes: 20 characters, 103 random bits. */
export function newEpoch(runtime: Runtime): Uint8Array {
  return new TextEncoder().encode(randomName(runtime, 20))
}

/** The store's epoch (interface extension `?epoch=`, architecture of sockets). */
export async function readEpoch(store: Store): Promise<string> {
  const stored = await store.get(epochKey)
  if (stored === undefined) throw new TypeError('this store has no epoch')
  return new TextDecoder().decode(stored.value)
}

const timelineKey = metaKey('timeline')

/** What is stored with a new epoch, on which conditions. */
export type WithEpoch = (store: Store) => Promise<Required<Pick<Commit, 'checks' | 'puts'>>>

/**
 * The store's epoch. Where what is below the store has failed over since it was last looked at, it
 * is a new one, stored with what `withEpoch` says. Whoever looks first renews it.
 */
export async function currentEpoch(
  store: Store,
  runtime: Runtime,
  withEpoch: WithEpoch,
): Promise<string> {
  const timeline = await store.timeline?.()
  if (timeline === undefined) return readEpoch(store)
  for (;;) {
    const [stored, named] = await store.getMany([timelineKey, epochKey])
    const known = stored && new TextDecoder().decode(stored.value)
    if (known === timeline && named) return new TextDecoder().decode(named.value)
    // At the first look nothing can have been lost.
    const more = known === undefined ? { checks: [], puts: [] } : await withEpoch(store)
    const epoch = known === undefined ? [] : [{ key: epochKey, value: newEpoch(runtime) }]
    await store.commit({
      checks: [{ key: timelineKey, version: stored?.version }, ...more.checks],
      puts: [
        { key: timelineKey, value: new TextEncoder().encode(timeline) },
        ...epoch,
        ...more.puts,
      ],
    })
  }
}
