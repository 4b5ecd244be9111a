import { cursorOf } from '../../store/changes/cursor.ts'
import { flag } from '../routing/readers.ts'
import type { Incoming, Reply } from '../routing/route.ts'

/* From where the log of changes goes on after an answer (DECISIONS A60). */

export const changeCursor = flag(
  '`true`: the header `Change-Cursor` of the answer is a cursor of the [log of changes](changes.md). What is committed up to it is in the answer, so `after=<cursor>` of live events misses nothing. Default: `false`.',
)

/** The same of a write. */
export const changeWritten = flag(
  '`true`: the header `Change-Cursor` of the answer is the id of the change in the [log of changes](changes.md). Absent where nothing has changed. Default: `false`.',
)

export const HEADER = 'Change-Cursor'

type Asking = Pick<Incoming, 'store'> & { readonly query: { readonly changeCursor: boolean } }

/** What is read, with the cursor if that is asked for: that of the moment before the reading. */
export async function withCursor({ store, query }: Asking, read: () => Promise<Reply>): Promise<Reply> {
  if (!query.changeCursor) return read()
  const cursor = await cursorOf(store)
  return headed(await read(), cursor)
}

export const headed = (reply: Reply, cursor: number | undefined): Reply =>
  cursor === undefined ? reply : { ...reply, headers: { ...reply.headers, [HEADER]: String(cursor) } }
