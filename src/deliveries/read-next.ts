import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { changesFor } from '../store/webhooks/hook-changes.ts'
import { enqueue, noteExpired, noteHookFault } from '../store/webhooks/queue.ts'
import type { Delivering } from './attempt.ts'
import { add, type Outgoing } from './outbox.ts'

/** Changes that are looked at in one step. */
const STEP = 50
/** Milliseconds after which a cursor is written that passed no change for its webhook. */
const CURSOR = 60_000
/** Milliseconds after which a filter that did not fit is tried again. */
const RETRY = 5_000

/** Whether there may be more now; `moved by others`: the webhook has to be read again. */
type Read = 'more' | 'all' | 'moved by others'

/** Puts what comes next in the log into the queue of a webhook, as far as there is room. */
export async function readNext(given: Delivering, one: Outgoing): Promise<Read> {
  const { store, log } = given
  const room = limits.webhookQueue.most - one.waiting.size
  if (room <= 0) return 'all'
  try {
    const { sent, cursor, more } = await changesFor(store, one.hook, one.position, Math.min(STEP, room))
    await note(given, one, '')
    const hasMoved = await move(
      given,
      one,
      cursor,
      sent.map(({ change: { id, tableId, recordId } }) => ({ changeId: id, tableId, recordId })),
    )
    return hasMoved ? (more ? 'more' : 'all') : 'moved by others'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'change.expired') {
      const to = await noteExpired(store, one.hook)
      log.warn({ webhook: one.hook.id }, 'changes were erased before they were sent to a webhook')
      if (to === undefined) return 'moved by others'
      Object.assign(one, { position: to, hook: { ...one.hook, cursor: to } })
      return 'more'
    }
    if (!isOfFilter(error)) throw error
    one.quietUntil = store.environment.now() + RETRY
    await note(given, one, error.code)
    return 'all'
  }
}

/** Whether the filter does not fit its table, or looks through texts for too long. */
const isOfFilter = ({ code }: Failure): boolean => code.startsWith('filter.') || code === 'server.query_timeout'

/** Moves the cursor past these changes. Returns false if it was moved by another process, or the webhook is gone. */
async function move({ store }: Delivering, one: Outgoing, cursor: number, changes: Parameters<typeof enqueue>[3]): Promise<boolean> {
  const now = store.environment.now()
  one.position = cursor
  if (changes.length === 0 && Math.abs(now - one.noted) < CURSOR) return true
  const made = await enqueue(store, one.hook, cursor, changes)
  if (!made) return false
  one.hook = { ...one.hook, cursor }
  one.noted = now
  add(one, made)
  return true
}

/** Says why a webhook sends nothing, or that it does again. */
async function note({ store, log }: Delivering, one: Outgoing, fault: string): Promise<void> {
  if (one.fault === fault) return
  one.fault = fault
  await noteHookFault(store, one.hook.id, fault)
  if (fault !== '') log.warn({ webhook: one.hook.id, fault }, 'the filter of a webhook does not fit its table')
}
