/**
 * Puts an entry last in a map; where there are more than `most` then, the first goes. Whoever sets what they use again has the
 * least recently used go. Gives the entry that went.
 */
export function setLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): readonly [K, V] | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return undefined
  const first = map.entries().next().value!
  map.delete(first[0])
  return first
}
