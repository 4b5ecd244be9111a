import { fail, Failure } from '../../errors.ts'
import { parse } from '../../filter/parse.ts'
import { hasMoment } from '../../filter/words.ts'
import { memo } from '../../memory/memo.ts'
import { sql } from '../../sql/sql.ts'
import { asOfNow } from '../ground/clock.ts'
import type { Uses } from '../ground/store.ts'
import { grant, view, type Caller } from '../model/access.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { conditionOf } from '../records/read-records.ts'
import type { Place, Subscription } from './places.ts'
import { mayFollow, type Narrowing } from './stream-view.ts'

type Used = Uses<'db' | 'catalogue' | 'context'>

/* Which listeners are shown the same, and by which saved filters. */

/** Groups of listeners that are shown the same. */
export function groupsOf({ catalogue }: Uses<'catalogue'>, some: readonly Place[]): readonly (readonly Place[])[] {
  const now = catalogue()
  return [...Map.groupBy(some, (place) => keyOf(now, place)).values()]
}

function keyOf(catalogue: Catalogue, { caller, subscription }: Place): string {
  const shared = [rightsKey(caller), subscription.tables && [...subscription.tables].join(), subscription.filterId].join(' ')
  return subscription.filterId !== 0 || namesUser(catalogue, caller, subscription) ? `${shared} ${caller.userId}` : shared
}

const rightsKey = ({ groupId, administrator, tables }: Caller): string => [groupId, administrator, tables && [...tables].join()].join(' ')

/** Whether both have the same rights, as long as structure and rules are the same. */
export const sameRights = (one: Caller, other: Caller): boolean => rightsKey(one) === rightsKey(other)

/** Whether structure and rules are the same; users and tokens may be others. */
export const sameRules = (one: Catalogue, other: Catalogue): boolean => one.tables === other.tables && one.access === other.access

/** By group: the tables of which every user is shown something else. */
const ownTables = memo((_: Catalogue): Map<string, ReadonlySet<number>> => new Map())

/** Whether what is shown depends on the user. */
function namesUser(catalogue: Catalogue, caller: Caller, subscription: Subscription): boolean {
  const known = ownTables(catalogue)
  const key = `${caller.groupId} ${caller.administrator}`
  let own = known.get(key)
  if (!own) {
    const named = [...catalogue.tables.values()].filter((table) => /current_user/i.test(view(table, caller, catalogue).readFilter))
    known.set(key, (own = new Set(named.map(({ id }) => id))))
  }
  return [...own].some((id) => (subscription.tables?.has(id) ?? true) && (caller.tables?.has(id) ?? true))
}

interface ReadNarrowing {
  readonly conditions: Narrowing
  /** Whether it depends on the moment. */
  readonly isRelative: boolean
}

/** The saved filters of listeners, read again after `forget`. */
export interface Narrowings {
  /** Undefined: the filter does not exist for them any more. */
  of(place: Place): Promise<Narrowing | undefined>
  forget(): void
}

export function makeNarrowings(store: Used): Narrowings {
  const known = new Map<string, Promise<ReadNarrowing | undefined>>()
  return {
    async of({ caller, subscription: { filterId } }) {
      if (filterId === 0) return new Map()
      const key = `${filterId} ${caller.userId} ${caller.groupId} ${caller.administrator}`
      let found = known.get(key)
      if (!found) {
        found = readNarrowing(store, caller, filterId).catch((error: unknown) => {
          if (error instanceof Failure) return undefined
          throw error
        })
        known.set(key, found)
      }
      const narrowing = await found
      // The moment that words such as `today` stand for must not be kept.
      if (narrowing?.isRelative && known.get(key) === found) known.delete(key)
      return narrowing?.conditions
    },
    forget: () => known.clear(),
  }
}

/** The condition of a saved filter. @throws `filter.unknown_saved_filter` and other failures of filters */
export const narrowingBy = async (store: Used, caller: Caller, filterId: number): Promise<Narrowing> =>
  (await readNarrowing(store, caller, filterId)).conditions

async function readNarrowing(store: Used, caller: Caller, filterId: number): Promise<ReadNarrowing> {
  const [rows] = await store.db.read(sql`SELECT table_id, expression FROM saved_filters WHERE id = ${filterId}`)
  const tableId = Number(rows![0]?.[0] ?? 0)
  if (tableId === 0 || !mayFollow(store, caller, tableId)) throw fail('filter.unknown_saved_filter', { id: String(filterId) })
  const granted = grant('read', tableId, asOfNow(caller), store.catalogue())
  const condition = await conditionOf(store, granted, parse(`use_filter(${filterId})`), true)
  return { conditions: new Map([[tableId, condition]]), isRelative: hasMoment(String(rows![0]![1])) }
}
