import { query, send, type Resource } from './client.ts'

/* By which batch something was done whose answer does not name it: the history of the record tells. */

/** Batches that have been found to be what an act of these pages did. */
const found = new Set<number>()

/**
 * The batch by which an attribute got a value: the newest one that is neither an undo nor another act. Those of later acts are found before,
 * also where they gave it the same value.
 */
export async function batchOf(table: number, id: string, attribute: string, value: unknown): Promise<readonly number[]> {
  const { data } = await send<readonly Resource[]>(
    'GET',
    `data${table}/${encodeURIComponent(id)}/history?${query({ sort: '-id', 'page[limit]': 50 })}`,
  )
  const change = data.find(({ attributes }) => {
    const isOther = attributes['via'] === 'undo' || found.has(Number(attributes['batch_id']))
    return !isOther && attributes['changes']?.[attribute]?.to === value
  })
  if (!change) return []
  const batch = Number(change.attributes['batch_id'])
  found.add(batch)
  return [batch]
}

/** Another person may sit down here. */
export function forgetFound(): void {
  found.clear()
}

/** The batch that made a record. */
export async function batchOfCreation(table: number, id: string): Promise<readonly number[]> {
  const { data } = await send<readonly Resource[]>(
    'GET',
    `data${table}/${encodeURIComponent(id)}/history?${query({ sort: 'id', 'page[limit]': 1 })}`,
  )
  return data.map(({ attributes }) => Number(attributes['batch_id']))
}
