import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import type { Resource } from '../api/client.ts'
import { placeAct } from '../api/structure-acts.ts'
import { useWords } from '../i18n/words.ts'
import { moved } from './places.ts'
import type { Moving } from './table-line.tsx'
import { useActs } from './use-acts.ts'
import type { Doing } from './use-doing.ts'

export interface Shelf {
  /** Of the category; 0: none. */
  readonly id: number
  readonly title: string
  readonly tables: readonly Resource[]
}

/** What kind of thing is dragged: not a file or a text. */
const KIND = 'application/x-kartoteka-table'

/** Tables are put into another place or category by dragging, or with Alt and the arrows. */
export function useMoving(shelves: readonly Shelf[], doing: Doing) {
  const say = useWords()
  const act = useActs(doing)
  const [over, setOver] = useState<string>()
  const [said, setSaid] = useState('')
  const focused = useRef<{ readonly id: string; readonly shelf: number; readonly place: number }>(undefined)
  const dragged = useRef<string>(undefined)
  const shelfOf = (id: string) => shelves.find(({ tables }) => tables.some((one) => one.id === id))
  // It may have gone to another list, where it is another element.
  useEffect(() => {
    const wanted = focused.current
    if (!wanted || shelves.find(({ id }) => id === wanted.shelf)?.tables[wanted.place]?.id !== wanted.id) return
    focused.current = undefined
    document.querySelector<HTMLElement>(`[data-table="${wanted.id}"]`)?.focus()
  })

  /** Into the place of `beside`, or to the end of the category. */
  function put(id: string, to: Shelf, beside: string | undefined, position: 'before' | 'after', isFocus = false): void {
    const ids = to.tables.map((one) => one.id)
    const all = ids.includes(id) ? ids : [...ids, id]
    const next = beside === undefined || beside === id ? all : moved(all, new Set([id]), beside, position)
    if (next.join() === ids.join()) return
    const name = String(shelfOf(id)?.tables.find((one) => one.id === id)?.attributes['table_name'] ?? '')
    setSaid(say('adminPutAt', { name, place: next.indexOf(id) + 1, count: next.length, category: to.title }))
    if (isFocus) focused.current = { id, shelf: to.id, place: next.indexOf(id) }
    const more = shelfOf(id) === to ? {} : { category_id: to.id }
    // By the keyboard, step by step, its place is said with each.
    void act(name, () => placeAct('table', next, more), isFocus ? null : say('adminMoved', { name }))
  }

  function step(event: KeyboardEvent, id: string, by: -1 | 1): void {
    event.preventDefault()
    const at = shelves.findIndex(({ tables }) => tables.some((one) => one.id === id))
    const here = shelves[at]!
    const beside = here.tables[here.tables.findIndex((one) => one.id === id) + by]
    if (beside) put(id, here, beside.id, by < 0 ? 'before' : 'after', true)
    else {
      const other = shelves[at + by]
      if (other) put(id, other, by > 0 ? other.tables[0]?.id : undefined, 'before', true)
    }
  }

  const drop = (event: DragEvent, to: Shelf, beside: string | undefined) => {
    if (dragged.current === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const isBelow = beside !== undefined && to.tables.findIndex((one) => one.id === beside) > to.tables.findIndex((one) => one.id === dragged.current) && shelfOf(dragged.current) === to // prettier-ignore
    put(dragged.current, to, beside, isBelow ? 'after' : 'before')
    setOver(undefined)
  }
  const hover = (event: DragEvent, key: string) => {
    if (dragged.current === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setOver(key)
  }
  return {
    said,
    /** For the list of a category. */
    ofShelf: (to: Shelf) => ({
      'data-over': over === `shelf ${to.id}` || undefined,
      onDragOver: (event: DragEvent) => hover(event, `shelf ${to.id}`),
      onDrop: (event: DragEvent) => drop(event, to, undefined),
    }),
    ofTable: (id: string, to: Shelf): Moving => ({
      isOver: over === id,
      onKeyDown(event) {
        const by =
          event.altKey && !event.ctrlKey && !event.shiftKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key as 'ArrowUp'] : undefined
        if (by !== undefined) step(event, id, by)
      },
      onDragStart({ dataTransfer }) {
        dragged.current = id
        dataTransfer.setData(KIND, id)
        dataTransfer.effectAllowed = 'move'
      },
      onDragEnd() {
        dragged.current = undefined
        setOver(undefined)
      },
      onDragOver: (event) => id !== dragged.current && hover(event, id),
      onDrop: (event) => drop(event, to, id),
    }),
  }
}
