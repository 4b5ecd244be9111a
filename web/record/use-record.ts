import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError, type Document, type Resource } from '../api/client.ts'
import { fieldsOf, record as recordQuery, tables } from '../api/queries.ts'
import { isBarred } from '../api/record-rights.ts'
import { fieldOf } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { useFollowing } from './use-following.ts'
import { includeOf, titleFieldOf, useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'

export type OpenRecord = ReturnType<typeof useRecord>

/** A record with all that its card shows. `known`: what stands for it until it has come. */
export function useRecord(id: string, record: string, known: () => Document<Resource> | undefined = () => undefined) {
  const say = useWords()
  const number = Number(id)
  const all = useQuery(tables)
  const table = all.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(number), enabled: table !== undefined })
  const fields = useMemo(() => (structure.data?.data ?? []).map(fieldOf), [structure.data])
  const asked = recordQuery(number, record, includeOf(fields))
  // What was read when it was shown before may be old.
  const found = useQuery({
    ...asked,
    staleTime: 0,
    enabled: structure.data !== undefined,
    // Where a field of references has come or gone, it is asked for in another way: what is typed in its card must not go away meanwhile.
    placeholderData: (before, query) => (query?.queryKey[1] === number && query.queryKey[2] === record ? before : known()),
  })
  const changed = useFollowing(number, record)
  const titleOf = useTitles(found.data, fields, found.data ? [found.data.data.attributes] : [])
  const attributes = found.data?.data.attributes ?? {}
  const title = titleFieldOf(fields, table)
  const access = table?.meta?.access ?? {}
  const isGone = (all.data !== undefined && !table) || (found.error instanceof ApiError && found.error.status === 404)
  return {
    id,
    number,
    record,
    table,
    fields,
    /** Whether the fields have come. */
    isKnown: structure.data !== undefined,
    found: found.data,
    attributes,
    titleOf,
    heading: (found.data && title && plainText(title, attributes[title.name])) || say('record', { id: record }),
    mayCreate: access['create'] === true,
    mayUpdate: access['update'] === true && !isGone && !isBarred(found.data?.data, 'update'),
    mayDelete: access['delete'] === true && !isGone && !isBarred(found.data?.data, 'delete'),
    mayRestore: access['delete'] === true && isGone,
    /** It may be shown still, as it was. */
    isGone,
    /** Attributes that others have just changed. */
    changed,
    failed: all.error ?? structure.error ?? found.error,
    again: () => void Promise.all([all.refetch(), structure.refetch(), found.refetch()]),
  }
}
