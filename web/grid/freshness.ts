import { query, send, type Resource } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { follow, type Change } from '../api/live.ts'
import { isShown } from '../api/shown-records.ts'
import type { ListAsked, RecordPages } from '../api/pages.ts'
import { inTurns } from '../api/in-turns.ts'
import { keysOf } from './order.ts'
import type { CellStates } from './states.ts'

/** Milliseconds for which changes are gathered before the service is asked what they mean for the list. */
const GATHERED = 400
/** How many times as long as the service needed for the last answer: where others change a large table all the time, it has more to do than this. */
const REST = 4
/** The most records whose place in the list is asked for at once. */
const MOST = 100

export interface Fresh {
  /** Of the list now. The rows that are shown are those of before. */
  readonly total: number | undefined
  /** Whether the list would be another one if it were read again. */
  readonly isOld: boolean
  /** Another number after each change. */
  readonly round: number
}

/**
 * Follows what others change in a list, and shows it at its place: values at once, and what does not belong to the list any more in grey. No row
 * moves until the list is read again. Returns what ends it, and what is told of the person's own writes.
 */
export function keepFresh(
  list: ListAsked,
  me: string,
  pages: RecordPages,
  states: CellStates,
  tell: (fresh: Fresh) => void,
): { close(): void; wrote(records: readonly string[]): void; refreshed(): void } {
  let fresh: Fresh = { total: undefined, isOld: false, round: 0 }
  const touched = new Set<string>()
  const sorted = keysOf(list.sort).map((key) => key.replace(/^-/, ''))
  const put = (change: Partial<Fresh>) => {
    fresh = { ...fresh, ...change }
    tell(fresh)
  }
  const looking = inTurns(look, { least: GATHERED, rest: REST })

  async function look(): Promise<void> {
    const ids = [...touched].filter((id) => pages.placeOf(id) !== undefined).slice(0, MOST)
    touched.clear()
    const { table, filter } = list
    try {
      const { meta } = await send<readonly Resource[]>('GET', `data${table}?${query({ 'page[limit]': 1, filter })}`)
      put({ total: meta?.total, isOld: fresh.isOld || meta?.total !== pages.total, round: fresh.round + 1 })
      if (filter === undefined || ids.length === 0) return
      const still = await send<readonly Resource[]>(
        'GET',
        `data${table}?${query({ 'page[size]': MOST, filter: `and(in(id,${ids.join()}),${filter})`, [`fields[data${table}]`]: 'id' })}`,
      )
      const matching = new Set(still.data.map(({ id }) => id))
      for (const id of ids) if (states.gone(id) !== 'deleted') states.setGone(id, matching.has(id) ? undefined : 'unmatched')
      if (matching.size < ids.length) put({ isOld: true })
    } catch {
      // The list stays as it is; the next change asks again.
    }
  }

  async function change({ record, user, action, values }: Change): Promise<void> {
    const place = pages.placeOf(record)
    touched.add(record)
    looking.ask()
    if (place === undefined) return
    if (action === 'delete') return states.setGone(record, 'deleted')
    if (action === 'restore') states.setGone(record, undefined)
    const before = pages.record(place)!.attributes
    const now = values ?? (await send<Resource>('GET', `data${list.table}/${record}`).catch(() => undefined))?.data.attributes
    if (!now) return
    for (const [name, value] of Object.entries(now)) {
      const is = states.of(record)?.get(name)?.is
      if (user !== me && before[name] !== value && (is === undefined || is === 'changed')) states.put(record, name, { is: 'changed' })
    }
    // It may belong to another place of the list, and another group.
    if (values && action === 'update' && sorted.some((name) => Object.hasOwn(values, name))) put({ isOld: true })
    pages.put({ type: `data${list.table}`, id: record, attributes: now })
    // It may be opened next. Where it is open, its card follows it by itself.
    if (!isShown(list.table, record))
      for (const name of ['record', 'history']) void queries.invalidateQueries({ queryKey: [name, list.table, record] })
  }

  const close = follow(
    list.table,
    (one) => void change(one),
    () => pages.refresh(),
  )
  return {
    close() {
      looking.close()
      close()
    },
    wrote(records) {
      for (const record of records) touched.add(record)
      looking.ask()
    },
    refreshed() {
      states.refresh()
      put({ total: undefined, isOld: false, round: fresh.round + 1 })
    },
  }
}
