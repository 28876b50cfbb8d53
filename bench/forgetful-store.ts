/**
 * The durable store up to the disk: commits are put together, judged and sealed as for LevelDB, and
 * then dropped. What was written cannot be read again.
 */
import { GroupCommit } from '../persistence/group-commit.ts'
import type { Store } from '../persistence/store.ts'
import { createWatchers } from '../persistence/watchers.ts'

export function openForgetfulStore(): Store {
  const watchers = createWatchers()
  const commits = new GroupCommit({
    lastVersion: 0,
    write: async () => {},
    readVersions: async (keys) => keys.map(() => undefined),
    written: (writes) => watchers.tell(writes.keys()),
    failed: (failure) => {
      throw failure
    },
  })
  return {
    commit: (commit) => commits.commit(commit),
    get: async () => undefined,
    getMany: async (keys) => keys.map(() => undefined),
    async *scan() {},
    async *scanRaw() {},
    deleteRange: async () => 0,
    compact: async () => {},
    watch: (prefix, listener) => watchers.add(prefix, listener),
    close: () => commits.close(),
  }
}
