import type { Administrator } from '../../store/catalogue/administrator.ts'
import type { Store } from '../../store/ground/store.ts'
import type { Inventory } from './inventory.ts'
import { invalid } from './read-document.ts'

/** One change of an installation. */
export interface Step {
  /** `convert`: the values of a field change with its type. `delete`: something goes, to the trash where it can. */
  readonly kind: 'create' | 'change' | 'convert' | 'delete'
  /** What is done, as the rest of a sentence; '' for what belongs to the step before. */
  readonly says: string
  run(doing: Doing): Promise<unknown>
}

export interface Doing {
  readonly store: Store
  readonly by: Administrator
  readonly ids: Ids
}

type Kind = 'category' | 'group' | 'table'

/** The ids of what there is, and of what steps have created, by key. */
export interface Ids {
  set(kind: Kind, key: string, id: number): void
  setField(tableId: number, key: string, id: number): void
  /** @throws `structure.invalid` */
  of(kind: Kind, key: string): number
  field(tableId: number, key: string): number | undefined
}

export function idsIn(inventory: Inventory): Ids {
  const all: Readonly<Record<Kind, Map<string, number>>> = { category: new Map(), group: new Map(), table: new Map() }
  const fields = new Map<number, Map<string, number>>()
  const ids: Ids = {
    set: (kind, key, id) => void all[kind].set(key, id),
    setField: (tableId, key, id) => void (fields.get(tableId) ?? fields.set(tableId, new Map()).get(tableId)!).set(key, id),
    of(kind, key) {
      const id = all[kind].get(key)
      if (id === undefined) throw invalid('', `There is no ${kind} '${key}'.`)
      return id
    },
    field: (tableId, key) => fields.get(tableId)?.get(key),
  }
  for (const { key, id } of inventory.categories) ids.set('category', key, id)
  for (const { key, id } of inventory.groups) ids.set('group', key, id)
  for (const table of inventory.tables) {
    ids.set('table', table.key, table.id)
    for (const { key, id } of table.fields) ids.setField(table.id, key, id)
  }
  return ids
}

/** Whether two parts say the same; what is left out says the same as an empty or false member. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string | undefined =>
  value === false || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(sorted(value))

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value

/** The members that differ, without name and was. */
export const differing = (now: object, wanted: object): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(wanted)])].filter(
    (member) => member !== 'name' && member !== 'was' && !isSame(now[member as never], wanted[member as never]),
  )

/** `order` with those of `wanted` in that order; the others keep their places. Undefined: it is so already. */
export function reordered<T>(order: readonly T[], wanted: readonly T[]): T[] | undefined {
  const among = new Set(wanted)
  const present = order.filter((one) => among.has(one))
  const there = new Set(present)
  const next = wanted.filter((one) => there.has(one))
  if (present.every((one, i) => one === next[i])) return undefined
  let i = 0
  return order.map((one) => (among.has(one) ? next[i++]! : one))
}
