import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Document, Resource } from '../api/client.ts'
import { records, type ListOf } from '../api/queries.ts'
import { headsOf } from '../api/views.ts'
import { allFolded, folded, isFolded, UNFOLDED, type Folding } from '../grid/folding.ts'
import type { Grouping } from '../grid/grouping.ts'
import { headsBy } from '../grid/heads.ts'
import { linesOf, spansOf, type Head } from '../grid/lines.ts'
import { directionOf } from '../grid/order.ts'
import { useWords } from '../i18n/words.ts'

/** Cards of a page: the most that the interface gives by offset. Heads of groups count as cards. */
export const PAGE = 50

export type CardLine = { readonly head: Head } | { readonly record: Resource; readonly place: number }

export interface CardLines {
  readonly lines: readonly CardLine[]
  /** All records of the page, with what came along. */
  readonly document: Document<readonly Resource[]> | undefined
  /** Records of the whole list; undefined until it is known. */
  readonly total: number | undefined
  readonly pages: number
  /** Whether the cards are those of another page, until these have come. */
  readonly isOld: boolean
  readonly error: unknown
  /** Another number after each reading. */
  readonly round: number
  again(): void
  fold(value: string): void
  foldAll(areFolded: boolean): void
}

type Asked = Omit<ListOf, 'offset' | 'limit'>

/** The cards of a page of a list, with heads above those of each group if it is grouped. */
export function useCardLines(asked: Asked, page: number, grouping: Grouping | undefined): CardLines {
  const say = useWords()
  const { table, filter, sort } = asked
  const first = (page - 1) * PAGE
  const list = useQuery({
    ...records({ ...asked, offset: first, limit: PAGE }),
    placeholderData: (before, query) => (query?.queryKey[1] === table ? keepPreviousData(before) : undefined),
    enabled: grouping === undefined,
  })
  const heads = useQuery({ ...headsOf(table, grouping?.text ?? '', filter), enabled: grouping !== undefined })
  const of = `${table} ${grouping?.text}`
  const [state, setState] = useState<{ readonly of: string; readonly folding: Folding }>()
  const folding = state?.of === of ? state.folding : UNFOLDED
  const isBack = grouping !== undefined && directionOf(sort, grouping.field.name) === 'descending'
  const lines = useMemo(
    () => {
      if (!grouping || !heads.data) return linesOf(0)
      const found = headsBy(grouping, heads.data, isBack, (value) => isFolded(folding, value), say)
      return linesOf(found.reduce((sum, { count }) => sum + count, 0), found) // prettier-ignore
    }, // Words differ by language.
    [grouping, heads.data, folding, isBack, say],
  )
  const spans = grouping ? spansOf(lines, first, first + PAGE - 1) : []
  const parts = useQueries({ queries: spans.map(({ from, to }) => records({ ...asked, offset: from, limit: to - from + 1 })) })
  const setFolding = (next: Folding) => setState({ of, folding: next })
  const acts = {
    fold: (value: string) => setFolding(folded(folding, [value], !isFolded(folding, value))),
    foldAll: (areFolded: boolean) => setFolding(allFolded(areFolded)),
  }
  if (!grouping) {
    const total = list.data?.meta?.total
    return {
      lines: (list.data?.data ?? []).map((record, i) => ({ record, place: first + i })),
      document: list.data,
      total: list.data && (total ?? 0),
      pages: Math.max(1, Math.ceil((total ?? 0) / PAGE)),
      isOld: list.isPlaceholderData,
      // The second attempt says what is wrong; those after it are made behind the message.
      error: list.error ?? (list.failureCount > 1 && !list.data ? list.failureReason : undefined),
      round: list.dataUpdatedAt,
      again: () => void list.refetch(),
      ...acts,
    }
  }
  const recordAt = (place: number): Resource | undefined => {
    const i = spans.findIndex(({ from, to }) => place >= from && place <= to)
    return parts[i]?.data?.data[place - spans[i]!.from]
  }
  const shown = Array.from({ length: Math.max(0, Math.min(PAGE, lines.count - first)) }, (_, i) => lines.at(first + i))
  const isHere = heads.data !== undefined && parts.every(({ data }) => data)
  return {
    lines: shown.flatMap((line): CardLine[] => {
      if ('head' in line) return [line]
      const record = recordAt(line.place)
      return record ? [{ record, place: line.place }] : []
    }),
    document: isHere
      ? { data: parts.flatMap(({ data }) => data!.data), included: parts.flatMap(({ data }) => data!.included ?? []) }
      : undefined,
    total: heads.data?.reduce((sum, { count = 0 }) => sum + count, 0),
    pages: Math.max(1, Math.ceil(lines.count / PAGE)),
    isOld: false,
    error: heads.error ?? parts.find(({ error }) => error)?.error,
    round: Math.max(heads.dataUpdatedAt, ...parts.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    again: () => void Promise.all([heads.refetch(), ...parts.map((one) => one.refetch())]),
    ...acts,
  }
}
