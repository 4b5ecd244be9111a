import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Log } from '../http/connections/serving.ts'
import { nowText } from '../store/ground/clock.ts'
import type { Store } from '../store/ground/store.ts'
import { atMost } from '../store/scheduling/at-most.ts'
import { changeFor } from '../store/webhooks/hook-changes.ts'
import { noteAttempt, noteWithheld, type Result, type Waiting } from '../store/webhooks/queue.ts'
import type { AddressRules } from '../webhooks/address.ts'
import { nextAfter } from '../webhooks/backoff.ts'
import { FILTER_TOO_SLOW, type FaultCode, type Outcome } from '../webhooks/outcome.ts'
import { send, systemResolve, type Sending } from '../webhooks/send.ts'
import { documentOf, testDocument } from './document.ts'
import { noteFault, RETRY } from './hook-fault.ts'
import { settle, type Outgoing } from './outbox.ts'

/** Documents that are made at once: the values of a record can be large. */
const DOCUMENTS = 4
const making = atMost(DOCUMENTS, limits.webhookAttempts.most)

/** Milliseconds from which on an answer was slow. */
const SLOW = 2_000

export interface Delivering {
  readonly store: Store
  readonly rules: AddressRules
  readonly log: Log
  /** The addresses of a host; default: as the system finds them. */
  readonly resolve?: Sending['resolve']
}

interface Attempting extends Delivering {
  /** Whether users and rights are those that the webhook was read with. */
  isCurrent(): Promise<boolean>
  /** Told what came of an attempt, when it is written. */
  noted(state: AttemptState): void
}

/** waiting: it failed, and another one follows; parked: it failed, and is given up. */
export type AttemptState = ReturnType<typeof nextAfter>['is']

/**
 * Makes one attempt, and writes what came of it. It also waits for the lookup of the host, which may go on when the attempt was given up:
 * the system makes few lookups at once, so those that nobody waits for must not grow in number.
 * @throws where the document cannot be read, or what came of it cannot be written: then the delivery waits as before
 */
export async function attempt(given: Attempting, one: Outgoing, delivery: Waiting): Promise<void> {
  const { store, rules, resolve = systemResolve } = given
  if (!(await given.isCurrent())) return
  const body = await documentFor(given, one, delivery)
  if (one.ending.signal.aborted) return
  if (body.is === 'faulty') {
    await noteFault(given, one, body.fault)
    settle(one, delivery.id, { ...delivery, next: store.environment.now() + RETRY })
    return
  }
  if (body.is === 'withheld') {
    await noteWithheld(store, delivery.id, body.fault)
    settle(one, delivery.id, undefined)
    return
  }
  const { id: webhook, url: address } = one.hook
  const subject = delivery.changeId === 0 ? `test${delivery.id}` : String(delivery.changeId)
  const at = store.environment.now()
  const message = { id: `msg_${store.instance}_${webhook}_${subject}`, at, body: body.text, address, secrets: one.hook.secrets }
  let lookup: Promise<unknown> = Promise.resolve()
  const looking = (host: string) => {
    const found = resolve(host)
    lookup = found.catch(() => {})
    return found
  }
  const outcome = await send(message, { rules, signal: one.ending.signal, resolve: looking })
  if ('fault' in outcome && outcome.fault === 'stopped') return
  await note(given, one, delivery, outcome)
  if (store.environment.now() - at >= SLOW) one.isSlow = true
  await unlessEnded(lookup, one.ending.signal)
}

/** Waits for a promise, or until there is no reason to any more. */
async function unlessEnded(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  signal.addEventListener('abort', end)
  await Promise.race([promise, ended])
  signal.removeEventListener('abort', end)
}

/** What is sent. `withheld`: there is nothing that the user may read, or nothing left, or a fault. `faulty`: the filter of the webhook is. */
type Body =
  | { readonly is: 'sent'; readonly text: string }
  | { readonly is: 'withheld'; readonly fault: string }
  | { readonly is: 'faulty'; readonly fault: string }

async function documentFor({ store }: Attempting, { hook }: Outgoing, { changeId }: Waiting): Promise<Body> {
  if (changeId === 0) return { is: 'sent', text: testDocument(hook.id, nowText(store)) }
  try {
    return await making(async () => {
      const sent = await changeFor(store, hook, changeId)
      if (sent === undefined || sent === 'too long') return { is: 'withheld', fault: sent ? FILTER_TOO_SLOW : '' }
      return { is: 'sent', text: documentOf(store, hook.caller, sent) }
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'change.expired') return { is: 'withheld', fault: '' }
    if (error.code.startsWith('filter.')) return { is: 'faulty', fault: error.code }
    throw error
  }
}

async function note({ store, log, noted }: Attempting, one: Outgoing, delivery: Waiting, outcome: Outcome): Promise<void> {
  const tries = delivery.tries + 1
  const after = nextAfter(outcome, tries, chance(store.environment.randomBytes))
  const [status, fault] = 'status' in outcome ? [outcome.status, ''] : [0, shownFault(outcome.fault)]
  const next = after.is === 'waiting' ? store.environment.now() + after.milliseconds : 0
  const result: Result = { state: after.is, status, fault, next, tries }
  const isGone = status === 410
  await noteAttempt(store, one.hook.id, delivery.id, result, isGone)
  noted(after.is)
  one.isSlow = after.is !== 'delivered'
  settle(one, delivery.id, after.is === 'waiting' ? { ...delivery, next, tries } : undefined)
  if (isGone) one.ending.abort()
  if (after.is === 'delivered') return
  const said = {
    webhook: one.hook.id,
    delivery: delivery.id,
    change: delivery.changeId,
    attempt: tries,
    ...('status' in outcome ? { status } : outcome),
  }
  if (isGone) log.warn(said, 'a receiver wants nothing more: its webhook is not active any more')
  else if (after.is === 'parked') log.warn(said, 'a webhook was not delivered in three days, and is not tried any more')
  else log.info(said, 'a webhook was not delivered yet')
}

/** Whether a name has no address, or one that is not allowed, tells of the network of the operator. */
export const shownFault = (fault: FaultCode): string => (fault === 'unknown_host' || fault === 'forbidden_network' ? 'no_address' : fault)

/** From 0 to 1. */
const chance = (randomBytes: (count: number) => Uint8Array): number => randomBytes(2).reduce((sum, byte) => sum * 256 + byte, 0) / 65_535
