import { useState } from 'react'
import type { Resource } from '../api/client.ts'
import { listed } from '../api/live-lists.ts'
import { pagesOf, type ListAsked } from '../api/pages.ts'
import { queries, recordsWith } from '../api/queries.ts'
import { isBarred } from '../api/record-rights.ts'
import type { Rows } from './use-chosen.ts'

/** Records that are asked for by their ids at once. */
const AT_ONCE = 50

interface Picking {
  readonly of: string
  readonly picked: ReadonlyMap<string, Resource>
  readonly isAll: boolean
}

export interface Picked {
  /** Whether the person is choosing records. */
  readonly isOn: boolean
  readonly isAll: boolean
  readonly count: number
  /** Undefined: none. */
  readonly rows: Rows | undefined
  has(record: string): boolean
  /** Begins or ends it. */
  turn(isOn: boolean): void
  toggle(record: Resource): void
  /** All of the list, or none. */
  all(areAll: boolean): void
}

/** Records that are chosen one by one, on several pages of a list, or all of it. */
export function usePicked(asked: ListAsked, total: number): Picked {
  const of = JSON.stringify([asked.table, asked.filter])
  const [state, setState] = useState<Picking>()
  // Of another list nothing is chosen.
  const now = state?.of === of ? state : undefined
  const picked = now?.picked ?? new Map<string, Resource>()
  const isAll = now?.isAll === true
  const count = isAll ? total : picked.size
  const put = (next: ReadonlyMap<string, Resource>, areAll = false) => setState({ of, picked: next, isAll: areAll })

  /** As they are now: the person may have changed them since they were chosen. */
  async function read(): Promise<Resource[]> {
    if (isAll) return total === 0 ? [] : pagesOf(asked).read(0, total - 1)
    const missing = [...picked.keys()].filter((id) => !listed(asked.table, id))
    const found = new Map<string, Resource>()
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      const { data } = await queries.fetchQuery({ ...recordsWith(asked.table, missing.slice(i, i + AT_ONCE)), staleTime: 0 })
      for (const one of data) found.set(one.id, one)
    }
    return [...picked].flatMap(([id, before]) => {
      const record = listed(asked.table, id) ?? found.get(id)
      return record ? [{ ...before, ...record, ...(record.meta?.access ? {} : { meta: before.meta }) }] : []
    })
  }
  return {
    isOn: now !== undefined,
    isAll,
    count,
    rows:
      count === 0
        ? undefined
        : { count, isWhole: isAll, read, mayHave: (right) => isAll || [...picked.values()].some((one) => !isBarred(one, right)) },
    has: (record) => isAll || picked.has(record),
    turn: (isOn) => (isOn ? put(new Map()) : setState(undefined)),
    toggle(record) {
      const after = new Map(picked)
      if (!after.delete(record.id)) after.set(record.id, record)
      put(after)
    },
    all: (areAll) => put(new Map(), areAll),
  }
}
