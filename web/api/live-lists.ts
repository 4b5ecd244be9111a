import { query, send, type Document, type Resource } from './client.ts'
import { inTurns } from './in-turns.ts'
import { isTouched } from './lanes.ts'
import { follow, type Change } from './live.ts'
import { goneBy } from './own-writes.ts'
import { queries } from './queries.ts'
import { accessOf } from './record-rights.ts'
import { isShown } from './shown-records.ts'

/* Lists that are kept as answers (cards, lanes of a board, days of a calendar) and figures of groups, while others change the table. */

/** Milliseconds for which changes are gathered before the service is asked what they mean for the list. */
const GATHERED = 400
/** How many times as long as the service needed for the last answer: where others change a large table all the time, it has more to do than this. */
const REST = 4
/** The most records of which it is asked at once whether they belong to the list. */
const MOST = 100
/** Milliseconds for which it is told that others have changed a record. */
const GLANCE = 1600

/** Why a record does not belong to the list any more: in the trash, not of the filter, or not one that the person may see. */
type Away = 'deleted' | 'unmatched' | 'unseen'

export interface Live {
  /** Records that do not belong to the list any more: they stay at their place. */
  readonly gone: ReadonlyMap<string, Away>
  /** Records that somebody else has just changed. */
  readonly changed: ReadonlySet<string>
  /** Of the list now. The records that are shown are those of before. */
  readonly total: number | undefined
  /** Whether the list would be another one if it were read again. */
  readonly isOld: boolean
}

export const STILL: Live = { gone: new Map(), changed: new Set(), total: undefined, isOld: false }

export interface LiveList {
  readonly table: number
  readonly filter: string | undefined
  /** Attributes that decide where a record stands. */
  readonly places: readonly string[]
}

/** A record of a list. `was`: what it held when the list was read, where others have changed it since. */
type Listed = Resource & { readonly was?: Resource['attributes'] }

/** The attributes by which a list is sorted. */
export const attributesOf = (sort: string | undefined): string[] => (sort ?? '').split(',').map((key) => key.replace(/^-/, '')).filter((name) => name !== '') // prettier-ignore

type Kept = Document<readonly Listed[]>

/** What decided the place of a record when its list was read. */
export const readAs = (record: Listed): Resource['attributes'] => record.was ?? record.attributes

/** The answers that are shown now; with `change`, those that were read before that position of the log. */
const lists = (table: number, change = Infinity) =>
  queries
    .getQueryCache()
    .findAll({ queryKey: ['records', table], type: 'active' })
    .flatMap(({ queryKey, queryHash: hash, state }) => {
      const kept = state.data as Kept | undefined
      const filter = (queryKey[2] as { readonly filter?: string } | undefined)?.filter
      const isOlder = Array.isArray(kept?.data) && (kept.cursor ?? -1) < change
      return isOlder ? [{ queryKey, hash, filter, kept, readAt: state.dataUpdatedAt }] : []
    })

/** A record as the lists that are shown have it. `filter`: as that of this filter has it. */
export const listed = (table: number, id: string, filter?: string): Listed | undefined =>
  lists(table)
    .filter((one) => filter === undefined || one.filter === filter)
    .flatMap(({ kept }) => kept.data.filter((one) => one.id === id))[0]

/** Resolves when the lists that are being read have come. `isNew`: they are read in any case. */
export const listsRead = (table: number, isNew = false): Promise<unknown> =>
  queries.refetchQueries({ queryKey: ['records', table], type: 'active', ...(!isNew && { fetchStatus: 'fetching' }) }, { cancelRefetch: isNew }) // prettier-ignore

/** Puts what a record holds now, and what may be done with it, into all lists that show it, at its place. */
function put(table: number, id: string, attributes: Resource['attributes'], meta?: Resource['meta'], change?: number): void {
  for (const { queryKey, kept, readAt } of lists(table, change))
    if (kept.data.some((one) => one.id === id))
      queries.setQueryData<Kept>(
        queryKey,
        {
          ...kept,
          data: kept.data.map((one) =>
            one.id === id ? { ...one, ...(meta && { meta }), attributes: { ...one.attributes, ...attributes }, was: readAs(one) } : one,
          ),
        },
        { updatedAt: readAt },
      )
}

/**
 * Follows what others change in a list. No record moves until the list is read again. `total`: how many records it had when it was read. Returns
 * what ends it.
 */
export function keepListsFresh(
  { table, filter, places }: LiveList,
  me: string,
  total: () => number | undefined,
  tell: (live: Live) => void,
): { close(): void; refresh(): void } {
  let live = STILL
  const touched = new Set<string>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  /** Which of the answers are old, and since when. */
  const old = new Map<string, number>()
  const say = (change: Partial<Live>) => tell((live = { ...live, ...change }))
  const setOld = (those: ReturnType<typeof lists>) => {
    for (const { hash } of those) old.set(hash, Date.now())
    if (those.length > 0) say({ isOld: true })
  }
  const setGone = (ids: readonly string[], why: (id: string) => Away | undefined) => {
    const gone = new Map(live.gone)
    for (const id of ids) {
      const one = why(id)
      if (one) gone.set(id, one)
      else gone.delete(id)
    }
    say({ gone })
  }
  const looking = inTurns(look, { least: GATHERED, rest: REST })

  async function look(): Promise<void> {
    const ids = [...touched].filter((id) => listed(table, id)).slice(0, MOST)
    touched.clear()
    const figures = queries.invalidateQueries({ predicate: ({ queryKey: [kind, of, how] }) => kind === 'records' && of === table && isGrouped(how) }) // prettier-ignore
    try {
      const { meta } = await send<readonly Resource[]>('GET', `data${table}?${query({ 'page[limit]': 1, filter })}`)
      say({ total: meta?.total })
      const isOther = meta?.total !== (total() ?? meta?.total)
      if (isOther) setOld(lists(table))
      if (ids.some((id) => listed(table, id)?.meta?.access)) for (const [id, may] of await accessOf(table, ids)) put(table, id, {}, may)
      // Without a filter, only the rights take records from the list.
      if (ids.length > 0 && (filter !== undefined || isOther)) {
        const those = `in(id,${ids.join()})`
        const left = filter === undefined ? 'unseen' : 'unmatched'
        const asked = query({
          'page[size]': MOST,
          filter: filter === undefined ? those : `and(${those},${filter})`,
          [`fields[data${table}]`]: 'id',
        })
        const still = await send<readonly Resource[]>('GET', `data${table}?${asked}`)
        const matching = new Set(still.data.map(({ id }) => id))
        setGone(ids, (id) => (live.gone.get(id) === 'deleted' ? 'deleted' : matching.has(id) ? undefined : left))
        setOld(lists(table).filter(({ kept }) => kept.data.some(({ id }) => ids.includes(id) && !matching.has(id))))
      }
    } catch {
      // The list stays as it is; the next change asks again.
    }
    await figures
  }

  async function change({ id, record, user, action, values }: Change): Promise<void> {
    looking.ask()
    const older = lists(table, id)
    // They were read after that.
    if (older.length === 0 && lists(table).length > 0) return
    touched.add(record)
    const before = older.flatMap(({ kept }) => kept.data.filter((one) => one.id === record))[0]?.attributes
    if (!before) return
    if (action === 'delete') return setGone([record], () => goneBy(user === me, table, record))
    if (action === 'restore') setGone([record], () => undefined)
    const now = values ?? (await send<Resource>('GET', `data${table}/${record}`).catch(() => undefined))?.data.attributes
    if (!now) return
    const isNew = Object.entries(now).some(([name, value]) => before[name] !== value)
    if (places.some((name) => Object.hasOwn(now, name) && now[name] !== before[name])) {
      const expected = Object.fromEntries(Object.keys(now).map((name) => [name, [before[name]]]))
      setOld(older.filter(({ filter: its }) => isTouched(table, its, [{ now: { ...before, ...now }, values: now, expected }])))
    }
    put(table, record, now, undefined, id)
    if (isNew && user !== me) glance(record)
    // It may be opened next. Where it is open, its card follows it by itself.
    if (!isShown(table, record))
      for (const name of ['record', 'history']) void queries.invalidateQueries({ queryKey: [name, table, record] })
  }

  function glance(record: string): void {
    say({ changed: new Set([...live.changed, record]) })
    const timer = setTimeout(() => {
      timers.delete(timer)
      say({ changed: new Set([...live.changed].filter((one) => one !== record)) })
    }, GLANCE)
    timers.add(timer)
  }

  const refresh = () => {
    tell((live = STILL))
    void queries.invalidateQueries({ queryKey: ['records', table] })
  }
  // What has been read again is new, whoever has asked for it.
  const unsubscribe = queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
    const [kind, of, how] = event.query.queryKey
    if (kind !== 'records' || of !== table || isGrouped(how) || live === STILL) return
    const came = new Set(((event.query.state.data as Kept | undefined)?.data ?? []).map(({ id }) => id))
    const gone = new Map([...live.gone].filter(([id]) => !came.has(id)))
    // A page that has come into sight by itself makes the others no newer.
    const isOld = live.isOld && lists(table).some(({ hash, readAt }) => readAt < (old.get(hash) ?? 0))
    if (gone.size < live.gone.size || isOld !== live.isOld) say({ gone, isOld })
  })
  const unfollow = follow(table, (one) => void change(one), refresh)
  return {
    refresh,
    close() {
      unfollow()
      unsubscribe()
      looking.close()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Whether the answer is of the aggregate, and not a list. */
const isGrouped = (how: unknown): boolean => typeof how === 'object' && how !== null && 'figure' in how
