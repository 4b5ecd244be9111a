import type { Words } from '../../filter/words.ts'
import { memo } from '../../memory/memo.ts'
import type { Caller } from '../model/access.ts'
import type { Environment, StoreContext, StoreSettings, Uses } from './store.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The last second that was asked for: a busy service asks for it thousands of times. */
let latest = { second: Number.NaN, timeZone: '', text: '' }

/** YYYY-MM-DD HH:MM:SS of a moment (Unix milliseconds) in an IANA zone. */
export function localTime(milliseconds: number, timeZone: string): string {
  const second = Math.floor(milliseconds / 1_000)
  if (second !== latest.second || timeZone !== latest.timeZone) latest = { second, timeZone, text: textOf(milliseconds, timeZone) }
  return latest.text
}

function textOf(milliseconds: number, timeZone: string): string {
  if (timeZone === 'UTC') return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    // Swedish writes dates as ISO 8601 does.
    formatter = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter.format(milliseconds)
}

export const contextOf = (environment: Environment, { timeZone }: StoreSettings): StoreContext => ({
  timeZone,
  now: () => localTime(environment.now(), timeZone),
})

/**
 * What bare words in filters stand for. The moment is the same for all filters of a request, which has a caller of its own. Who lives longer,
 * a listener or a webhook, takes `asOfNow`.
 */
export const wordsFor = memo((caller: Caller, { context }: Uses<'context'>): Words => {
  let now: string | undefined
  return {
    currentUser: caller.userId,
    get now() {
      return (now ??= context.now())
    },
  }
})

/** The same caller at this moment. */
export const asOfNow = (caller: Caller): Caller => ({ ...caller })

/** The present second as the store writes times. */
export const nowText = (store: Uses<'environment' | 'settings'>): string => localTime(store.environment.now(), store.settings.timeZone)
