import { queryOptions } from '@tanstack/react-query'
import { query, send, type Document, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* What changes records, and what is asked about one of them. */

export type Values = Readonly<Record<string, unknown>>

const document = (table: number, attributes: Values, id?: string) => ({ data: { type: `data${table}`, ...(id && { id }), attributes } })
const path = (table: number, id: string) => `data${table}/${encodeURIComponent(id)}`

/** Changes a record if nobody has changed it since `etag`. @throws ApiError; 412: somebody has */
export const saveRecord = (table: number, id: string, values: Values, etag: string | undefined): Promise<Document<Resource>> =>
  send('PATCH', path(table, id), document(table, values, id), undefined, etag === undefined ? {} : { 'If-Match': etag })

export const createRecord = (table: number, values: Values): Promise<Document<Resource>> =>
  send('POST', `data${table}`, document(table, values))

/** Moves a record to the trash; what it returns takes it back. */
export async function removeRecord(table: number, id: string): Promise<() => Promise<void>> {
  await send('DELETE', path(table, id))
  return async () => {
    const filter = `and(eq(kind,'record'),eq(table_id,${table}),eq(item_id,${id}))`
    const { data } = await send<readonly Resource[]>('GET', `trash?${query({ filter, sort: '-id', 'page[limit]': 1 })}`)
    if (data[0]) await send('POST', `trash/${data[0].id}/restore`)
  }
}

/** Gives some attributes, or the whole record, what they held after a change. */
export const restoreVersion = (table: number, id: string, change: string, attributes?: readonly string[]): Promise<Document<Resource>> =>
  send('POST', `${path(table, id)}/restore`, { meta: { change: Number(change), ...(attributes && { attributes }) } })

/** The changes of a record, the newest first. */
export const historyOf = (table: number, id: string, limit: number) =>
  queryOptions({
    queryKey: ['history', table, id, limit],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>('GET', `${path(table, id)}/history?${query({ sort: '-id', 'page[limit]': limit })}`, undefined, signal),
    staleTime: 0,
  })

/** Fields of other tables that refer to a table. */
export const referringTo = (table: number) =>
  queryOptions({
    queryKey: ['field', 'referring', table],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>(
        'GET',
        `field?${query({ filter: `eq(reference_table_id,${table})`, 'page[size]': 100 })}`,
        undefined,
        signal,
      ),
  })

export const filesOf = (table: number, field: string, id: string) =>
  queryOptions({
    queryKey: ['files', table, field, id],
    queryFn: ({ signal }) => send<readonly Resource[]>('GET', `file/${table}/${field}/${encodeURIComponent(id)}`, undefined, signal),
  })

const fileAt = (table: number, field: string, id: string, name: string) =>
  `file/${table}/${field}/${encodeURIComponent(id)}/${encodeURIComponent(name)}`

/** Its address, for a link or an image; the session goes along. */
export const fileAddress = (table: number, field: string, id: string, name: string, thumbnail?: 64 | 256): string =>
  `/api/dev/${fileAt(table, field, id, name)}${thumbnail ? `?thumbnail=${thumbnail}` : ''}`

/** @throws ApiError; 412: a file of this name is there */
export const putFile = (table: number, field: string, id: string, name: string, bytes: Blob): Promise<unknown> =>
  send('PUT', fileAt(table, field, id, name), bytes, undefined, { 'If-None-Match': '*' })

/** Leaves the files of a field that are named. */
export const keepFiles = (table: number, field: string, id: string, names: readonly string[]): Promise<unknown> =>
  saveRecord(table, id, { [field]: names.map((file_name) => ({ file_name, binary: true, content: '' })) }, undefined)

/** What lists and counts of a table show may be old. */
export const changed = (table: number): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['records', table] }),
    queries.invalidateQueries({ queryKey: ['count', table] }),
    queries.invalidateQueries({ queryKey: ['history', table] }),
    queries.invalidateQueries({ queryKey: ['record', table] }),
    queries.invalidateQueries({ queryKey: ['found', table] }),
  ])
