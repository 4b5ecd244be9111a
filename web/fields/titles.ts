import { useMemo, useRef } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { fieldsOf, groups, recordsWith, tables, users } from '../api/queries.ts'
import { fieldOf, type Field, type TitleOf } from './field.ts'
import { idsIn } from './ids.ts'
import { plainText } from './plain.ts'
import { mayRead } from './readable.ts'

/** What names records of the tables to which the fields refer, users and groups, once the records are found. */
function useNames(fields: readonly Field[]): (find: (key: string) => Resource | undefined) => TitleOf {
  const { data } = useQuery(tables)
  const targets = targetsOf(fields)
  const structures = useQueries({ queries: targets.map((target) => fieldsOf(target)) })
  const people = useQuery({ ...users, enabled: fields.some(({ type }) => type === 'user' || type === 'users') })
  const some = useQuery({ ...groups, enabled: fields.some(({ type }) => type === 'group') })
  const known = [data, people.data, some.data, ...structures.map((one) => one.data)]
  return useSame(known, () => {
    const titleFields = new Map(
      targets.map((target, i) => {
        const table = data?.data.find(({ id }) => id === String(target))
        return [target, titleFieldOf((structures[i]?.data?.data ?? []).map(fieldOf), table)]
      }),
    )
    const names = {
      user: new Map((people.data?.data ?? []).map(({ id, attributes }) => [id, String(attributes['fio'] || attributes['login'] || '')])),
      group: new Map((some.data?.data ?? []).map(({ id, attributes }) => [id, String(attributes['group_name'] ?? '')])),
    }
    return (find) => (of, id) => {
      if (typeof of === 'string') return names[of].get(id) || undefined
      const record = find(`data${of} ${id}`)
      const field = titleFields.get(of)
      return (record && field && plainText(field, record.attributes[field.name])) || undefined
    }
  })
}

const targetsOf = (fields: readonly Field[]): number[] => [...new Set(fields.flatMap(({ target }) => target ?? []))]

/** The same as long as all of `of`, which may be of any length, are the same. */
function useSame<Value>(of: readonly unknown[], make: () => Value): Value {
  const kept = useRef<{ of: readonly unknown[]; value: Value }>(undefined)
  const isSame = kept.current?.of.length === of.length && kept.current.of.every((one, i) => one === of[i])
  if (!isSame) kept.current = { of, value: make() }
  return kept.current!.value
}

/**
 * Titles of the records that came with a document, of those that `values` of the fields name besides, and names of users and groups if the fields
 * name some.
 */
export function useTitles(
  document: Document<unknown> | undefined,
  fields: readonly Field[],
  values: readonly Readonly<Record<string, unknown>>[] = [],
): TitleOf {
  const names = useNames(fields)
  // What is in a list does not come along a second time where another of the list refers to it.
  const own = Array.isArray(document?.data) ? (document.data as readonly Resource[]) : []
  const brought = [...(document?.included ?? []), ...own]
  const came = new Set(brought.map(({ type, id }) => `${type} ${id}`))
  const more = useQueries({
    queries: targetsOf(fields).map((target) => {
      const named = fields.flatMap((field) =>
        field.target === target ? values.flatMap((one) => idsIn(String(one[field.name] ?? ''))) : [],
      )
      const missing = [...new Set(named)].filter((id) => /^[1-9]\d*$/.test(id) && !came.has(`data${target} ${id}`)).slice(0, MORE)
      return { ...recordsWith(target, missing), enabled: missing.length > 0 && mayRead(target) }
    }),
  })
  const records = [...brought, ...more.flatMap((answer) => answer.data?.data ?? [])]
  const found = new Map<string, Resource>(records.map((one) => [`${one.type} ${one.id}`, one]))
  return names((key) => found.get(key))
}

/** Titles of records that came along, by type and id. It is another function when `version` is another number. */
export function useTitlesAmong(included: ReadonlyMap<string, Resource>, version: number, fields: readonly Field[]): TitleOf {
  const names = useNames(fields)
  return useMemo(() => names((key) => included.get(key)), [names, included, version])
}

/** The field whose value is the title of a record: that of the table, or the first text field. */
export const titleFieldOf = (fields: readonly Field[], table: Resource | undefined): Field | undefined =>
  fields.find(({ id }) => id === table?.attributes['title_field_id']) ?? fields.find(({ type }) => type === 'text') ?? fields[0]

/** The most records that are asked for besides. */
const MORE = 50

/** The most relationships of one request (docs/reference/relationships.md). */
const MOST = 10

/** What is asked for so that references have titles: the service refuses to include records of a table that the person may not read. */
export const includeOf = (fields: readonly Field[]): string | undefined =>
  fields
    .filter(({ type, target }) => (type === 'reference' || type === 'references') && mayRead(target))
    .slice(0, MOST)
    .map(({ id }) => `r${id}`)
    .join(',') || undefined
