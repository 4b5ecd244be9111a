/**
 * Sets an entry as the last of a map. If the map then has more than `most` entries, the first is removed and returned. Callers that set
 * an entry again with each use get a cache that removes the least recently used entry.
 */
export function setLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): readonly [K, V] | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return undefined
  const first = map.entries().next().value!
  map.delete(first[0])
  return first
}
