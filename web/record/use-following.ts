import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { gathered } from '../api/gathered.ts'
import { follow, type Change } from '../api/live.ts'
import { me, queries } from '../api/queries.ts'

/** Milliseconds for which a field shows that somebody has changed it. */
const GLANCE = 1600

const NONE: ReadonlySet<string> = new Set()

/** Follows what others do to a record that is shown: it is read again. Tells the attributes that they have just changed. */
export function useFollowing(table: number, record: string): ReadonlySet<string> {
  const person = useQuery(me).data?.data.id ?? ''
  const [changed, setChanged] = useState(NONE)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      for (const name of ['record', 'history']) void queries.invalidateQueries({ queryKey: [name, table, record] })
    }
    const files = () => void queries.invalidateQueries({ predicate: ({ queryKey: [kind, of, , id] }) => kind === 'files' && of === table && id === record }) // prettier-ignore
    const change = ({ id, record: which, user, action, values }: Change) => {
      if (which !== record) return
      const known = queries.getQueriesData<Document<Resource>>({ queryKey: ['record', table, record] }).flatMap(([, one]) => one ?? [])
      // It was read after that.
      if (known.length > 0 && known.every(({ cursor = -1 }) => id <= cursor)) return
      const held = known.map(({ data }) => data.attributes)
      const names = Object.entries(values ?? {}).flatMap(([name, value]) => (held.some((one) => one[name] !== value) ? [name] : []))
      // What the person has saved here is known already.
      if (user === person && action === 'update' && values && names.length === 0) return
      refresh()
      files()
      if (user === person || names.length === 0) return
      setChanged(new Set(names))
      clearTimeout(timer)
      timer = setTimeout(() => setChanged(NONE), GLANCE)
    }
    const unfollow = follow(table, change, () => {
      refresh()
      files()
    })
    return () => {
      unfollow()
      clearTimeout(timer)
      setChanged(NONE)
    }
  }, [table, record, person])
  return changed
}

/** Follows the records of another table that are shown beside. */
export function useFollowingTable(table: number): void {
  useEffect(() => {
    const refresh = gathered(() => void queries.invalidateQueries({ queryKey: ['records', table] }))
    const unfollow = follow(table, refresh, refresh)
    return () => {
      unfollow()
      refresh.stop()
    }
  }, [table])
}
