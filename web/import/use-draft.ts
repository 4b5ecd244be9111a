import { useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { change, preview, type Column, type Preview, type Wishes } from '../api/imports.ts'
import { wishOf } from './mapping.ts'

type Wish = NonNullable<Wishes['columns']>[number]

/** The preview of a draft, and how it is changed: shown at once, asked for in turn, and read again when the last answer has come. */
export function useDraft(id: string, makes: boolean) {
  const client = useQueryClient()
  const query = useQuery(preview(id))
  const [error, setError] = useState<unknown>()
  const [waiting, setWaiting] = useState(0)
  const [isDefused, setDefused] = useState(false)
  const chain = useRef<Promise<unknown>>(Promise.resolve())
  /** What is asked for; undefined: as the preview shows. */
  const asked = useRef<readonly Wish[]>(undefined)

  function put(wishes: Wishes): Promise<void> {
    if (!wishes.columns || wishes.columns.length === 0) asked.current = undefined
    setWaiting((count) => count + 1)
    const sent = chain.current.then(async () => {
      try {
        await change(id, wishes)
        if (wishes.defused !== undefined) setDefused(wishes.defused)
        setError(undefined)
      } catch (failure) {
        asked.current = undefined
        setError(failure)
      }
    })
    chain.current = sent
    return sent.then(async () => {
      if (chain.current === sent) await client.invalidateQueries({ queryKey: ['import', id] })
      setWaiting((count) => count - 1)
    })
  }

  /** Other wishes for some columns, in one request. `shown`: how they look until the answer comes. */
  function putColumns(changes: readonly { readonly at: number; readonly wish: Wish; readonly shown: Partial<Column> }[]): void {
    const columns = query.data?.columns ?? []
    let wishes = asked.current ?? columns.map((column) => wishOf(column, makes))
    for (const { at, wish } of changes) wishes = wishes.with(at, wish)
    asked.current = wishes
    // An answer that is on its way tells of the time before this wish.
    void client.cancelQueries({ queryKey: ['import', id] }, { revert: false })
    client.setQueryData<Preview>(['import', id], (before) =>
      before
        ? {
            ...before,
            columns: changes.reduce<readonly Column[]>(
              (all, { at, shown }) => all.with(at, { header: all[at]!.header, ...shown }),
              before.columns,
            ),
          }
        : before,
    )
    void put({ columns: wishes })
  }

  const putColumn = (at: number, wish: Wish, shown: Partial<Column>): void => putColumns([{ at, wish, shown }])

  /** `isDefused`: apostrophes were taken away here. */
  return { id, query, error, isDefused, isWaiting: waiting > 0, put, putColumn, putColumns, settled: () => chain.current }
}

export type Drafted = ReturnType<typeof useDraft>
