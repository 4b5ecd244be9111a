import { useEffect, useMemo, useState } from 'react'
import type { RecordPages } from '../api/pages.ts'
import { queries } from '../api/queries.ts'
import { groupsOf, type Group } from '../api/views.ts'
import { useWords } from '../i18n/words.ts'
import { isFolded, UNFOLDED, type Folding } from './folding.ts'
import type { Grouping } from './grouping.ts'
import { headsBy } from './heads.ts'
import { linesOf, type Lines } from './lines.ts'
import { directionOf } from './order.ts'

interface Found {
  readonly of: string
  readonly pages: RecordPages
  readonly groups: readonly Group[]
  readonly error?: unknown
}

/**
 * The lines of a list, under heads if it is grouped. Counts are those of the moment when the list was read, as its rows are: heads move when it is
 * read again.
 */
export function useGroups(
  pages: RecordPages,
  {
    table,
    filter,
    sort,
    grouping,
    begin = UNFOLDED,
  }: {
    readonly table: number
    readonly filter: string | undefined
    readonly sort: string | undefined
    readonly grouping: Grouping | undefined
    /** What is folded away from the beginning. */
    readonly begin?: Folding | undefined
  },
): {
  readonly lines: Lines
  /** Why there are no heads. */
  readonly error: unknown
  /** Groups whose records are folded away. */
  readonly folding: Folding
  fold(folding: Folding): void
} {
  const say = useWords()
  const [found, setFound] = useState<Found>()
  const of = grouping?.text
  const [state, setState] = useState({ of: of ?? '', folding: begin })
  const now = found && found.of === of && found.pages === pages ? found : undefined
  const rows = pages.total
  const counted = now?.groups.reduce((sum, { count }) => sum + (count ?? 0), 0)
  // The list has been read again besides, and is longer or shorter.
  const other = now && !now.error && rows !== undefined && counted !== rows ? rows : undefined

  useEffect(() => {
    if (of === undefined) return
    let isOver = false
    queries.fetchQuery({ ...groupsOf(table, of, 'count', filter), staleTime: 0, retry: 1 }).then(
      (groups) => isOver || setFound({ of, pages, groups }),
      (error: unknown) => isOver || setFound({ of, pages, groups: [], error }),
    )
    return () => {
      isOver = true
    }
  }, [table, of, filter, pages, pages.reads, other])

  const folding = state.of === of ? state.folding : UNFOLDED
  const isBack = grouping !== undefined && directionOf(sort, grouping.field.name) === 'descending'
  const lines = useMemo(() => {
    if (!grouping || now?.error) return linesOf(rows ?? 0)
    if (!now || rows === undefined) return linesOf(0)
    return linesOf(
      rows,
      headsBy(grouping, now.groups, isBack, (value) => isFolded(folding, value), say),
    )
    // Words differ by language.
  }, [now, rows, folding, isBack, of, say])

  return { lines, error: now?.error, folding, fold: (next) => setState({ of: of ?? '', folding: next }) }
}
