import { queryOptions } from '@tanstack/react-query'
import { recordsCalled } from './called.ts'
import { query, send, type Resource } from './client.ts'
import { undoBatch, wouldUndo, type Undone } from './jobs.ts'
import { queries } from './queries.ts'
import { beginningOf, upload } from './upload.ts'

/* Imports: a draft of a job, its file, its preview, its trial, its run (docs/reference/imports.md). */

/** What becomes of a column, as the service shows it. */
export interface Column {
  readonly header: string
  readonly skip?: boolean
  readonly field?: string
  readonly field_name?: string
  readonly create?: { readonly name: string; readonly type: string; readonly unique: boolean; readonly scale?: number }
  /** The type is a guess. */
  readonly guessed?: boolean
  readonly reference?: { readonly table_id?: number; readonly field: string }
  readonly date_format?: string
  readonly decimal?: '.' | ','
  /** Dates or numbers that can be read in two ways. */
  readonly ambiguous?: boolean
  readonly yes_and_no?: boolean
}

export interface Preview {
  readonly file_name: string
  /** Of the table that the import makes; '' where it goes into one. */
  readonly table_name: string
  readonly format: 'csv' | 'xlsx' | 'jsonl'
  readonly encoding: string
  readonly delimiter: string
  readonly sheets: readonly string[]
  readonly header: readonly string[]
  readonly rows: readonly { readonly line: number; readonly values: readonly string[] }[]
  readonly columns: readonly Column[]
  readonly update_by?: string | null
}

/** What a request asks for; members that are left out stay as they are. */
export interface Wishes {
  readonly table_name?: string
  readonly sheet?: string
  readonly delimiter?: string
  readonly encoding?: string
  /** Apostrophes before formulas are no part of the values. */
  readonly defused?: boolean
  readonly nothing?: string
  readonly update_by?: string | null
  readonly columns?: readonly (
    | (Omit<Column, 'header' | 'field_name' | 'guessed' | 'ambiguous' | 'yes_and_no' | 'create'> & {
        readonly create?: Partial<NonNullable<Column['create']>>
      })
    | null
  )[]
}

/** Sends the bytes of the file. `tell`: how much of it has gone, from 0 to 1. @throws ApiError */
export const sendFile = (id: string, file: Blob, tell: (part: number) => void, signal: AbortSignal): Promise<unknown> =>
  upload(`job/${encodeURIComponent(id)}/file`, file, tell, signal)

export const preview = (id: string) =>
  queryOptions({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => {
      const answer = await send('GET', `job/${encodeURIComponent(id)}/preview`, undefined, signal)
      return answer.meta as unknown as Preview
    },
  })

/** @throws ApiError `import.unfit` where a column does not fit: then nothing is changed */
export async function change(id: string, input: Wishes): Promise<void> {
  await send('PATCH', `job/${encodeURIComponent(id)}`, { data: { type: 'job', id, attributes: { input } } })
}

/** Begins the import, or a trial of it, which is a job of its own: its id. */
export async function runImport(id: string, isTrial: boolean): Promise<string> {
  const { data } = await send<Resource>('POST', `job/${encodeURIComponent(id)}/run${isTrial ? '?dryRun=true' : ''}`)
  return data.id
}

/** The beginning of the file of refused lines. */
export const errorLines = (id: string, most: number) =>
  queryOptions({
    queryKey: ['import errors', id],
    queryFn: async ({ signal }) => (await beginningOf(`/api/dev/job/${encodeURIComponent(id)}/errors`, most, signal)).text,
  })

/** Fields by whose values records can be named. */
export const uniqueFields = queryOptions({
  queryKey: ['field', 'unique'],
  queryFn: ({ signal }) =>
    send<readonly Resource[]>('GET', `field?${query({ filter: 'eq(unique,1)', 'page[size]': 1000 })}`, undefined, signal),
})

/** Fields with one of these names, in any table. */
export const fieldsNamed = (names: readonly string[]) =>
  queryOptions({
    queryKey: ['field', 'named', names],
    queryFn: ({ signal }) => {
      const filter = `in(field_name,${names.map((name) => `'${name.replaceAll("'", "''")}'`).join()})`
      return send<readonly Resource[]>('GET', `field?${query({ filter, 'page[size]': 1000 })}`, undefined, signal)
    },
    enabled: names.length > 0,
  })

/** Records of a table that have one of some values in a field. */
export const recordsNamed = (table: number, attribute: string, values: readonly string[]) =>
  queryOptions({
    queryKey: ['records', table, { named: attribute, values }],
    queryFn: () =>
      recordsCalled(
        table,
        attribute,
        values.map((name) => ({ name, title: name, id: undefined })),
      ),
    // As where a value is none that the field may have.
    retry: false,
  })

/** From now on no two records have the same value in it, so that records can be named by it. @throws ApiError: two have it already */
export async function makeUnique(field: string): Promise<void> {
  await send('PATCH', `field/${field}`, { data: { type: 'field', id: field, attributes: { unique: true } } })
  await queries.invalidateQueries({ queryKey: ['field'] })
}

/**
 * Takes an import back. A table that it made goes to the trash with its records, so that it comes back whole; unless others have changed
 * something in it.
 * @throws ApiError `batch.undone`
 */
export async function undoImport(batch: number, made: number | undefined): Promise<Undone & { readonly isTableGone: boolean }> {
  if (made === undefined) return { ...(await undoBatch(batch)), isTableGone: false }
  const [wouldBe, { meta }] = await Promise.all([wouldUndo(batch), send('GET', `data${made}?${query({ 'page[limit]': 1 })}`)])
  const isTableGone = wouldBe.conflicts === 0 && meta?.total === wouldBe.records
  const undone = isTableGone ? { ...wouldBe, batch: null, listed: [] } : await undoBatch(batch)
  if (isTableGone) await send('DELETE', `table/${made}`)
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
  return { ...undone, isTableGone }
}
