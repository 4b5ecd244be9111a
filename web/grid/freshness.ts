import { query, send, type Resource } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { follow, type Change } from '../api/live.ts'
import { goneBy } from '../api/own-writes.ts'
import { accessOf } from '../api/record-rights.ts'
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
/** How many places away a record that has its place is looked for. */
const FARTHEST = 20

export interface Fresh {
  /** Of the list now. The rows that are shown are those of before. */
  readonly total: number | undefined
  /** Whether the list would be another one if it were read again. */
  readonly isOld: boolean
  /** A number that no state of any list had before: what is asked with it is asked anew. */
  readonly round: number
}

let rounds = 0

/** Of a list that is read now. */
export const unread = (): Fresh => ({ total: undefined, isOld: false, round: ++rounds })

/**
 * Follows what others change in a list, and shows it at its place: values at once, and what does not belong to the list or to its place any more in grey. No row
 * moves until the list is read again. Returns what ends it, and what is told of the person's own writes.
 */
export function keepFresh(
  list: ListAsked,
  me: string,
  pages: RecordPages,
  states: CellStates,
  tell: (fresh: Fresh) => void,
): { close(): void; wrote(records: readonly string[]): void; refreshed(): void } {
  let fresh: Fresh = unread()
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
      put({ total: meta?.total, isOld: fresh.isOld || meta?.total !== pages.total, round: ++rounds })
      if (ids.length === 0) return
      if (ids.some((id) => pages.record(pages.placeOf(id) ?? -1)?.meta?.access))
        pages.putAll([...(await accessOf(table, ids))].map(([id, meta]) => ({ type: `data${table}`, id, attributes: {}, meta })))
      // Without a filter, only the rights take records from the list.
      const isLess = filter !== undefined || meta?.total !== pages.total
      const unmatched = isLess ? await unmatchedOf(ids) : new Set<string>()
      const left = filter === undefined ? 'unseen' : 'unmatched'
      const misplaced = sorted.length === 0 ? new Set<string>() : await misplacedOf(ids.filter((id) => !unmatched.has(id)))
      for (const id of ids)
        if (states.gone(id) !== 'deleted') states.setGone(id, unmatched.has(id) ? left : misplaced.has(id) ? 'misplaced' : undefined)
      if (unmatched.size + misplaced.size > 0) put({ isOld: true })
    } catch {
      // The list stays as it is; the next change asks again.
    }
  }

  /** Those of these records that the service gives, in the order of the list. */
  async function ordered(filter: string): Promise<string[]> {
    const { table, sort } = list
    const path = `data${table}?${query({ 'page[size]': MOST, filter, sort, [`fields[data${table}]`]: 'id' })}`
    return (await send<readonly Resource[]>('GET', path)).data.map(({ id }) => id)
  }

  async function unmatchedOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const those = `in(id,${ids.join()})`
    const matching = new Set(await ordered(list.filter === undefined ? those : `and(${those},${list.filter})`))
    return new Set(ids.filter((id) => !matching.has(id)))
  }

  /** Which of these records do not come between those beside them any more. Only the service knows the order of texts. */
  async function misplacedOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = ids.slice(0, Math.floor(MOST / 3))
    const beside = new Map(asked.map((id) => [id, { before: nearest(id, -1, asked), after: nearest(id, 1, asked) }]))
    const all = new Set([...beside].flatMap(([id, { before, after }]) => [id, before, after].filter((one) => one !== undefined)))
    if (all.size < 2) return new Set()
    const order = await ordered(`in(id,${[...all].join()})`)
    // One that is not there has gone meanwhile: it says nothing.
    const isAfter = (one: string | undefined, other: string | undefined) =>
      one === undefined ||
      other === undefined ||
      !order.includes(one) ||
      !order.includes(other) ||
      order.indexOf(one) < order.indexOf(other)
    return new Set(
      [...beside].flatMap(([id, { before, after }]) => (order.includes(id) && !(isAfter(before, id) && isAfter(id, after)) ? [id] : [])),
    )
  }

  /** The record above or below that has its place: it has neither changed nor gone. */
  function nearest(id: string, by: 1 | -1, changed: readonly string[]): string | undefined {
    const place = pages.placeOf(id)
    for (let i = 1; place !== undefined && i <= FARTHEST; i++) {
      const other = pages.record(place + by * i)?.id
      if (other === undefined) return undefined
      if (!changed.includes(other) && states.gone(other) === undefined) return other
    }
    return undefined
  }

  /** The answer to one's own write has no time of the change. */
  function noteTime(place: number | undefined, at: string): void {
    const record = place === undefined ? undefined : pages.record(place)
    const held = record?.attributes['update_time']
    if (record && typeof held === 'string' && held < at) pages.put({ ...record, attributes: { update_time: at } })
  }

  async function change({ id, record, user, action, values, at }: Change): Promise<void> {
    const place = pages.placeOf(record)
    looking.ask()
    noteTime(place, at)
    if (pages.isIn(id, place)) return
    touched.add(record)
    if (place === undefined) return
    if (action === 'delete') return states.setGone(record, goneBy(user === me, list.table, record))
    if (action === 'restore') states.setGone(record, undefined)
    const before = pages.record(place)!.attributes
    const now = values ?? (await send<Resource>('GET', `data${list.table}/${record}`).catch(() => undefined))?.data.attributes
    if (!now) return
    for (const [name, value] of Object.entries(now)) {
      const is = states.of(record)?.get(name)?.is
      if (user !== me && before[name] !== value && (is === undefined || is === 'changed')) states.put(record, name, { is: 'changed' })
    }
    // It may belong to another place of the list, and another group.
    if (values && action === 'update' && sorted.some((name) => name === 'update_time' || Object.hasOwn(values, name))) put({ isOld: true })
    pages.put({ type: `data${list.table}`, id: record, attributes: now, asOf: id })
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
      put(unread())
    },
  }
}
