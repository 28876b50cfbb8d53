/** A store that does some things in another way than the store below it. */
import type { Store } from './store.ts'

/** Everything that `own` does not have is as `store` does it. It has no timeline of its own. */
export function wrappedStore<Own extends Partial<Store>>(store: Store, own: Own): Store & Own {
  return {
    commit: (commit) => store.commit(commit),
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    scan: (range) => store.scan(range),
    scanRaw: (range) => store.scanRaw(range),
    deleteRange: (range) => store.deleteRange(range),
    compact: (range) => store.compact(range),
    watch: (prefix, listener) => store.watch(prefix, listener),
    close: () => store.close(),
    ...own,
  }
}
