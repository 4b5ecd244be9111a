import type { Failure } from '../errors.ts'
import type { Log } from '../http/connections/serving.ts'
import type { Store } from '../store/ground/store.ts'
import { noteHookFault } from '../store/webhooks/queue.ts'
import type { Outgoing } from './outbox.ts'

/** Milliseconds after which a filter that did not fit is tried again. */
export const RETRY = 5_000

/** Whether the filter does not fit its table, or the database took too long for it. */
export const isOfFilter = ({ code }: Failure): boolean => code.startsWith('filter.') || code === 'server.query_timeout'

/** Says why a webhook sends nothing, or that it does again. */
export async function noteFault({ store, log }: { readonly store: Store; readonly log: Log }, one: Outgoing, fault: string): Promise<void> {
  if (one.fault === fault) return
  one.fault = fault
  await noteHookFault(store, one.hook.id, fault)
  if (fault !== '') log.warn({ webhook: one.hook.id, fault }, 'the filter of a webhook does not fit its table')
}
