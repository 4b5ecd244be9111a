import { query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* Makes tables with their fields and records: all of it, or nothing. */

export interface NewField {
  readonly name: string
  readonly type: string
  readonly required?: boolean
  readonly section?: string
  readonly options?: readonly string[]
  /** The place in the list of the new table that it refers to. */
  readonly to?: number
}

export interface NewTable {
  readonly name: string
  /** The first one is the title of records. */
  readonly fields: readonly NewField[]
}

/** A record of new tables, which are known by their places. */
export interface NewRecord {
  readonly table: number
  /** By the places of fields. */
  readonly values: ReadonlyMap<number, string>
  /** By the places of fields: the place of the record that it refers to, before this one. */
  readonly links: ReadonlyMap<number, number>
}

export interface Made {
  readonly tables: readonly string[]
  /** Of the records; null: there are none. */
  readonly batch: number | null
}

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const make = async (type: string, attributes: object): Promise<string> =>
  (await send<Resource>('POST', type, { data: { type, attributes } })).data.id

/** @throws ApiError after what was made has been erased again */
export async function makeTables(category: string | undefined, tables: readonly NewTable[], records: readonly NewRecord[]): Promise<Made> {
  const made: { category?: string; tables: string[] } = { tables: [] }
  try {
    if (category !== undefined) made.category = await make('category', { category_name: category })
    const fields = new Map<string, string>()
    for (const { name } of tables)
      made.tables.push(
        await make('table', { table_name: name, ...(made.category !== undefined && { category_id: Number(made.category) }) }),
      )
    for (const [t, table] of tables.entries())
      for (const [f, { name, type, required, section, options, to }] of table.fields.entries()) {
        const more = {
          ...(required === true && { required }),
          ...(section !== undefined && { section }),
          ...(options && { options: options.map((label) => ({ label })) }),
          ...(to !== undefined && { reference_table_id: Number(made.tables[to]) }),
        }
        fields.set(`${t} ${f}`, await make('field', { table_id: Number(made.tables[t]), field_name: name, field_type: type, ...more }))
      }
    for (const [t, id] of made.tables.entries())
      await send('PATCH', `table/${id}`, { data: { type: 'table', id, attributes: { title_field_id: Number(fields.get(`${t} 0`)) } } })
    const operations = records.map(({ table, values, links }, i) => ({
      op: 'add',
      data: {
        type: `data${made.tables[table]}`,
        lid: `r${i}`,
        attributes: Object.fromEntries([...values].map(([f, value]) => [`f${fields.get(`${table} ${f}`)}`, value])),
        relationships: Object.fromEntries(
          [...links].map(([f, at]) => [
            `r${fields.get(`${table} ${f}`)}`,
            { data: { type: `data${made.tables[records[at]!.table]}`, lid: `r${at}` } },
          ]),
        ),
      },
    }))
    const answer =
      operations.length === 0
        ? undefined
        : await send('POST', 'operations', { 'atomic:operations': operations }, undefined, { 'Content-Type': ATOMIC })
    return { tables: made.tables, batch: answer?.meta?.batch_id ?? null }
  } catch (error) {
    await takeBack(made).catch(() => undefined)
    throw error
  } finally {
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
  }
}

/** Erases what was made before a request was refused. */
async function takeBack({ category, tables }: { readonly category?: string; readonly tables: readonly string[] }): Promise<void> {
  for (const id of [...tables].reverse()) {
    await send('DELETE', `table/${id}`)
    const filter = `and(eq(kind,'table'),eq(item_id,${id}))`
    const { data } = await send<readonly Resource[]>('GET', `trash?${query({ filter })}`)
    for (const entry of data) await send('DELETE', `trash/${entry.id}`)
  }
  if (category !== undefined) await send('DELETE', `category/${category}`)
}
