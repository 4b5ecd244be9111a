import { useRef } from 'react'

/**
 * A number for each place that is drawn: one that stays drawn keeps its own, one that comes takes that of one that went. So the elements of a row
 * that goes out of sight show the next one that comes, and nothing is made anew while the grid is scrolled.
 */
export function useSlots(drawn: ReadonlySet<number>, edited: Edited | undefined): ReadonlyMap<number, number> {
  const known = useRef<ReadonlyMap<number, number>>(new Map())
  const last = useRef<Edited>(undefined)
  const isSame = edited !== undefined && last.current?.id === edited.id
  const before = isSame ? movedWith(known.current, last.current!.place, edited.place) : known.current
  last.current = edited
  return (known.current = slotsOf(drawn, before))
}

/** The record that is edited. */
interface Edited {
  readonly id: string
  readonly place: number
}

/** The elements of a row that moves go with it, so that an editor in it keeps its caret and what has been looked for. */
export function movedWith(slots: ReadonlyMap<number, number>, from: number, to: number): ReadonlyMap<number, number> {
  const slot = slots.get(from)
  if (slot === undefined || from === to) return slots
  const other = slots.get(to)
  const moved = new Map(slots).set(to, slot)
  if (other === undefined) moved.delete(from)
  else moved.set(from, other)
  return moved
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
