import { plain, type Attribute, type Stored } from '../../src/fields/field-type.ts'
import { fieldType } from '../../src/fields/index.ts'
import { parseValue } from '../../src/fields/value.ts'
import { check } from '../../src/filter/check.ts'
import { parse } from '../../src/filter/parse.ts'
import { predicate, RecordInMemory, type Predicate } from '../../src/filter/predicate.ts'
import { percent, table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { COLUMNS, customer, STATUSES, type Column } from '../seed.ts'

const types: Readonly<Record<Column, string>> = {
  name: 'text',
  email: 'email',
  phone: 'phone',
  balance: 'decimal',
  created: 'datetime',
  status: 'list',
  manager: 'integer',
  notes: 'longtext',
}
const options = STATUSES.map((label, i) => ({ id: i + 1, label, removed: false }))
const attributes = new Map(
  COLUMNS.map((name): [string, Attribute] => {
    const type = fieldType(types[name])!
    const settings = { ...plain, ...(type.settings.includes('options') && { options }) }
    return [name, { name, column: name, type, settings, ...(type.key && { keyColumn: `${name}k` }) }]
  }),
)
const context = { timeZone: 'UTC' }

const filters = [
  "eq(status,'active')",
  'gt(balance,50000)',
  "contains(name,'berg')",
  "contains(notes,'invoice')",
  "between(created,'2018-01-01','2020-01-01')",
  'in(manager,1,2,3,5,8,13,21,34)',
  "and(ne(status,'lost'),gt(balance,-10000),contains(name,'e'))",
  "or(contains(name,'zen'),contains(email,'zen'),contains(phone,'123'),contains(notes,'zen'))",
]

/** Records in one pass. */
const RECORDS = 2_000

export const predicatesQuestion: Question = {
  name: 'predicates',
  says: 'How long does it take to test one record in memory?',
  measure({ seconds }) {
    const values = Array.from({ length: RECORDS }, (_, i) => {
      const one = customer(i + 1)
      return new Map(
        [...attributes.values()].map(({ name, type, settings }): [string, Stored] => [
          name,
          parseValue(type, one[name as Column], settings, context),
        ]),
      )
    })
    const records = () => values.map((one, i) => new RecordInMemory(i + 1, one))
    const rows = filters.map((filter) => {
      const holds = predicate(check(parse(filter), { attributes, context }))
      const known = records()
      const share = known.filter(holds).length / RECORDS
      return [`\`${filter}\``, percent(share), average(seconds, holds, records), average(seconds, holds, () => known)]
    })
    return Promise.resolve(table(['filter', 'hold', 'ns where keys are made', 'ns where they are known'], rows))
  },
}

/** Nanoseconds of processor time for each record, averaged over all passes: the clock of the processor may be coarse. */
function average(seconds: number, holds: Predicate, records: () => readonly RecordInMemory[]): number {
  let [spent, passes] = [0, 0]
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; passes++) {
    const given = records()
    const before = process.threadCpuUsage()
    for (const record of given) holds(record)
    const { user, system } = process.threadCpuUsage(before)
    spent += user + system
  }
  return (spent * 1e3) / (passes * RECORDS)
}
