/**
 * Who wants a hint when keys change. A hint only: it may come late, twice or, from another process,
 * never. Listeners run after the commit on their own, so that none can break it by throwing.
 * They are found by the prefixes of a key, not by asking each: every open socket watches.
 */
export interface Watchers {
  add(prefix: string, listener: (key: string) => void): () => void
  tell(keys: Iterable<string>): void
  /** Any key may have changed; each listener is told its own prefix. */
  tellAll(): void
}

interface Watcher {
  readonly listener: (key: string) => void
}

export function createWatchers(): Watchers {
  const byPrefix = new Map<string, Set<Watcher>>()
  /** How many of the prefixes have each length. */
  const lengths = new Map<number, number>()
  const count = (length: number, change: number) => {
    const now = (lengths.get(length) ?? 0) + change
    if (now === 0) lengths.delete(length)
    else lengths.set(length, now)
  }
  return {
    add(prefix, listener) {
      const watcher = { listener }
      const known = byPrefix.get(prefix)
      if (known === undefined) {
        byPrefix.set(prefix, new Set([watcher]))
        count(prefix.length, 1)
      } else known.add(watcher)
      return () => {
        const watchers = byPrefix.get(prefix)
        if (!watchers?.delete(watcher) || watchers.size > 0) return
        byPrefix.delete(prefix)
        count(prefix.length, -1)
      }
    },
    tellAll() {
      for (const [prefix, watchers] of byPrefix) {
        for (const { listener } of watchers) queueMicrotask(() => listener(prefix))
      }
    },
    tell(keys) {
      for (const key of keys) {
        for (const length of lengths.keys()) {
          const watchers = length <= key.length ? byPrefix.get(key.slice(0, length)) : undefined
          for (const { listener } of watchers ?? []) queueMicrotask(() => listener(key))
        }
      }
    },
  }
}
