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
  /** When the next attempt that may begin is due; undefined: to be found out. It spares going through `waiting` again and again. */
  due: number | undefined
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
  due: undefined,
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
  one.due = undefined
}

/** Notes what became of a delivery; undefined: it waits no more. */
export function settle(one: Outgoing, id: number, now: Waiting | undefined): void {
  one.settled?.set(id, now)
  if (!now) one.waiting.delete(id)
  else if (one.waiting.has(id)) one.waiting.set(id, now)
  one.due = undefined
}

/** Reads the waiting deliveries again, while attempts go on. */
export async function renew(one: Outgoing, read: () => Promise<readonly Waiting[]>): Promise<void> {
  const settled = (one.settled = new Map<number, Waiting | undefined>())
  try {
    const found = await read()
    one.waiting = inOrder(found.flatMap((waiting) => (settled.has(waiting.id) ? (settled.get(waiting.id) ?? []) : waiting)))
  } finally {
    one.settled = undefined
    one.due = undefined
  }
}

/**
 * Begins the attempts of some webhooks that may begin now, with `start`, which occupies them. Of `all`, which are those of this process,
 * the ones that began an attempt go to the end: another one is the first to get the next slot.
 */
export function begin(
  some: Iterable<Outgoing>,
  all: Map<number, Outgoing>,
  now: number,
  start: (one: Outgoing, delivery: Waiting) => void,
): void {
  let load: Load | undefined
  for (const one of some) {
    let hasBegun = false
    while (one.fault === '' && !one.ending.signal.aborted && nextDue(one) <= now && hasSlot(one, (load ??= loadOf(all.values())))) {
      start(one, nextDelivery(one, now)!)
      hasBegun = true
      load = undefined
    }
    if (hasBegun) toEnd(all, one)
  }
}

/** Makes a webhook the last one, if it is still there. */
export function toEnd(all: Map<number, Outgoing>, one: Outgoing): void {
  if (all.get(one.hook.id) !== one) return
  all.delete(one.hook.id)
  all.set(one.hook.id, one)
}

/** The next delivery of a webhook that may be attempted now. */
export const nextDelivery = (one: Outgoing, now: number): Waiting | undefined =>
  nextDue(one) > now ? undefined : firsts(one).find(({ next }) => next <= now)

/** Milliseconds until the next attempt that may begin is due, or the log is to be read again for a webhook, between `least` and `most`. */
export function untilDue(webhooks: Iterable<Outgoing>, now: number, most: number, least: number): number {
  const all = [...webhooks]
  const load = loadOf(all)
  const due = all.flatMap((one) => [
    ...(hasSlot(one, load) && one.fault === '' ? [nextDue(one)] : []),
    ...(one.quietUntil > now ? [one.quietUntil] : []),
  ])
  return due.reduce((wait, at) => Math.min(wait, Math.max(least, at - now)), most)
}

/** When the next attempt of a webhook is due, in Unix milliseconds; Infinity for never. */
const nextDue = (one: Outgoing): number => (one.due ??= Math.min(...firsts(one).map(({ next }) => next)))

/** The oldest of each record of which no attempt runs. */
function firsts({ waiting, busy }: Outgoing): Waiting[] {
  const seen = new Set(busy)
  return [...waiting.values()].filter((one) => {
    const record = recordOf(one)
    return !seen.has(record) && seen.add(record)
  })
}

/** Begins an attempt of a delivery. Returns how to end it. */
export function occupy(one: Outgoing, delivery: Waiting): () => void {
  const record = recordOf(delivery)
  one.busy.add(record)
  one.due = undefined
  return () => {
    one.busy.delete(record)
    one.due = undefined
  }
}

/** How many attempts run. */
interface Load {
  readonly running: number
  /** Of them those of slow webhooks. */
  readonly slow: number
}

/** Of these webhooks, which are all of this process. */
export function loadOf(all: Iterable<Outgoing>): Load {
  let [running, slow] = [0, 0]
  for (const { busy, isSlow } of all) {
    running += busy.size
    if (isSlow) slow += busy.size
  }
  return { running, slow }
}

/** Whether a webhook may begin one more attempt. */
export function hasSlot({ isSlow, busy }: Outgoing, { running, slow }: Load): boolean {
  const { webhookAttempts, webhookAttemptsOfOne } = limits
  if (busy.size >= (isSlow ? 1 : webhookAttemptsOfOne.most)) return false
  return running < webhookAttempts.most && (!isSlow || slow < webhookAttempts.most / 2)
}
