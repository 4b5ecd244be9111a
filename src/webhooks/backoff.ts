import { limits } from '../limits.ts'
import type { Outcome } from './outcome.ts'

/** Waits after the first attempts that failed, in milliseconds; after the later ones it is `limits.webhookWait`. */
const FIRST_WAITS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000]
const THREE_DAYS = 259_200_000
/** So many attempts are made of one delivery: their waits are three days in all, or a little more. */
export const MOST_ATTEMPTS =
  1 + FIRST_WAITS.length + Math.ceil((THREE_DAYS - FIRST_WAITS.reduce((sum, wait) => sum + wait)) / limits.webhookWait.most)
/** So much longer is a wait at most, so that what failed together is not tried again together. */
const JITTER = 0.2

/** What becomes of a delivery after an attempt: `parked` is tried again only when a user asks for it. */
export type Next = { readonly is: 'delivered' } | { readonly is: 'parked' } | { readonly is: 'waiting'; readonly milliseconds: number }

/**
 * @param attempts attempts made so far, this one included
 * @param chance at random, from 0 to 1
 */
export function nextAfter(outcome: Outcome, attempts: number, chance: number): Next {
  const status = 'status' in outcome ? outcome.status : undefined
  if (status !== undefined && status >= 200 && status < 300) return { is: 'delivered' }
  // 410 Gone: the receiver wants nothing more (Standard Webhooks, "Delivery success and failure").
  if (status === 410 || attempts >= MOST_ATTEMPTS) return { is: 'parked' }
  const { most } = limits.webhookWait
  const wait = FIRST_WAITS[attempts - 1] ?? most
  // What the receiver asks for makes a wait longer, never shorter: the attempts would be used up before three days have passed.
  const asked = 'status' in outcome ? Math.min(outcome.retryAfter ?? 0, most) : 0
  return { is: 'waiting', milliseconds: Math.round(Math.max(wait, asked) * (1 + JITTER * chance)) }
}

/** Milliseconds for which a Retry-After (RFC 9110, section 10.2.3) asks to wait from `now` on; undefined where it says nothing that can be read. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
