import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { setLast } from '../../memory/lru.ts'
import { memo } from '../../memory/memo.ts'
import { hasEveryRight } from '../../store/model/built-in-groups.ts'
import type { Caller } from '../../store/model/access.ts'
import type { Catalogue } from '../../store/model/catalogue.ts'
import type { Store } from '../../store/ground/store.ts'
import { atMost, type AtMost } from '../../store/scheduling/at-most.ts'
import { isKnown } from '../answers/etag.ts'
import type { Incoming, Reply } from '../routing/route.ts'

/* Documents of the structure: made when they are asked for, one at a time, and kept as long as structure and rights stay as they are. */

/** A document and its entity tag. */
interface Kept {
  readonly bytes: Uint8Array
  readonly tag: string
}

/** The most documents that are kept; each has at most `limits.documentBytes` and a table. */
const KEPT = 4

// A catalogue is replaced with each change of structure, rights or users, and its documents go with it.
const keptOf = memo((_: Catalogue) => new Map<string, Promise<Kept>>())
const turnOf = memo((_: Store): AtMost => atMost(1, limits.documentsWaiting.most))

/** What the rights of a caller depend on. */
const rightsOf = (caller: Caller) => [
  hasEveryRight(caller) ? 0 : caller.groupId,
  caller.administrator,
  caller.scope,
  caller.tables && [...caller.tables].sort((one, other) => one - other),
]

/**
 * The answer with a document. `about`: what it depends on besides the catalogue and the rights of the caller. @throws `server.busy`
 */
export async function documentReply(
  { store, catalogue, caller, header }: Pick<Incoming, 'store' | 'catalogue' | 'caller' | 'header'>,
  about: unknown,
  media: string,
  make: () => Promise<string>,
): Promise<Reply> {
  const kept = keptOf(catalogue)
  const key = JSON.stringify([about, rightsOf(caller)])
  const making = kept.get(key) ?? turnOf(store)(async () => keep(await make()))
  setLast(kept, key, making, KEPT)
  try {
    const { bytes, tag } = await making
    if (isKnown(header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
    return { status: 200, headers: { 'Content-Type': media, ETag: tag }, body: bytes }
  } catch (error) {
    if (kept.get(key) === making) kept.delete(key)
    throw error
  }
}

function keep(text: string): Kept {
  const bytes = Buffer.from(text)
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
