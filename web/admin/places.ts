import type { Resource } from '../api/client.ts'

/** Resources in the order that administrators have given them. */
export const inPlaces = (all: readonly Resource[], place: string): readonly Resource[] =>
  [...all].sort(
    (one, other) => Number(one.attributes[place] ?? 0) - Number(other.attributes[place] ?? 0) || Number(one.id) - Number(other.id),
  )

/** The list after some of it have been put before or behind another. */
export function moved<Item>(
  items: readonly Item[],
  some: ReadonlySet<Item>,
  target: Item,
  position: 'before' | 'after' | 'on',
): readonly Item[] {
  if (some.has(target)) return items
  const rest = items.filter((one) => !some.has(one))
  const at = rest.indexOf(target) + (position === 'after' ? 1 : 0)
  return [...rest.slice(0, at), ...items.filter((one) => some.has(one)), ...rest.slice(at)]
}

/** The list after one of it has changed places with its neighbour. */
export function shifted<Item>(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const other = at + by
  if (other < 0 || other >= items.length) return items
  return items.with(at, items[other]!).with(other, items[at]!)
}
