import type { Uses } from './store.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** YYYY-MM-DD HH:MM:SS of a moment (Unix milliseconds) in an IANA zone. */
export function localTime(milliseconds: number, timeZone: string): string {
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

/** The present second as the store writes times. */
export const nowText = (store: Uses<'environment' | 'settings'>): string => localTime(store.environment.now(), store.settings.timeZone)
