/** The function, called once for each object: for what is worked out from what never changes. */
export function remembered<Key extends object, Value extends NonNullable<unknown>>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = make(key)
      known.set(key, value)
    }
    return value
  }
}
