import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { queries, tables } from './queries.ts'

/* What administrators change: tables, their fields, categories; users, groups, rules of access. */

export type Structure = 'category' | 'table' | 'field' | 'user' | 'group' | 'access'

/** What goes or stops working when something is deleted. */
export interface Effects {
  /** The code with which the deletion would be refused. */
  readonly refused: string | null
  /** Of a table all its records; of a field those in which it is filled in. */
  readonly records: number
  readonly files: number
  /** Records elsewhere that refer to those of the table. */
  readonly references: number
  readonly counts: Readonly<Record<string, number>>
  readonly listed: readonly Affected[]
}

/** Something that goes with it, or names it. `group_id`, `named_in`: of a rule of access that names a field. `options`: those with which it compares a list. */
export interface Affected {
  readonly type: string
  readonly id: string
  readonly table_id: string
  readonly name: string
  readonly group_id?: string
  readonly named_in?: readonly ('read_filter' | 'write_filter' | 'fields')[]
  readonly options?: readonly number[]
}

/** The rules by whose filters a field decides who sees or changes which records. */
export const rulesBy = (effects: Effects | undefined): readonly Affected[] =>
  (effects?.listed ?? []).filter(({ named_in }) => named_in?.some((part) => part !== 'fields'))

const EFFECTS = 'effects'

const askEffects = async (type: 'table' | 'field', id: string, signal?: AbortSignal): Promise<Effects> =>
  (await send<never>('DELETE', `${type}/${id}?dryRun=true`, undefined, signal)).meta as unknown as Effects

/** Nothing is deleted by asking. Not kept: what names it may change on any other page. */
export const effectsOf = (type: 'table' | 'field', id: string) =>
  queryOptions({ queryKey: [EFFECTS, type, id], queryFn: ({ signal }) => askEffects(type, id, signal), staleTime: 0, gcTime: 0 })

/** Whether no two fields of a table may have the same name: the table shows it only where it is asked for. */
export const namesDiffer = (table: string) =>
  queryOptions({
    queryKey: ['table', table, UNIQUE_NAMES],
    queryFn: async ({ signal }) =>
      (await send<Resource>('GET', addressOf('table', table, [UNIQUE_NAMES]), undefined, signal)).data.attributes[UNIQUE_NAMES] === true,
  })

const UNIQUE_NAMES = 'unique_field_names'

/** Of a resource with these attributes. */
export const addressOf = (type: Structure, id: string, names: readonly string[]): string =>
  names.includes(UNIQUE_NAMES) ? `${type}/${id}?${query({ 'fields[table]': names.join() })}` : `${type}/${id}`

/** What was read of the structure, and of records whose fields it names, is read again. */
export const refresh = (gone?: { readonly type: string; readonly id: string }) =>
  queries.invalidateQueries({
    // A panel that still shows what is gone does not ask what else would go.
    predicate: ({ queryKey: [what, type, id] }) => what !== 'me' && !(what === EFFECTS && gone && type === gone.type && id === gone.id),
  })

/** @throws ApiError */
export async function make(type: Structure, attributes: object): Promise<Resource> {
  const { data } = await send<Resource>('POST', type, { data: { type, attributes } })
  await refresh()
  return data
}

/** `isLossy`: values of a field that do not fit its new type become empty. @throws ApiError */
export async function change(type: Structure, id: string, attributes: object, isLossy = false): Promise<void> {
  await send('PATCH', `${type}/${id}${isLossy ? '?convertMode=lossy' : ''}`, { data: { type, id, attributes } })
  await refresh()
}

/** Adds an option to a list, unless it is there. The service adds it to those that there are by then. @throws ApiError */
export const addOption = (field: number, label: string): Promise<void> => change('field', String(field), { add_options: [label] })

/** Gives several resources of one type their places, in the order in which they are named. @throws ApiError */
export async function place(type: 'category' | 'table', ids: readonly string[], more: object = {}): Promise<void> {
  const name = type === 'category' ? 'sequence_number' : 'category_sequence_number'
  // Shown at once; what is refused is read again.
  if (type === 'table')
    queries.setQueryData(
      tables.queryKey,
      (known) =>
        known && {
          ...known,
          data: known.data.map((one) =>
            ids.includes(one.id) ? { ...one, attributes: { ...one.attributes, [name]: ids.indexOf(one.id) + 1, ...more } } : one,
          ),
        },
    )
  try {
    for (const [at, id] of ids.entries())
      await send('PATCH', `${type}/${id}`, { data: { type, id, attributes: { [name]: at + 1, ...more } } })
  } finally {
    await refresh()
  }
}

/** Makes a table like another, with its fields and rules of access. @throws ApiError */
export async function copyTable(
  id: string,
  name: string,
  { records, views }: { readonly records: boolean; readonly views: boolean },
): Promise<void> {
  const how = query({ withRecords: String(records), withViews: String(views) })
  await send('POST', `table/${id}/copy?${how}`, { data: { type: 'table', attributes: { table_name: name } } })
  await refresh()
}

/** Its tables remain. @throws ApiError */
export async function removeCategory(id: string): Promise<void> {
  await send('DELETE', `category/${id}`)
  await refresh()
}

/** Moves it to the trash, and tells what went with it. @throws ApiError `field.in_use` */
export async function remove(type: 'table' | 'field', id: string): Promise<Effects> {
  const effects = await askEffects(type, id)
  await send('DELETE', `${type}/${id}`)
  await refresh({ type, id })
  return effects
}

/** Takes the last of this id from the trash. @throws ApiError */
export async function takeBack(type: 'table' | 'field', id: string): Promise<void> {
  const filter = `and(eq(kind,'${type}'),eq(item_id,${id}))`
  const { data } = await send<readonly Resource[]>('GET', `trash?${query({ filter, sort: '-id', 'page[limit]': 1 })}`)
  if (data[0]) await send('POST', `trash/${data[0].id}/restore`)
  await refresh()
}
