import { wholeChange } from '../http/resources/change.ts'
import { toResource } from '../http/resources/resource.ts'
import { limits } from '../limits.ts'
import type { Store } from '../store/ground/store.ts'
import type { Caller } from '../store/model/access.ts'
import type { Sent } from '../store/webhooks/hook-changes.ts'

/** The document that a webhook is sent: the change as its user sees it, and in `meta` what it did to the filter. */
export function documentOf(store: Store, caller: Caller, { change, inFilter }: Sent): string {
  const write = (shown: typeof change) => {
    const resource = toResource(wholeChange, { store, caller }, shown)
    return JSON.stringify({ data: { ...resource, ...(inFilter && { meta: { filter: inFilter } }) } })
  }
  const text = write(change)
  return text.length <= limits.webhookBody.most ? text : write({ ...change, changes: null })
}

/** A document of the same form that is no change. */
export const testDocument = (webhookId: number, madeAt: string): string =>
  JSON.stringify({
    data: {
      type: 'change',
      id: '0',
      attributes: { table_id: 0, record_id: 0, action: 'test', made_at: madeAt, changes: {} },
      meta: { webhook: String(webhookId) },
    },
  })
