/**
 * The workload of every benchmark: a table of customers with eight fields. Customer i is a pure function of i, so any
 * program can tell what record i holds without reading it.
 */

// prettier-ignore
const FIRST = ['Agnes', 'Bruno', 'Carla', 'David', 'Edith', 'Florian', 'Gerda', 'Henrik', 'Ines', 'Jonas', 'Karin', 'Lukas', 'Maren', 'Noah', 'Olivia', 'Peter',
  'Quirin', 'Renate', 'Simon', 'Thea', 'Udo', 'Valeria', 'Wim', 'Xaver', 'Yvonne', 'Zeno', 'Alma', 'Bjarne', 'Cecilia', 'Detlef', 'Elin', 'Franka']
// prettier-ignore
export const LAST = ['Ackermann', 'Bergstrom', 'Castellan', 'Dombrowski', 'Eriksen', 'Falkenberg', 'Grigorescu', 'Hartmann', 'Isaksson', 'Jankowski', 'Kowalczyk', 'Lindqvist',
  'Moreau', 'Novotny', 'Oberholzer', 'Pettersson', 'Quaranta', 'Rosenthal', 'Sandoval', 'Tarkowski', 'Ulvestad', 'Vandenberg', 'Wieczorek', 'Xanthakis', 'Yilmaz',
  'Zimmermann', 'Andrade', 'Baumgartner', 'Cardoso', 'Delacroix', 'Engelhardt', 'Fernandes', 'Gustafsson', 'Hofstetter', 'Ingram', 'Johannsen', 'Kirchner', 'Lombardi',
  'Mikkelsen', 'Nakamura']
export const WORDS: readonly string[] =
  'asked for another quote will call back on monday prefers mail to phone paid the last invoice late delivery moved into autumn wants a discount of five percent sample was sent visited our stand at fair contract signed budget approved waiting answer regular customer large small orders only changed address warranty claim settled'.split(
    ' ',
  )
export const STATUSES = ['new', 'active', 'paused', 'lost', 'vip']
export const MANAGERS = 50
/** Seconds from 2015 on over which the customers were created. */
export const SPAN = 11 * 365 * 86_400

export const COLUMNS = ['name', 'email', 'phone', 'balance', 'created', 'status', 'manager', 'notes'] as const
export type Column = (typeof COLUMNS)[number]
export type Customer = Record<Column, string>

export function customer(i: number): Customer {
  const next = random(i)
  const first = pick(next, FIRST)
  const last = pick(next, LAST)
  return {
    name: `${last} ${first}`,
    email: `${first.toLowerCase()}.${last.toLowerCase()}.${i}@example.com`,
    phone: `+49${String(Math.floor(next() * 1e10)).padStart(10, '0')}`,
    balance: (next() * 100_000 - 20_000).toFixed(2),
    created: moment(next() * SPAN),
    status: pick(next, STATUSES),
    manager: String(1 + Math.floor(next() * MANAGERS)),
    notes: words(next, 180 + next() * 40),
  }
}

/** A date-time so many seconds after the first that occurs. */
export const moment = (seconds: number): string => {
  const text = new Date(Date.UTC(2015, 0, 1) + Math.floor(seconds) * 1000).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** Texts of the customers as CSV lines, the header first; no value needs quoting. */
export function* csv(from: number, to: number): Generator<string> {
  yield `${COLUMNS.join(',')}\n`
  for (let i = from; i <= to; i++) yield `${Object.values(customer(i)).join(',')}\n`
}

export type Random = () => number

export const pick = <T>(next: Random, list: readonly T[]): T => list[Math.floor(next() * list.length)]!

/** Small and good enough for test data: mulberry32. */
export function random(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function words(next: Random, length: number): string {
  let text = pick(next, WORDS)
  while (text.length < length) text += ` ${pick(next, WORDS)}`
  return text
}
