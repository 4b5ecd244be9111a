import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { keepListsFresh, STILL, type Live, type LiveList } from '../api/live-lists.ts'
import { me } from '../api/queries.ts'
import { act } from '../commands/commands.ts'

/** What others change in a list that is shown, as it happens. `shown`: how many records the list had when it was read. */
export function useLive({ table, filter, places }: LiveList, shown: number | undefined): Live & { refresh(): void } {
  const person = useQuery(me).data?.data.id ?? ''
  const [live, setLive] = useState<Live>(STILL)
  const total = useRef(shown)
  total.current = shown
  const keeper = useRef<ReturnType<typeof keepListsFresh>>(undefined)
  const refresh = () => keeper.current?.refresh()
  useEffect(() => {
    const kept = keepListsFresh({ table, filter, places }, person, () => total.current, setLive)
    keeper.current = kept
    return () => {
      kept.close()
      setLive(STILL)
    }
  }, [table, filter, places.join(), person])
  useEffect(() => act('live', { refresh }), [])
  return { ...live, refresh }
}
