import { Failure } from '../../errors.ts'
import { grant, type Granted } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import { Stale } from '../../store/model/stale.ts'
import { getRecord } from '../../store/records/read-records.ts'
import { recordTag } from '../answers/etag.ts'
import { one, type ResourceObject } from '../answers/jsonapi.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { resourceOf, showAll, wantedOf, type Wanted } from './compound.ts'

/*
 * Answers to writes with `include`. The write is committed when the related records are read, so what cannot be included is no error of
 * the request: `meta.notIncluded` has its code and detail.
 */

type Asking = Incoming & { readonly query: { readonly include: string | undefined } }

/** The document of a record that was changed. `wanted`: as it was read before the change. */
export async function changedRecord(request: Asking, granted: Granted<'read'>, record: ShownRecord, wanted: Wanted): Promise<Reply> {
  const plain = (): Reply =>
    one(resourceOf(granted, record, wanted.fields), { headers: { ETag: recordTag(granted, record.version, request) } })
  if (!wanted.steps) return plain()
  try {
    // Read again: the record is shown by newer rights if these have changed.
    const { data, included, others } = await showAll(request, granted, [record], wantedOf(request, granted))
    return one(data[0]!, { headers: { ETag: recordTag(granted, record.version, request, others) }, included: included! })
  } catch (error) {
    return without(plain(), error)
  }
}

/** The answer to a create, with the relationships that `include` names and the records that they lead to. */
export async function createdRecord(request: Asking, tableId: number, reply: Reply): Promise<Reply> {
  if (request.query.include === undefined) return reply
  const { store, caller } = request
  const document = (Buffer.isBuffer(reply.body) ? JSON.parse(reply.body.toString()) : reply.body) as { readonly data: ResourceObject }
  const { type, id, attributes, relationships, ...rest } = document.data
  for (;;)
    try {
      const granted = grant('read', tableId, caller, store.catalogue())
      const record = await getRecord(store, granted, Number(id))
      const shown = await showAll(request, granted, [record], wantedOf(request, granted))
      const all = shown.data[0]!.relationships ?? relationships
      const data = { type, id, ...(attributes && { attributes }), ...(all && { relationships: all }), ...rest }
      return { ...reply, body: { ...document, data, included: shown.included } }
    } catch (error) {
      if (!(error instanceof Stale) || caller.client?.isGone) return without({ ...reply, body: document }, error)
      await store.catchUp?.()
    }
}

/** @throws the error if it is not one that a client is told of */
function without(reply: Reply, error: unknown): Reply {
  if (!(error instanceof Failure)) throw error
  const { code, message: detail } = error
  return { ...reply, body: { ...(reply.body as object), meta: { notIncluded: { code, detail } } } }
}
