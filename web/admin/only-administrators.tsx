import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { me } from '../api/queries.ts'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useUndoKeys } from './use-acts.ts'
import './admin.css'

/** For everybody else there is nothing at these addresses. */
export function OnlyAdministrators({ of, children }: { readonly of: string; readonly children: ReactNode }) {
  const { data } = useQuery(me)
  useUndoKeys()
  if (!data) return <Skeleton />
  return ((data.data.attributes['administers'] ?? []) as readonly string[]).includes(of) ? children : <Nowhere />
}
