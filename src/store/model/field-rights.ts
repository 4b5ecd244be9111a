/*
 * What a group may do with single attributes, as its rule on a table says it: either which are less than writable (a deny-list), or which exist
 * at all (an allow-list, `allow`). By name: fields, and the system attributes that a rule may name.
 */

export type FieldRight = 'hidden' | 'read_only' | 'writable'

export interface FieldRights {
  /** What the attributes are that are not named. */
  readonly others: 'hidden' | 'writable'
  readonly named: ReadonlyMap<string, FieldRight>
}

/** As it is stored and shown. */
export type WrittenFieldRights = Readonly<Record<string, FieldRight>> | { readonly allow: Readonly<Record<string, FieldRight>> }

/** The system attributes that a rule may name, in an order that saved filters store (hidden-names.ts): append only. The id of a record is seen by everybody who sees the record. */
export const nameable: readonly string[] = ['user_id', 'add_time', 'status', 'update_time']

/** Nothing is less than writable. */
export const noFieldRights: FieldRights = { others: 'writable', named: new Map() }

/** A field may be named by its id alone. */
export const attributeNamed = (key: string): string => (/^\d+$/.test(key) ? `f${key}` : key)

export function readFieldRights(written: WrittenFieldRights | null): FieldRights {
  if (!written) return noFieldRights
  const allowed = isAllowList(written)
  const entries = Object.entries(allowed ? written.allow : written) as [string, FieldRight][]
  return { others: allowed ? 'hidden' : 'writable', named: new Map(entries.map(([key, right]) => [attributeNamed(key), right])) }
}

export function writeFieldRights({ others, named }: FieldRights): WrittenFieldRights {
  const entries = Object.fromEntries(named)
  return others === 'hidden' ? { allow: entries } : entries
}

export const isAllowList = (written: object): written is { readonly allow: Readonly<Record<string, FieldRight>> } =>
  typeof (written as { allow?: unknown }).allow === 'object'

/** The `update_time` of a record that was never changed is its `add_time`: a rule that hides one and does not name the other hides both. */
export function rightOnAttribute({ others, named }: FieldRights, name: string): FieldRight {
  if (name === 'id') return 'writable'
  return named.get(name) ?? (name === 'update_time' && named.get('add_time') === 'hidden' ? 'hidden' : others)
}
