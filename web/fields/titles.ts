import { useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { tables } from '../api/queries.ts'
import type { Field } from './show.tsx'

/** The title of a record: the value of the title field of its table. */
export function useTitles(document: Document<unknown> | undefined): (table: number, id: string) => string | undefined {
  const { data } = useQuery(tables)
  const titleFields = new Map((data?.data ?? []).map(({ id, attributes }) => [id, attributes['title_field_id'] as number | null]))
  const found = new Map<string, Resource>((document?.included ?? []).map((one) => [`${one.type} ${one.id}`, one]))
  return (table, id) => {
    const record = found.get(`data${table} ${id}`)
    const field = titleFields.get(String(table))
    const title = record && field ? record.attributes[`f${field}`] : undefined
    return typeof title === 'string' && title !== '' ? title : undefined
  }
}

/** The most relationships of one request (docs/reference/relationships.md). */
const MOST = 10

/** What is asked for so that references have titles. */
export const includeOf = (fields: readonly Field[]): string | undefined =>
  fields
    .filter(({ type }) => type === 'reference' || type === 'references')
    .slice(0, MOST)
    .map(({ id }) => `r${id}`)
    .join(',') || undefined
