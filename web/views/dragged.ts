import type { Resource } from '../api/client.ts'

/* The card that is dragged. What comes from another window or program is none of this page, also where it has the same number. */

const TYPE = 'application/x-kartoteka-card'
const page = `${Date.now()} ${Math.random()}`

export const drag = (data: DataTransfer, table: number, record: Resource): void =>
  data.setData(TYPE, JSON.stringify({ page, table, record }))

/** Whether it may be a card; which one is told when it is dropped. */
export const isCard = (data: DataTransfer): boolean => data.types.includes(TYPE)

export function droppedOf(data: DataTransfer, table: number): Resource | undefined {
  try {
    const card = JSON.parse(data.getData(TYPE)) as { page: string; table: number; record: Resource }
    return card.page === page && card.table === table ? card.record : undefined
  } catch {
    return undefined
  }
}
