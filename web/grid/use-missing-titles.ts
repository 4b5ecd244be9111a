import { useEffect, useRef } from 'react'
import type { RecordPages } from '../api/pages.ts'
import { queries, recordsWith } from '../api/queries.ts'
import { isLater } from '../api/write-queue.ts'
import { idsIn } from '../fields/ids.ts'
import { mayRead } from '../fields/readable.ts'
import type { Column } from './columns.ts'
import type { CellStates } from './states.ts'

/** The most titles that are asked for at once. */
const MOST = 50

/**
 * Asks for the records that cells name and that did not come with the list, as after a paste or a change by others, so that the cells show their
 * titles. Each is asked for once: one that the person may not see does not come. `drawn`: places; none while the grid is scrolled.
 */
export function useMissingTitles(pages: RecordPages, states: CellStates, columns: readonly Column[], drawn: Iterable<number>): void {
  const asked = useRef({ pages, keys: new Set<string>() })
  useEffect(() => {
    if (asked.current.pages !== pages) asked.current = { pages, keys: new Set() }
    const { keys } = asked.current
    const missing = new Map<number, string[]>()
    const links = columns.flatMap(({ field: { name, target } }) => (target !== null && mayRead(target) ? [{ name, target }] : []))
    if (links.length === 0) return
    for (const place of drawn) {
      const record = pages.record(place)
      if (!record) continue
      for (const { name, target } of links)
        for (const id of idsIn(String(states.value(record, name) ?? ''))) {
          const key = `data${target} ${id}`
          const ids = missing.get(target) ?? []
          if (!/^[1-9]\d*$/.test(id) || keys.has(key) || pages.included.has(key) || ids.length === MOST) continue
          keys.add(key)
          missing.set(target, [...ids, id])
        }
    }
    for (const [target, ids] of missing)
      void queries.fetchQuery(recordsWith(target, ids)).then(
        ({ data }) => pages.bring(data),
        // Where nobody answered, it is asked for again.
        (error: unknown) => isLater(error) && ids.forEach((id) => keys.delete(`data${target} ${id}`)),
      )
  })
}
