import type { Administrator } from '../../../store/catalogue/administrator.ts'
import { grant } from '../../../store/model/access.ts'
import { createCategory } from '../../../store/structure/categories.ts'
import { createField } from '../../../store/structure/fields.ts'
import { insertRecords } from '../../../store/records/insert-records.ts'
import type { Sent } from '../../../store/model/sent.ts'
import { createFilter } from '../../../store/people/saved-filters.ts'
import type { Uses } from '../../../store/ground/store.ts'
import { createTable } from '../../../store/structure/tables.ts'
import { chores, cities, companyForms, companyStems, firstNames, goods, labels, lastNames, positions, stages, trades } from './words.ts'

const BATCH = 500

/** Titles of the tables it makes. */
export const demoTables: readonly string[] = ['Companies', 'People', 'Deals', 'Tasks']

/** A field to make: its title, its type, and other settings. */
type FieldToMake = readonly [
  title: string,
  type: string,
  more?: { readonly [setting: string]: unknown; readonly options?: readonly string[] },
]

/** Random numbers that are the same each time (mulberry32). */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(next() * most)
  return { next, below, pick: <T>(from: readonly T[]): T => from[below(from.length)]! }
}
type Chance = ReturnType<typeof chance>

/**
 * Makes a customer database with demonstration data: companies, twice as many people, one and a half times as many deals, twice as
 * many tasks, linked to each other, with files and saved filters. The same data each time. Returns the number of records per table.
 */
export async function makeDemo(
  store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>,
  by: Administrator,
  companies: number,
  progress: (done: number, total: number, table: string) => Promise<void>,
): Promise<Map<string, number>> {
  const random = chance(20_240_501)
  const category = await createCategory(store, by, { title: 'Customers' })
  const made = new Map<string, number>()
  const table = async (
    title: string,
    count: number,
    fields: readonly FieldToMake[],
    row: (i: number, f: (title: string) => string) => Record<string, Sent>,
  ) => {
    const id = await createTable(store, by, { title, categoryId: category })
    const names = new Map<string, string>()
    for (const [fieldTitle, typeName, { options, ...more } = {}] of fields) {
      const listOptions = options && { options: options.map((label) => ({ label })) }
      names.set(fieldTitle, `f${await createField(store, by, { tableId: id, title: fieldTitle, typeName, ...more, ...listOptions })}`)
    }
    const named = (fieldTitle: string) => names.get(fieldTitle)!
    for (let from = 0; from < count; from += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => new Map(Object.entries(row(from + i + 1, named))))
      await insertAll(store, by, id, rows)
      await progress(Math.min(from + BATCH, count), count, title)
    }
    made.set(title, count)
    return { id, f: named }
  }

  const company = await table('Companies', companies, companyFields, (i, f) => companyRow(random, i, f))
  const people = await table('People', companies * 2, peopleFields(company.id), (i, f) => personRow(random, i, f))
  const deals = await table('Deals', Math.ceil(companies * 1.5), dealFields(company.id, people.id), (i, f) =>
    dealRow(random, i, companies, f),
  )
  const tasks = await table('Tasks', companies * 2, taskFields(deals.id), (i, f) => taskRow(random, i, Math.ceil(companies * 1.5), f))

  const saved = (tableId: number, title: string, expression: string) => createFilter(store, by, { tableId, title, expression, userId: 0 })
  await saved(company.id, 'Without a phone', `is_empty(${company.f('Phone')})`)
  await saved(people.id, 'VIPs', `has(${people.f('Labels')},'VIP')`)
  await saved(
    deals.id,
    'Open and above 10,000',
    `and(in(${deals.f('Stage')},'New','Offer sent','Negotiation'),gt(${deals.f('Amount')},10000))`,
  )
  await saved(tasks.id, 'Not done', `eq(${tasks.f('Done')},0)`)
  return made
}

async function insertAll(
  store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>,
  by: Administrator,
  tableId: number,
  rows: readonly ReadonlyMap<string, Sent>[],
): Promise<void> {
  const granted = grant(['create', 'bulk'], tableId, by, store.catalogue())
  for (const result of await insertRecords(store, granted, rows)) {
    if (typeof result !== 'number') throw result
  }
}

const companyFields: readonly FieldToMake[] = [
  ['Name', 'text', { required: true }],
  ['Trade', 'list', { options: trades }],
  ['City', 'text'],
  ['Phone', 'phone'],
  ['Site', 'url'],
  ['Turnover', 'decimal'],
  ['Customer since', 'date'],
  ['Notes', 'longtext'],
]
const peopleFields = (companies: number): readonly FieldToMake[] => [
  ['Name', 'text', { required: true }],
  ['Company', 'reference', { referenceTableId: companies }],
  ['Position', 'text'],
  ['E-mail', 'email'],
  ['Mobile', 'phone'],
  ['Labels', 'multilist', { options: labels }],
  ['Born', 'date'],
]
const dealFields = (companies: number, people: number): readonly FieldToMake[] => [
  ['Subject', 'text', { required: true }],
  ['Number', 'autonumber'],
  ['Company', 'reference', { referenceTableId: companies }],
  ['People', 'references', { referenceTableId: people }],
  ['Stage', 'list', { options: stages }],
  ['Amount', 'decimal'],
  ['Closes', 'date'],
  ['Offer', 'file'],
]
const taskFields = (deals: number): readonly FieldToMake[] => [
  ['Task', 'text', { required: true }],
  ['Deal', 'reference', { referenceTableId: deals }],
  ['Due', 'datetime'],
  ['Done', 'boolean'],
  ['Details', 'longtext'],
]

type Names = (title: string) => string
const two = (n: number) => String(n).padStart(2, '0')
const day = (random: Chance, from: number, years: number) =>
  `${from + random.below(years)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`
const phone = (random: Chance) =>
  `+${1 + random.below(89)} ${100 + random.below(900)} ${1000 + random.below(9000)}-${two(random.below(100))}`
const amount = (random: Chance, most: number) => `${random.below(most)}.${two(random.below(100))}`

const companyRow = (random: Chance, i: number, f: Names): Record<string, Sent> => ({
  [f('Name')]: `${random.pick(companyStems)} ${random.pick(companyForms)}${i > 60 ? ` ${i}` : ''}`,
  [f('Trade')]: random.pick(trades),
  [f('City')]: random.pick(cities),
  [f('Phone')]: random.below(6) === 0 ? '' : phone(random),
  [f('Site')]: `https://www.company-${i}.example`,
  [f('Turnover')]: amount(random, 5_000_000),
  [f('Customer since')]: day(random, 2012, 13),
  [f('Notes')]: random.below(3) === 0 ? `Met at a fair.\r\nInterested in ${random.pick(goods)}.` : '',
})

/** Two people for each company. */
function personRow(random: Chance, i: number, f: Names): Record<string, Sent> {
  const some = labels.filter(() => random.below(5) === 0)
  return {
    [f('Name')]: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
    [f('Company')]: String(Math.ceil(i / 2)),
    [f('Position')]: random.pick(positions),
    [f('E-mail')]: `person.${i}@company.example`,
    [f('Mobile')]: phone(random),
    [f('Labels')]: some,
    [f('Born')]: day(random, 1950, 55),
  }
}

function dealRow(random: Chance, i: number, companies: number, f: Names): Record<string, Sent> {
  const what = random.pick(goods)
  const subject = `${what[0]!.toUpperCase()}${what.slice(1)}`
  const company = 1 + random.below(companies)
  const offer = [{ fileName: `offer-${i}.txt`, content: `Offer ${i}\n\n${subject}\n`, binary: false }]
  return {
    [f('Subject')]: subject,
    [f('Company')]: String(company),
    [f('People')]: [company * 2 - 1, company * 2].filter(() => random.below(3) > 0).map(String),
    [f('Stage')]: random.pick(stages),
    [f('Amount')]: amount(random, 90_000),
    [f('Closes')]: day(random, 2025, 2),
    [f('Offer')]: i <= 200 && random.below(3) === 0 ? offer : '',
  }
}

const taskRow = (random: Chance, _: number, deals: number, f: Names): Record<string, Sent> => ({
  [f('Task')]: random.pick(chores),
  [f('Deal')]: String(1 + random.below(deals)),
  [f('Due')]: `${day(random, 2025, 2)} ${two(8 + random.below(10))}:${two(15 * random.below(4))}:00`,
  [f('Done')]: random.below(2) === 0 ? '1' : '0',
  [f('Details')]: random.below(4) === 0 ? `Ask for ${random.pick(lastNames)}.` : '',
})
