/**
 * Deleting a range of keys for engines that have nothing better: by scanning it, so many keys a
 * commit. Knows no engine.
 */
import type { Range, Store } from './store.ts'

const keysAtOnce = 1000

export async function deletingRange(
  store: Pick<Store, 'scanRaw' | 'commit'>,
  range: Range,
): Promise<number> {
  let deleted = 0
  let deletes: string[] = []
  const flush = async () => {
    if (deletes.length === 0) return
    await store.commit({ deletes })
    deleted += deletes.length
    deletes = []
  }
  for await (const record of store.scanRaw(range)) {
    if ('damaged' in record) continue
    deletes.push(record.key)
    if (deletes.length === keysAtOnce) await flush()
  }
  await flush()
  return deleted
}
