/** The store as documents use it: a commit may make something visible as soon as it is durable. */
import type { Commit, CommitResult, Store } from '../../persistence/store.ts'
import { wrappedStore } from '../../persistence/wrapped-store.ts'

export interface ShowingStore extends Store {
  /**
   * What `show` tells others is told once the commit is durable, before this resolves, and never
   * where it is not. `show` changes nothing; it may be called ahead, its words kept until then.
   */
  commit(commit: Commit, show?: () => void): Promise<CommitResult>
}

/** A store in the same thread. */
export const showing = (store: Store): ShowingStore =>
  wrappedStore(store, {
    async commit(commit: Commit, show?: () => void) {
      const result = await store.commit(commit)
      if (result.ok) show?.()
      return result
    },
  })
