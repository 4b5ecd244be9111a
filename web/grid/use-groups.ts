import { useEffect, useMemo, useState } from 'react'
import { locale } from '../api/preferences.ts'
import type { RecordPages } from '../api/pages.ts'
import { queries } from '../api/queries.ts'
import { groupsOf, type Group } from '../api/views.ts'
import { useWords } from '../i18n/words.ts'
import { periodName, type Grouping } from './grouping.ts'
import { linesOf, type Lines } from './lines.ts'
import { directionOf } from './order.ts'

interface Found {
  readonly of: string
  readonly pages: RecordPages
  readonly groups: readonly Group[]
  readonly error?: unknown
}

const NONE: ReadonlySet<string> = new Set()

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
    begin = [],
  }: {
    readonly table: number
    readonly filter: string | undefined
    readonly sort: string | undefined
    readonly grouping: Grouping | undefined
    /** Values of groups that are folded away from the beginning. */
    readonly begin?: readonly string[] | undefined
  },
): {
  readonly lines: Lines
  /** Why there are no heads. */
  readonly error: unknown
  /** Values of groups whose records are folded away. */
  readonly folded: ReadonlySet<string>
  fold(values: ReadonlySet<string>): void
} {
  const say = useWords()
  const [found, setFound] = useState<Found>()
  const of = grouping?.text
  const [state, setState] = useState({ of: of ?? '', values: begin.length > 0 ? new Set(begin) : NONE })
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

  const folded = state.of === of ? state.values : NONE
  const isBack = grouping !== undefined && directionOf(sort, grouping.field.name) === 'descending'
  const lines = useMemo(() => {
    if (!grouping || now?.error) return linesOf(rows ?? 0)
    if (!now || rows === undefined) return linesOf(0)
    let from = 0
    return linesOf(
      rows,
      (isBack ? now.groups.toReversed() : now.groups).map(({ value, label, count = 0 }) => {
        const head = { value: value ?? '', label: nameOf(grouping, value, label), from, count, isFolded: folded.has(value ?? '') }
        from += count
        return head
      }),
    )
    // Words differ by language.
  }, [now, rows, folded, isBack, of, say])

  function nameOf({ field, period }: Grouping, value: string | null, label: string | null): string {
    if (field.type === 'boolean') return say(value === '1' ? 'yes' : 'no')
    if (!label) return say('groupNone')
    return period ? periodName(label, period, locale()) : label
  }
  return { lines, error: now?.error, folded, fold: (values) => setState({ of: of ?? '', values }) }
}
