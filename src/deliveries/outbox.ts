import { limits } from '../limits.ts'
import type { Hook, Waiting } from '../store/webhooks/queue.ts'

/*
 * The webhooks that this process delivers, with their waiting deliveries, in memory. It decides which attempt begins next: of each record
 * only the oldest change that waits, so that the changes of a record arrive in order.
 */

/** One webhook. */
export interface Outgoing {
  hook: Hook
  /** The position up to which the log was looked at, at least the cursor in the database. */
  position: number
  /** When the cursor was written, in Unix milliseconds. */
  noted: number
  /** By id, in the order of their changes. */
  waiting: Map<number, Waiting>
  /** What became of deliveries since `waiting` began to be read again (undefined: waits no more); undefined while it is not read. */
  settled: Map<number, Waiting | undefined> | undefined
  /** Records of which an attempt runs. */
  readonly busy: Set<string>
  /** Whether its last attempt failed or took long; before the first one it is not known. Such webhooks have slots of their own. */
  isSlow: boolean
  /** Why it sends nothing at present, as the database has it; '' where it does. */
  fault: string
  /** Unix milliseconds until which the log is not read for it, since that failed. */
  quietUntil: number
  /** Ends its attempts. */
  readonly ending: AbortController
}

export const outgoing = (hook: Hook, waiting: readonly Waiting[], now: number): Outgoing => ({
  hook,
  position: hook.cursor,
  noted: now,
  waiting: inOrder(waiting),
  settled: undefined,
  busy: new Set(),
  isSlow: true,
  fault: hook.fault,
  quietUntil: 0,
  ending: new AbortController(),
})

const inOrder = (waiting: readonly Waiting[]): Map<number, Waiting> => new Map(waiting.map((one) => [one.id, one]))

/** Of a test there is no record: it waits for nothing. */
const recordOf = ({ id, tableId, recordId }: Waiting): string => (recordId === 0 ? `delivery ${id}` : `${tableId} ${recordId}`)

/** Adds new deliveries, which come after all others. */
export function add(one: Outgoing, some: readonly Waiting[]): void {
  for (const waiting of some) one.waiting.set(waiting.id, waiting)
}

/** Notes what became of a delivery; undefined: it waits no more. */
export function settle(one: Outgoing, id: number, now: Waiting | undefined): void {
  one.settled?.set(id, now)
  if (!now) one.waiting.delete(id)
  else if (one.waiting.has(id)) one.waiting.set(id, now)
}

/** Reads the waiting deliveries again, while attempts go on. */
export async function renew(one: Outgoing, read: () => Promise<readonly Waiting[]>): Promise<void> {
  const settled = (one.settled = new Map<number, Waiting | undefined>())
  try {
    const found = await read()
    one.waiting = inOrder(found.flatMap((waiting) => (settled.has(waiting.id) ? (settled.get(waiting.id) ?? []) : waiting)))
  } finally {
    one.settled = undefined
  }
}

/** The next delivery of a webhook that may be attempted now. */
export const nextDelivery = (one: Outgoing, now: number): Waiting | undefined => firsts(one).find(({ next }) => next <= now)

/** Milliseconds until the next attempt that may begin is due, or the log is to be read again for a webhook, between `least` and `most`. */
export function untilDue(webhooks: Iterable<Outgoing>, now: number, most: number, least: number): number {
  const all = [...webhooks]
  const due = all.flatMap((one) => [
    ...(hasSlot(one, all) && one.fault === '' ? [nextDue(one)] : []),
    ...(one.quietUntil > now ? [one.quietUntil] : []),
  ])
  return due.reduce((wait, at) => Math.min(wait, Math.max(least, at - now)), most)
}

/** When the next attempt of a webhook is due, in Unix milliseconds; Infinity for never. */
const nextDue = (one: Outgoing): number => Math.min(...firsts(one).map(({ next }) => next))

/** The oldest of each record of which no attempt runs. */
function firsts({ waiting, busy }: Outgoing): Waiting[] {
  const seen = new Set(busy)
  return [...waiting.values()].filter((one) => {
    const record = recordOf(one)
    return !seen.has(record) && seen.add(record)
  })
}

/** Begins an attempt of a delivery. Returns how to end it. */
export function occupy({ busy }: Outgoing, delivery: Waiting): () => void {
  const record = recordOf(delivery)
  busy.add(record)
  return () => void busy.delete(record)
}

/** Whether a webhook may begin one more attempt; `all`: every webhook of this process. */
export function hasSlot({ isSlow, busy }: Outgoing, all: Iterable<Outgoing>): boolean {
  const { webhookAttempts, webhookAttemptsOfOne } = limits
  if (busy.size >= (isSlow ? 1 : webhookAttemptsOfOne.most)) return false
  let [running, slow] = [0, 0]
  for (const one of all) {
    running += one.busy.size
    if (one.isSlow) slow += one.busy.size
  }
  return running < webhookAttempts.most && (!isSlow || slow < webhookAttempts.most / 2)
}
