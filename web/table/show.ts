import { lazy, type ComponentType } from 'react'
import { RecordCards } from './record-cards.tsx'
import { RecordGrid } from './record-grid.tsx'
import type { RecordsProps } from './records.tsx'

/** By the kinds of views/kinds.ts. */
const ways: Readonly<Record<string, ComponentType<RecordsProps>>> = {
  grid: RecordGrid,
  cards: RecordCards,
  board: lazy(async () => ({ default: (await import('../views/board.tsx')).Board })),
  calendar: lazy(async () => ({ default: (await import('../views/calendar.tsx')).Calendar })),
  chart: lazy(async () => ({ default: (await import('../views/chart.tsx')).Chart })),
}

/** What shows the records. On a phone cards stand for the grid. */
export const shownAs = (kind: string | undefined, isPhone: boolean): ComponentType<RecordsProps> =>
  kind === undefined || kind === 'grid' || !Object.hasOwn(ways, kind) ? (isPhone ? RecordCards : RecordGrid) : ways[kind]!
