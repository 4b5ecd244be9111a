import type { Granted } from '../../store/model/access.ts'
import { writableAmong } from '../../store/records/writable.ts'
import type { ResourceObject } from '../answers/jsonapi.ts'
import { flag } from '../routing/readers.ts'
import type { Incoming } from '../routing/route.ts'

/* What the caller may do with single records, where that differs from record to record (DECISIONS A59). */

export const recordAccess = flag(
  '`true`: where which records you may write depends on the `write_filter` of your group, each says in `meta.access` whether you may change (`update`) and delete (`delete`) it. Without that, the `meta.access` of the table holds for all. Default: `false`.',
)

type Asking = Pick<Incoming, 'store'> & { readonly query: { readonly recordAccess: boolean } }

/** The same resources, which say what the caller may do with them, if that is asked for. */
export async function withAccess(
  { store, query }: Asking,
  granted: Granted<'read'>,
  data: readonly ResourceObject[],
): Promise<readonly ResourceObject[]> {
  const { rights } = granted
  // Who may write none is told so by the table. By a token that may only read, nothing shows that the group has a write filter.
  if (!query.recordAccess || !(rights.has('update') || rights.has('delete'))) return data
  const ids = data.map(({ id }) => Number(id))
  const writable = await writableAmong(store, granted, ids)
  if (!writable) return data
  return data.map((one, i) => {
    const isWritable = writable.has(ids[i]!)
    return { ...one, meta: { access: { update: isWritable && rights.has('update'), delete: isWritable && rights.has('delete') } } }
  })
}
