import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { changesFor } from '../store/webhooks/hook-changes.ts'
import { enqueue, noteExpired, type Subject } from '../store/webhooks/queue.ts'
import { FILTER_TOO_SLOW } from '../webhooks/outcome.ts'
import type { Delivering } from './attempt.ts'
import { isOfFilter, noteFault, RETRY } from './hook-fault.ts'
import { add, type Outgoing } from './outbox.ts'

/** Changes that are looked at in one step. */
const STEP = 50
/** Milliseconds after which a cursor is written that passed no change for its webhook. */
const CURSOR = 60_000

/** Whether there may be more now; `moved by others`: the webhook has to be read again. */
type Read = 'more' | 'all' | 'moved by others'

/** Puts what comes next in the log into the queue of a webhook, as far as there is room. */
export async function readNext(given: Delivering, one: Outgoing): Promise<Read> {
  const { store, log } = given
  const room = limits.webhookQueue.most - one.waiting.size
  if (room <= 0) return 'all'
  try {
    const { sent, cursor, more, passed } = await changesFor(store, one.hook, one.position, Math.min(STEP, room))
    await noteFault(given, one, '')
    const tooLong = sent.flatMap(({ change: { id }, isTooLong }) => (isTooLong ? id : []))
    for (const change of [...passed, ...tooLong])
      log.warn({ webhook: one.hook.id, change }, 'a filter takes too long for a change: it is not sent')
    const hasMoved = await move(
      given,
      one,
      cursor,
      sent.map(({ change: { id, tableId, recordId }, isTooLong }) => ({
        changeId: id,
        tableId,
        recordId,
        ...(isTooLong && { fault: FILTER_TOO_SLOW }),
      })),
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
    await noteFault(given, one, error.code)
    return 'all'
  }
}

/** Moves the cursor past these changes. Returns false if it was moved by another process, or the webhook is gone. */
async function move({ store }: Delivering, one: Outgoing, cursor: number, changes: readonly Subject[]): Promise<boolean> {
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
