import { useQuery } from '@tanstack/react-query'
import { recordsNamed, fieldsNamed, type Column } from '../api/imports.ts'
import type { Resource } from '../api/client.ts'
import { fieldsOf } from '../api/queries.ts'
import { fieldOf } from '../fields/field.ts'
import { likelyTarget } from '../fields/likely-target.ts'
import { fold } from '../fields/marks.ts'
import { titleFieldOf } from '../fields/titles.ts'
import { nameOf, useTargets } from './targets.ts'

/** Types of codes, numbers and names by which records are named. */
const KEYS: ReadonlySet<string> = new Set(['text', 'integer', 'autonumber', 'email', 'phone'])
/** Values that are looked for: the first different ones of the lines that are shown. */
const LOOKED_FOR = 20

export interface LikelyLink {
  /** The id of the field by which records are named. */
  readonly field: string
  readonly isUnique: boolean
  /** The name of the table. */
  readonly table: string
  readonly reference: { readonly table_id: number; readonly field: string }
}

/**
 * What a column may name records by: a field of this name at the head of another table, such as `customerID` of the customers, or the title of the
 * records of a table of this name. At least half of its values are there.
 */
export function useLikelyLink(
  column: Column,
  { values, headers, into }: { readonly values: readonly string[]; readonly headers: readonly string[]; readonly into: number },
): LikelyLink | undefined {
  const { all, mayMake } = useTargets()
  // Long lists of columns would make an address that is too long.
  const named = useQuery(fieldsNamed(headers.slice(0, 50))).data?.data ?? []
  const isFree = column.create !== undefined && !column.reference
  const others = all.filter(({ id, meta }) => Number(id) !== into && meta?.access?.['read'] !== false)
  const table = isFree ? others.find(({ id }) => id === likelyTarget(column.header, others)) : undefined
  const structure = useQuery({ ...fieldsOf(Number(table?.id)), enabled: table !== undefined }).data?.data ?? []
  const mayName = ({ attributes: { unique, field_type: type } }: Resource) => unique === true || (mayMake && KEYS.has(String(type)))
  const title = titleFieldOf(structure.map(fieldOf), table)
  const known =
    named.find(
      (one) =>
        others.some(({ id }) => id === String(one.attributes['table_id'])) &&
        String(one.attributes['field_name']).toLowerCase() === column.header.toLowerCase() &&
        (one.attributes['unique'] === true || one.attributes['sequence_number'] === 1) &&
        mayName(one),
    ) ?? structure.find((one) => Number(one.id) === title?.id && mayName(one))
  const sought = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))].slice(0, LOOKED_FOR)
  const target = Number(known?.attributes['table_id'] ?? 0)
  const attribute = String(known?.attributes['int_name'] ?? '')
  const found = useQuery({ ...recordsNamed(target, attribute, sought), enabled: isFree && known !== undefined && sought.length > 0 })
  if (!isFree || !known) return undefined
  const there = new Set(found.data?.map((one) => fold(String(one.attributes[attribute] ?? ''))))
  if (2 * sought.filter((value) => there.has(fold(value))).length < sought.length || sought.length === 0) return undefined
  return {
    field: known.id,
    isUnique: known.attributes['unique'] === true,
    table: nameOf(all, target),
    reference: { table_id: target, field: attribute },
  }
}
