/**
 * What is made of an object once and kept as long as the object is: `key` must never change. What `more` says does not tell two
 * results apart; it is what the making takes besides. One argument more and no rest, so that a call allocates nothing.
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
