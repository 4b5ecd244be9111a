import { useQueries, useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { fieldsOf, groups, recordsWith, tables, users } from '../api/queries.ts'
import { fieldOf, type Field, type TitleOf } from './field.ts'
import { idsIn } from './ids.ts'
import { plainText } from './plain.ts'

/**
 * Titles of the records that came with a document, of those that `values` of the fields name besides, and names of users and groups if the fields
 * name some.
 */
export function useTitles(
  document: Document<unknown> | undefined,
  fields: readonly Field[],
  values: readonly Readonly<Record<string, unknown>>[] = [],
): TitleOf {
  const { data } = useQuery(tables)
  const targets = [...new Set(fields.flatMap(({ target }) => target ?? []))]
  const structures = useQueries({ queries: targets.map((target) => fieldsOf(target)) })
  const people = useQuery({ ...users, enabled: fields.some(({ type }) => type === 'user' || type === 'users') })
  const some = useQuery({ ...groups, enabled: fields.some(({ type }) => type === 'group') })
  const titleFields = new Map(
    targets.map((target, i) => {
      const table = data?.data.find(({ id }) => id === String(target))
      const all = (structures[i]?.data?.data ?? []).map(fieldOf)
      return [target, titleFieldOf(all, table)]
    }),
  )
  const came = new Set((document?.included ?? []).map(({ type, id }) => `${type} ${id}`))
  const more = useQueries({
    queries: targets.map((target) => {
      const named = fields.flatMap((field) =>
        field.target === target ? values.flatMap((one) => idsIn(String(one[field.name] ?? ''))) : [],
      )
      const missing = [...new Set(named)].filter((id) => /^[1-9]\d*$/.test(id) && !came.has(`data${target} ${id}`)).slice(0, MORE)
      return { ...recordsWith(target, missing), enabled: missing.length > 0 }
    }),
  })
  const records = [...(document?.included ?? []), ...more.flatMap((answer) => answer.data?.data ?? [])]
  const found = new Map<string, Resource>(records.map((one) => [`${one.type} ${one.id}`, one]))
  const names = {
    user: new Map((people.data?.data ?? []).map(({ id, attributes }) => [id, String(attributes['fio'] || attributes['login'] || '')])),
    group: new Map((some.data?.data ?? []).map(({ id, attributes }) => [id, String(attributes['group_name'] ?? '')])),
  }
  return (of, id) => {
    if (typeof of === 'string') return names[of].get(id) || undefined
    const record = found.get(`data${of} ${id}`)
    const field = titleFields.get(of)
    return (record && field && plainText(field, record.attributes[field.name])) || undefined
  }
}

/** The field whose value is the title of a record: that of the table, or the first text field. */
export const titleFieldOf = (fields: readonly Field[], table: Resource | undefined): Field | undefined =>
  fields.find(({ id }) => id === table?.attributes['title_field_id']) ?? fields.find(({ type }) => type === 'text') ?? fields[0]

/** The most records that are asked for besides. */
const MORE = 50

/** The most relationships of one request (docs/reference/relationships.md). */
const MOST = 10

/** What is asked for so that references have titles. */
export const includeOf = (fields: readonly Field[]): string | undefined =>
  fields
    .filter(({ type }) => type === 'reference' || type === 'references')
    .slice(0, MOST)
    .map(({ id }) => `r${id}`)
    .join(',') || undefined
