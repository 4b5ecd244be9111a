/**
 * A function that calls `make` once for each object and keeps the result while the object exists. The object must never change. `more` is
 * passed on to `make`, but only `key` selects the result. It is one argument, not a rest parameter, so that a call allocates nothing.
 */
export function memo<K extends WeakKey, V, M = void>(make: (key: K, more: M) => V & ({} | null)): (key: K, more: M) => V {
  const made = new WeakMap<K, V>()
  return (key, more) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key, more)
      made.set(key, value)
    }
    return value
  }
}
