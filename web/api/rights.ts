import { send, query, type Resource } from './client.ts'
import { rules } from './people.ts'
import { queries } from './queries.ts'

/* Rules of access: what a group may do with a table. */

/** Undefined: there is none, so that the table does not exist for the group. */
export const ruleOf = (all: readonly Resource[] | undefined, group: number, table: number): Resource | undefined =>
  all?.find(({ attributes }) => attributes['group_id'] === group && attributes['table_id'] === table)

type Values = Readonly<Record<string, unknown>>

/** Returns what takes it back. `values` null: the rule is deleted. @throws ApiError */
export async function setRule(group: number, table: number, values: Values | null): Promise<Values | null> {
  const before = ruleOf(await queries.ensureQueryData(rules), group, table)
  const of = { group_id: group, table_id: table }
  try {
    if (!before && values) await send('POST', 'access', { data: { type: 'access', attributes: { ...values, ...of } } })
    else if (before && !values) await send('DELETE', `access/${before.id}`)
    else if (before && values) await send('PATCH', `access/${before.id}`, { data: { type: 'access', id: before.id, attributes: values } })
  } finally {
    await queries.invalidateQueries({ queryKey: rules.queryKey })
  }
  if (!before) return null
  const { group_id: _, table_id: __, ...all } = before.attributes
  return values ? Object.fromEntries(Object.keys(values).map((name) => [name, all[name]])) : all
}

/** What a user may do with a table, and whether a record exists for them. */
export interface Explanation {
  readonly group_id: number
  readonly archived: boolean
  readonly access_id: string | null
  readonly rights: Readonly<Record<string, boolean>>
  readonly read_filter: string
  readonly write_filter: string
  readonly attributes: Readonly<Record<string, 'hidden' | 'read_only' | 'writable'>>
  readonly record?: {
    readonly id: string
    readonly exists: boolean
    readonly missing: 'no_right' | 'read_filter' | 'in_trash' | 'not_found' | null
    readonly writable: boolean
  }
}

/** @throws ApiError */
export async function explain(user: string, table: string, record: string): Promise<Explanation> {
  const { meta } = await send<never>('GET', `access/explain?${query({ user, table, record })}`)
  return meta as unknown as Explanation
}
