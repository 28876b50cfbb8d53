/** The store as documents use it: a commit may make something visible as soon as it is durable. */
import type { Commit, CommitResult, Store } from '../../persistence/store.ts'

export interface ShowingStore extends Store {
  /**
   * What `show` tells others is told once the commit is durable, before this resolves, and never
   * where it is not. `show` changes nothing; it may be called ahead, its words kept until then.
   */
  commit(commit: Commit, show?: () => void): Promise<CommitResult>
}

/** A store in the same thread. */
export function showing(store: Store): ShowingStore {
  return {
    async commit(commit, show) {
      const result = await store.commit(commit)
      if (result.ok) show?.()
      return result
    },
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    scan: (range) => store.scan(range),
    scanRaw: (range) => store.scanRaw(range),
    deleteRange: (range) => store.deleteRange(range),
    compact: (range) => store.compact(range),
    watch: (prefix, listener) => store.watch(prefix, listener),
    close: () => store.close(),
  }
}
