import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ApiError, cursorOf, query, send, type Document, type Resource } from './client.ts'
import { isTouched, type Saved } from './lanes.ts'
import { WITH_CURSOR } from './log-positions.ts'
import { namingFields, queries } from './queries.ts'
import { WITH_ACCESS } from './record-rights.ts'
import { upload } from './upload.ts'

/* What changes records, and what is asked about one of them. */

export type Values = Readonly<Record<string, unknown>>

const document = (table: number, attributes: Values, id?: string) => ({ data: { type: `data${table}`, ...(id && { id }), attributes } })
const path = (table: number, id: string) => `data${table}/${encodeURIComponent(id)}`

/** Changes a record if nobody has changed it since `etag`. @throws ApiError; 412: somebody has */
export const saveRecord = (
  table: number,
  id: string,
  values: Values,
  etag: string | undefined,
  include?: string,
): Promise<Document<Resource>> =>
  included(include, (asked) =>
    send(
      'PATCH',
      `${path(table, id)}?${query({ include: asked, ...WITH_CURSOR })}`,
      document(table, values, id),
      undefined,
      etag === undefined ? {} : { 'If-Match': etag },
    ),
  )

/**
 * Asks for records that come along with the answer. Where they cannot, such as those of a field that is in the trash meanwhile, it asks without
 * them: the service refuses such a request before it does anything, and neither a write nor a read of the record depends on them.
 */
async function included<Answer>(include: string | undefined, ask: (include: string | undefined) => Promise<Answer>): Promise<Answer> {
  try {
    return await namingFields(ask(include))
  } catch (error) {
    if (include === undefined || !(error instanceof ApiError && error.code === 'parameter.invalid')) throw error
    return namingFields(ask(undefined))
  }
}

/** Changes of several records and new ones, all of them or none, as one batch. `key`: new ones are made once, however often it is sent. @throws ApiError; `places` says where what is wrong */
export async function writeRecords(
  table: number,
  changes: readonly { readonly id: string; readonly values: Values }[],
  added: readonly Values[] = [],
  key?: string,
): Promise<Document<readonly Resource[]>> {
  const type = `data${table}`
  if (added.length === 0)
    return namingFields(send('PATCH', type, { data: changes.map(({ id, values }) => ({ type, id, attributes: values })) }))
  const operations = [
    ...changes.map(({ id, values }) => ({ op: 'update', data: { type, id, attributes: values } })),
    ...added.map((attributes) => ({ op: 'add', data: { type, attributes } })),
  ]
  const headers = {
    'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  const answer = await namingFields(send<undefined>('POST', 'operations', { 'atomic:operations': operations }, undefined, headers))
  const results = (answer as unknown as { 'atomic:results': readonly { data: Resource }[] })['atomic:results']
  return { ...answer, data: results.map(({ data }) => data) }
}

/** The most records of one such write. */
export const MOST_AT_ONCE = 1000

/** Moves records to the trash, as one batch. */
export const removeRecords = (table: number, ids: readonly string[], key: string): Promise<Document<unknown>> =>
  send('POST', 'operations', { 'atomic:operations': ids.map((id) => ({ op: 'remove', ref: { type: `data${table}`, id } })) }, undefined, {
    'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
    'Idempotency-Key': key,
  })

/** Some attributes of some records; those that are not there for the person are left out. @throws ApiError */
export async function readAttributes(table: number, ids: readonly string[], names: readonly string[]): Promise<readonly Resource[]> {
  const found: Resource[] = []
  for (let i = 0; i < ids.length; i += MOST_READ) {
    const filter = `in(id,${ids.slice(i, i + MOST_READ).join()})`
    const { data } = await send<readonly Resource[]>(
      'GET',
      `data${table}?${query({ filter, 'page[size]': MOST_READ, [`fields[data${table}]`]: names.join() })}`,
    )
    found.push(...data)
  }
  return found
}
const MOST_READ = 100

/** What a record holds now. */
export const readRecord = (table: number, id: string, include?: string): Promise<Document<Resource>> =>
  included(include, (asked) => send('GET', `${path(table, id)}?${query({ include: asked, ...WITH_ACCESS, ...WITH_CURSOR })}`))

/** However often it is sent with one key, one record is made. */
export const createRecord = (table: number, values: Values, key: string): Promise<Document<Resource>> =>
  namingFields(send('POST', `data${table}`, document(table, values), undefined, { 'Idempotency-Key': key }))

/** The last record that the person has made with these values, among their last ones. */
export async function findOwn(table: number, values: Values): Promise<string | undefined> {
  const ask = (filter?: string) => send<readonly Resource[]>('GET', `data${table}?${query({ sort: '-id', 'page[size]': OWN, filter })}`)
  // Where they may not see who made a record, it is among the last ones of all.
  const { data } = await ask('eq(user_id,current_user)').catch(() => ask())
  return data.find(({ attributes }) =>
    Object.entries(values).every(([name, value]) => String(attributes[name] ?? '') === String(value ?? '')),
  )?.id
}
const OWN = 50

/** Gives some attributes, or the whole record, what they held after a change. */
export const restoreVersion = (table: number, id: string, change: string, attributes?: readonly string[]): Promise<Document<Resource>> =>
  send('POST', `${path(table, id)}/restore`, { meta: { change: Number(change), ...(attributes && { attributes }) } })

/** The changes of a record, the newest first. */
export const historyOf = (table: number, id: string) =>
  infiniteQueryOptions({
    queryKey: ['history', table, id],
    queryFn: ({ signal, pageParam }) => {
      const page = query({ sort: '-id', 'page[size]': CHANGES, 'page[after]': pageParam })
      return send<readonly Resource[]>('GET', `${path(table, id)}/history?${page}`, undefined, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ links }) => cursorOf(links?.next, 'after'),
    staleTime: 0,
  })
/** Changes that are shown at first, and each time more. */
const CHANGES = 20

/**
 * When a record was changed last, and by whom, as far as its history goes back. Undefined: it is as it was made, or the person may not see the
 * time of its changes.
 */
export const lastChangeOf = (table: number, id: string) =>
  queryOptions({
    queryKey: ['history', table, id, 'last'],
    queryFn: async ({ signal }) => {
      const asked = query({ sort: '-id', 'page[size]': 1, 'fields[change]': 'made_at,user_id,action' })
      const [times, changes] = await Promise.all([
        readAttributes(table, [id], ['update_time']).catch(hidden),
        send<readonly Resource[]>('GET', `${path(table, id)}/history?${asked}`, undefined, signal),
      ])
      const [at, last] = [times[0]?.attributes['update_time'] as string | undefined, changes.data[0]?.attributes]
      // TanStack Query takes undefined for no answer.
      if (at === undefined || (last?.['action'] === 'create' && last['made_at'] === at)) return null
      return { at, user: last?.['made_at'] === at ? (last['user_id'] as number) : undefined }
    },
    staleTime: 0,
  })

const hidden = (error: unknown): readonly Resource[] => {
  if (error instanceof ApiError && error.status === 400) return []
  throw error
}

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
export async function putFile(
  table: number,
  field: string,
  id: string,
  name: string,
  bytes: Blob,
  tell: (part: number) => void,
  signal: AbortSignal,
): Promise<Resource> {
  const answer = await upload(fileAt(table, field, id, name), bytes, tell, signal, {
    'If-None-Match': '*',
    'Content-Type': bytes.type || 'application/octet-stream',
  })
  return (JSON.parse(answer) as Document<Resource>).data
}

/** A file within the attributes of a record. @throws DOMException if it cannot be read */
export const fileObject = (file: File): Promise<{ readonly file_name: string; readonly binary: true; readonly content: string }> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const address = reader.result as string
      resolve({ file_name: file.name, binary: true, content: address.slice(address.indexOf(',') + 1) })
    })
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })

/** Leaves the files of a field that are named. */
export const keepFiles = (table: number, field: string, id: string, names: readonly string[], etag?: string): Promise<Document<Resource>> =>
  saveRecord(table, id, { [field]: names.map((file_name) => ({ file_name, binary: true, content: '' })) }, etag)

/** What is known of a table may be old, but for lists that have shown the change already, and lanes that it does not touch. `saved`: all that was saved. */
export const wrote = (table: number, saved?: readonly Saved[]): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({
      predicate: ({ queryKey: [name, of, how] }) =>
        name === 'records' && of === table && isTouched(table, (how as { readonly filter?: string } | undefined)?.filter, saved),
    }),
    ...['count', 'history', 'record', 'found', 'files'].map((name) => queries.invalidateQueries({ queryKey: [name, table] })),
  ])

const lists = new Set<(table: number) => void>()

/** Lists that are asked for page by page (pages.ts) listen. Returns what ends it. */
export function whenChanged(listener: (table: number) => void): () => void {
  lists.add(listener)
  return () => void lists.delete(listener)
}

/** What lists and counts of a table show may be old. */
export function changed(table: number, saved?: readonly Saved[]): Promise<unknown> {
  for (const listener of lists) listener(table)
  return wrote(table, saved)
}
