import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../api/client.ts'
import { me, tables } from '../api/queries.ts'

/** Where the person may bring records. */
export function useTargets(): {
  readonly isKnown: boolean
  readonly mayMake: boolean
  /** Whether there is anything into which they may. */
  readonly mayImport: boolean
  readonly into: readonly Resource[]
  readonly all: readonly Resource[]
} {
  const person = useQuery(me).data?.data
  const all = useQuery(tables).data?.data
  const administers = (person?.attributes['administers'] ?? []) as readonly string[]
  const mayMake = administers.includes('table') && administers.includes('field')
  const into = (all ?? []).filter(({ meta }) => meta?.access?.['create'] === true && meta.access['bed'] === true)
  return {
    isKnown: person !== undefined && all !== undefined,
    mayMake,
    mayImport: mayMake || into.length > 0,
    into,
    all: all ?? [],
  }
}

export const nameOf = (all: readonly Resource[], id: number): string =>
  String(all.find((one) => one.id === String(id))?.attributes['table_name'] ?? '')
