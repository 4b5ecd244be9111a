import { query, send, type Resource } from './client.ts'

/* What the person may do with single records, where a write filter makes that differ from record to record (DECISIONS A59). */

/** With it, answers say so of each record. Where all are alike they say nothing, and the rights on the table hold. */
export const WITH_ACCESS = { recordAccess: 'true' } as const

/** Whether it is one that the person may not write, though they may write others of its table. */
export const isBarred = (record: Resource | undefined, right: 'update' | 'delete'): boolean => record?.meta?.access?.[right] === false

/** Of these records, what may be done with them now. */
export async function accessOf(table: number, ids: readonly string[]): Promise<ReadonlyMap<string, NonNullable<Resource['meta']>>> {
  const asked = { filter: `in(id,${ids.join()})`, 'page[size]': ids.length, [`fields[data${table}]`]: 'id', ...WITH_ACCESS }
  const { data } = await send<readonly Resource[]>('GET', `data${table}?${query(asked)}`)
  return new Map(data.flatMap(({ id, meta }) => (meta?.access ? [[id, { access: meta.access }]] : [])))
}
