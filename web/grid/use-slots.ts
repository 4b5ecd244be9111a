import { useRef } from 'react'

/**
 * A number for each place that is drawn: one that stays drawn keeps its own, one that comes takes that of one that went. So the elements of a row
 * that goes out of sight show the next one that comes, and nothing is made anew while the grid is scrolled.
 */
export function useSlots(drawn: ReadonlySet<number>): ReadonlyMap<number, number> {
  const known = useRef<ReadonlyMap<number, number>>(new Map())
  return (known.current = slotsOf(drawn, known.current))
}

export function slotsOf(drawn: ReadonlySet<number>, before: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const slots = new Map<number, number>()
  const taken = new Set<number>()
  for (const place of drawn) {
    const slot = before.get(place)
    if (slot === undefined) continue
    slots.set(place, slot)
    taken.add(slot)
  }
  let next = 0
  for (const place of drawn) {
    if (slots.has(place)) continue
    while (taken.has(next)) next++
    slots.set(place, next++)
  }
  return slots
}
