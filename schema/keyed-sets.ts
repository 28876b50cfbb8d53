/** Sets by key, of which none is empty. */

export function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const found = sets.get(key)
  if (found === undefined) sets.set(key, new Set([value]))
  else found.add(value)
}

export function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const found = sets.get(key)
  found?.delete(value)
  if (found?.size === 0) sets.delete(key)
}
