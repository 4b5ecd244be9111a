import { parse } from '../../filter/parse.ts'
import { limits } from '../../limits.ts'
import { pageAround, type Around, type Stretching } from '../ground/around.ts'
import type { RecordsAround, Selection } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import type { ShownRecord } from '../model/record.ts'
import type { Relationship } from '../model/relationships.ts'
import { getRecord } from './read-records.ts'
import { readable, referencesOf, type RelatedUses } from './related-records.ts'

/** Where a relationship leads from one record: a part of the records, and how many there are in all. */
export interface RelatedPage {
  readonly records: readonly ShownRecord[]
  readonly total: number
}

/**
 * A page of the records that a record is related to: those that refer to it by id, those that it refers to in the order of its field.
 * @throws `record.not_found` where the caller may not read the record itself
 */
export async function relatedPage(
  store: RelatedUses & Uses<'pages'>,
  from: Granted<'read'>,
  granted: Granted<'read'>,
  id: number,
  { field, isInverse }: Relationship,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<RelatedPage> {
  const record = await getRecord(store, from, id)
  if (isInverse) return store.pages.page(granted, { ...referring(field, id), offset, limit })
  const ids = await idsShown(store, granted, field, record)
  return { records: await these(store, granted, ids.slice(offset, offset + limit)), total: ids.length }
}

/** The same as a page that begins or ends at a position. */
export async function relatedAround(
  store: RelatedUses & Uses<'pages'>,
  from: Granted<'read'>,
  granted: Granted<'read'>,
  id: number,
  { field, isInverse }: Relationship,
  around: Around,
): Promise<RecordsAround> {
  const record = await getRecord(store, from, id)
  if (isInverse) return store.pages.around(granted, referring(field, id), around)
  const ids = await idsShown(store, granted, field, record)
  const { rows, more } = await pageAround(around, (stretching) => Promise.resolve(idsFrom(ids, stretching)))
  const records = await these(store, granted, rows)
  return { records, positions: records.map((one) => ({ keys: [], id: one.id })), more }
}

/** The ids behind a position. One that the field does not hold any more is taken for its beginning, so that none is left out. */
function idsFrom(ids: readonly number[], { from, until, backwards, limit }: Stretching): readonly number[] {
  const order = backwards ? ids.toReversed() : ids
  const begin = from ? order.indexOf(from.id) + 1 : 0
  const end = until ? order.indexOf(until.id) : -1
  return order.slice(begin, end < 0 ? undefined : end).slice(0, limit)
}

const referring = ({ type, name }: Relationship['field'], id: number): Selection => ({
  filter: parse(`${type.kind === 'set' ? 'has' : 'eq'}(${name},${id})`),
  sort: [],
})

/** The ids in the field whose records the caller may read. */
async function idsShown(
  store: RelatedUses,
  granted: Granted<'read'>,
  field: Relationship['field'],
  record: ShownRecord,
): Promise<readonly number[]> {
  const all = (await referencesOf(store, field, [record])).get(record.id) ?? []
  const exist = await readable(store, granted, all)
  return all.filter((one) => exist.has(one))
}

/** The records with these ids, in this order. */
async function these(store: Uses<'pages'>, granted: Granted<'read'>, ids: readonly number[]): Promise<readonly ShownRecord[]> {
  if (ids.length === 0) return []
  const selection = { filter: parse(`in(id,${ids.join(',')})`, limits.postedFilter.most), sort: [] }
  const { records } = await store.pages.around(granted, selection, { size: ids.length })
  const byId = new Map(records.map((one) => [one.id, one]))
  return ids.flatMap((one) => byId.get(one) ?? [])
}
