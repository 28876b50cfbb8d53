/**
 * Who wants a hint when keys change. A hint only: it may come late, twice or, from another process,
 * never. Listeners run after the commit on their own, so that none can break it by throwing.
 */
export interface Watchers {
  add(prefix: string, listener: (key: string) => void): () => void
  tell(keys: Iterable<string>): void
}

export function createWatchers(): Watchers {
  const watchers = new Set<{ prefix: string; listener: (key: string) => void }>()
  return {
    add(prefix, listener) {
      const watcher = { prefix, listener }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    tell(keys) {
      if (watchers.size === 0) return
      for (const key of keys) {
        for (const { prefix, listener } of [...watchers]) {
          if (key.startsWith(prefix)) queueMicrotask(() => listener(key))
        }
      }
    },
  }
}
