/** The seed of every benchmark: customer i is a pure function of i, so any program can tell what record i holds. */

const FIRST = [
  'Anna',
  'Boris',
  'Clara',
  'Dmitri',
  'Elena',
  'Felix',
  'Greta',
  'Hugo',
  'Ирина',
  'Jakob',
  'Katya',
  'Леонид',
  'Marta',
  'Nils',
  'Olga',
  'Pavel',
]
const LAST = [
  'Adler',
  'Berg',
  'Castellan',
  'Дорофеев',
  'Eriksen',
  'Fischer',
  'Горчакова',
  'Hartmann',
  'Isaksen',
  'Jansen',
  'Kovač',
  'Лебедева',
  'Moreau',
  'Novak',
]
const CITY = ['Berlin', 'Oslo', 'Wien', 'Praha', 'Тверь', 'Lyon', 'Porto', 'Gdańsk']
const WORDS =
  'asked for an offer called back next week prefers mail signed the contract paid late repeat order budget approved waiting for an answer'.split(
    ' ',
  )

export const COLUMNS = ['name', 'email', 'phone', 'city', 'balance', 'since', 'visits', 'notes'] as const
export type Customer = Record<(typeof COLUMNS)[number], string>

export function customer(i: number): Customer {
  const next = random(i)
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)]!
  const since = new Date(Date.UTC(2015, 0, 1) + Math.floor(next() * 10 * 365 * 86_400) * 1000).toISOString()
  return {
    name: `${pick(LAST)} ${pick(FIRST)}`,
    email: `customer.${i}@example.com`,
    phone: `+49 ${Math.floor(next() * 1e9)}`,
    city: pick(CITY),
    balance: (next() * 100_000 - 20_000).toFixed(2),
    since: `${since.slice(0, 10)} ${since.slice(11, 19)}`,
    visits: String(Math.floor(next() * 500)),
    notes: Array.from({ length: 30 }, () => pick(WORDS)).join(' '),
  }
}

/** No value needs quoting. */
export function* csv(count: number): Generator<string> {
  yield `${COLUMNS.join(',')}\n`
  for (let i = 1; i <= count; i++) yield `${Object.values(customer(i)).join(',')}\n`
}

/** Small and good enough for test data: mulberry32. */
export function random(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
