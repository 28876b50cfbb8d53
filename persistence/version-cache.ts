/**
 * The versions of recently used keys, so that a conditional commit need not read first. It may
 * forget but never err: every durable write passes through it. Holds the keys used last, up to its
 * bound.
 */
export interface VersionCache {
  has(key: string): boolean
  /** The key's version; `undefined`: it is absent (or unknown: ask `has`). */
  get(key: string): number | undefined
  set(key: string, version: number | undefined): void
}

export function createVersionCache(maxKeys: number): VersionCache {
  // Two generations: when the young one is full the old one is dropped and the young one grows old.
  let young = new Map<string, number | undefined>()
  let old = new Map<string, number | undefined>()
  const remember = (key: string, version: number | undefined) => {
    young.set(key, version)
    if (young.size * 2 >= maxKeys) {
      old = young
      young = new Map()
    }
  }
  return {
    has: (key) => young.has(key) || old.has(key),
    get(key) {
      if (young.has(key)) return young.get(key)
      const version = old.get(key)
      if (old.has(key)) remember(key, version)
      return version
    },
    set: remember,
  }
}
