import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { idsOfList, queries, records, type ListOf } from '../api/queries.ts'

/* Lists whose records are opened beside them: what comes before and after a record, at any place of a list of any length. */

export interface Walk {
  readonly table: number
  /** The same for the same list, also after a reload. */
  readonly name: string
  /** Undefined until it is known. */
  readonly total: number | undefined
  /** The place, from 0, of a record that has come to the browser. */
  placeOf(record: string): number | undefined
  /** The record at a place, asked for if it has not come; undefined: there is none. @throws ApiError */
  at(place: number): Promise<string | undefined>
  /** Brings a place into sight. */
  show?(place: number): void
  /** What the list has of a record, to be shown until the record has come. */
  known?(record: string): Document<Resource> | undefined
}

/** Records that are asked for at once. */
const PAGE = 50

/** A list of which the records `ids` are shown, from the place `first`. `page`: of its records from a place on. */
export const walkOf = (
  asked: Omit<ListOf, 'offset' | 'limit'>,
  total: number,
  first: number,
  ids: readonly string[],
  page = (offset: number) => queries.fetchQuery(records({ ...asked, offset, limit: PAGE })),
): Walk => ({
  table: asked.table,
  name: JSON.stringify([asked.table, asked.filter, asked.sort]),
  total,
  placeOf(record) {
    const at = ids.indexOf(record)
    return at < 0 ? undefined : first + at
  },
  async at(place) {
    const offset = Math.floor(place / PAGE) * PAGE
    return (await page(offset)).data[place - offset]?.id
  },
})

/** Records in an order of their own, all of which are shown. */
export const walkAmong = (table: number, name: string, ids: readonly string[]): Walk => ({
  table,
  name,
  total: ids.length,
  placeOf(record) {
    const at = ids.indexOf(record)
    return at < 0 ? undefined : at
  },
  at: (place) => Promise.resolve(ids[place]),
})

let walks: readonly Walk[] = []
const listeners = new Set<() => void>()
const put = (next: readonly Walk[]) => {
  walks = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The list can be walked while it is shown. Undefined: it has not come. */
export function useOffered(make: () => Walk | undefined, of: readonly unknown[]): void {
  useEffect(() => {
    const walk = make()
    if (!walk) return
    put([...walks, walk])
    return () => put(walks.filter((one) => one !== walk))
  }, of)
}

interface Place {
  readonly record: string
  readonly name: string
  readonly place: number
}

const KEY = 'place of the open record'

/** Over a reload: the list may begin far from the record then. */
function keptPlace(): Place | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function keepPlace(place: Place): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place))
  } catch {
    // A browser may allow no storage: then the place is not known after a reload.
  }
}

/** Where a record is shown as a page, the list beside which it was open last can be walked on. */
export function useListBefore(table: number, record: string): void {
  // The page of a record of another table is the same component.
  const before = useMemo(() => {
    const kept = keptPlace()
    const asked = kept?.record === record ? askedBy(kept.name) : undefined
    return asked?.table === table ? { asked, offset: Math.floor(kept!.place / PAGE) * PAGE } : undefined
  }, [table])
  const idsFrom = (offset: number) => idsOfList({ table, ...before?.asked, offset, limit: PAGE })
  const { data } = useQuery({ ...idsFrom(before?.offset ?? 0), enabled: before !== undefined })
  useOffered(
    () =>
      before &&
      data &&
      walkOf(before.asked, data.meta?.total ?? 0, before.offset, data.data.map(({ id }) => id), (offset) => queries.fetchQuery(idsFrom(offset))), // prettier-ignore
    [before, data],
  )
}

/** What a list is asked by, as its name says it. A name may be that of records in an order of their own. */
function askedBy(name: string): Pick<ListOf, 'table' | 'filter' | 'sort'> | undefined {
  try {
    const [table, filter, sort] = JSON.parse(name) as unknown[]
    return typeof table === 'number'
      ? { table, filter: filter ? String(filter) : undefined, sort: sort ? String(sort) : undefined }
      : undefined
  } catch {
    return undefined
  }
}

/** Where the open record is in its list, and what leads to those beside it. `open`: is told of the other record. */
export function useWalk(table: number, record: string, open: (record: string) => void, fail: (error: unknown) => void) {
  const all = useSyncExternalStore(subscribe, () => walks).filter((one) => one.table === table)
  const last = useRef<Place>(undefined)
  last.current ??= keptPlace()
  // Where the record has not come, the place to which the person has gone.
  const gone = last.current?.record === record ? last.current : undefined
  const walk = all.find((one) => one.placeOf(record) !== undefined) ?? all.find(({ name }) => name === gone?.name)
  const place = walk && (walk.placeOf(record) ?? gone?.place)
  /** The place to which keys that were pressed fast lead. */
  const wanted = useRef<number>(undefined)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    wanted.current = undefined
  }, [record])
  useEffect(() => {
    if (!walk || place === undefined) return
    last.current = { record, name: walk.name, place }
    keepPlace(last.current)
    if (shown.current !== record) walk.show?.(place)
    shown.current = record
  }, [record, walk, place])

  const leadsTo = (by: 1 | -1): number | undefined => {
    const to = (wanted.current ?? place ?? 0) + by
    return walk && place !== undefined && to >= 0 && to < (walk.total ?? Infinity) ? to : undefined
  }
  const go = async (by: 1 | -1) => {
    const to = leadsTo(by)
    if (to === undefined || !walk) return
    wanted.current = to
    try {
      const next = await walk.at(to)
      if (wanted.current !== to) return
      if (next === undefined || next === record) return void (wanted.current = undefined)
      last.current = { record: next, name: walk.name, place: to }
      open(next)
    } catch (error) {
      wanted.current = undefined
      fail(error)
    }
  }
  return {
    place,
    total: walk?.total,
    known: () => walk?.known?.(record),
    next: leadsTo(1) !== undefined && (() => void go(1)),
    previous: leadsTo(-1) !== undefined && (() => void go(-1)),
  }
}
