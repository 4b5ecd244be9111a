import { officeLists } from './office-lists.ts'
import { customer, MANAGERS, moment, pick, SPAN, STATUSES, type Column, type Random } from './seed.ts'

/*
 * Every kind of list the benchmarks ask for, once as a filter of ours and once as SQL of the floor, so that both answer the
 * same question. No field has an index that anybody asked for.
 */

/** What the wire calls the columns of the seed: `f7` for `email`. */
export type Fields = Readonly<Record<Column, string>>

export interface ListKind {
  readonly says: string
  readonly filter?: (fields: Fields, values: readonly string[]) => string
  readonly sort?: (fields: Fields) => string
  /** The same for the floor. */
  readonly where?: string
  readonly order?: string
  /** Parameters of an aggregate, which is asked for instead of a page, and the column of the floor by which it makes groups. */
  readonly aggregate?: (fields: Fields) => Readonly<Record<string, string>>
  readonly groups?: string
  /** New ones for each request. */
  values(next: Random, rows: number): readonly string[]
}

const none = () => []
/** Whether a word of letters begins a word of a customer, in SQL of the floor; folded as ASCII is. */
const hasWord = `instr(' ' || lower(name) || ' ' || replace(replace(email, '.', ' '), '@', ' ') || ' ' || status || ' ' || notes, ' ' || ?) > 0`
const anybody = (next: Random, rows: number) => customer(1 + Math.floor(next() * rows))

export const lists = {
  all: { says: 'no filter', values: none },
  known: { says: 'no filter', values: none },

  equal: {
    says: '`eq` on a text, one match',
    filter: ({ email }, [value]) => `eq(${email},'${value}')`,
    where: 'email = ?',
    values: (next, rows) => [anybody(next, rows).email],
  },
  'equal number': {
    says: '`eq` on a number, 2 % match',
    filter: ({ manager }, [value]) => `eq(${manager},${value})`,
    where: 'manager = ?',
    values: (next) => [String(1 + Math.floor(next() * MANAGERS))],
  },
  'equal list': {
    says: '`eq` on a list of five options, 20 % match',
    filter: ({ status }, [value]) => `eq(${status},'${value}')`,
    where: 'status = ?',
    values: (next) => [pick(next, STATUSES)],
  },
  range: {
    says: '`gt` on a decimal, up to 0.1 % match',
    filter: ({ balance }, [value]) => `gt(${balance},${value})`,
    where: 'balance > CAST(? AS REAL)',
    values: (next) => [(79_900 + next() * 100).toFixed(2)],
  },
  between: {
    says: '`between` on a date-time, one hour of eleven years',
    filter: ({ created }, [from, to]) => `between(${created},'${from}','${to}')`,
    where: 'created BETWEEN ? AND ?',
    values: (next) => {
      const from = next() * SPAN
      return [moment(from), moment(from + 3600)]
    },
  },
  in: {
    says: '`in` on a text, three matches',
    filter: ({ email }, values) => `in(${email},${values.map((value) => `'${value}'`).join(',')})`,
    where: 'email IN (?, ?, ?)',
    values: (next, rows) => [anybody(next, rows).email, anybody(next, rows).email, anybody(next, rows).email],
  },
  'starts with': {
    says: '`starts_with` on a text, 0.001 % match',
    filter: ({ phone }, [value]) => `starts_with(${phone},'${value}')`,
    where: 'substr(phone, 1, 8) = ?',
    values: (next, rows) => [anybody(next, rows).phone.slice(0, 8)],
  },
  and: {
    says: '`and` of a list option and a day, 0.005 % match',
    filter: ({ status, created }, [option, from, to]) => `and(eq(${status},'${option}'),between(${created},'${from}','${to}'))`,
    where: 'status = ? AND created BETWEEN ? AND ?',
    values: (next) => {
      const from = next() * SPAN
      return [pick(next, STATUSES), moment(from), moment(from + 86_400)]
    },
  },
  'sorted text': { says: '`sort` by a text', sort: ({ name }) => name, order: 'name', values: none },
  'sorted number': { says: '`sort` by a decimal, descending', sort: ({ balance }) => `-${balance}`, order: 'balance DESC', values: none },
  'sorted time': { says: '`sort` by a date-time', sort: ({ created }) => created, order: 'created', values: none },
  'filtered and sorted': {
    says: '`eq` with 2 % matches, sorted by a date-time',
    filter: ({ manager }, [value]) => `eq(${manager},${value})`,
    sort: ({ created }) => created,
    where: 'manager = ?',
    order: 'created',
    values: (next) => [String(1 + Math.floor(next() * MANAGERS))],
  },
  'contains digits': {
    says: '`contains` on a text, one match',
    filter: ({ email }, [value]) => `contains(${email},'${value}')`,
    where: 'instr(email, ?) > 0',
    values: (next, rows) => [`.${1 + Math.floor(next() * rows)}@`],
  },
  'contains part': {
    says: '`contains` on a text, six digits of a phone number',
    filter: ({ phone }, [value]) => `contains(${phone},'${value}')`,
    where: 'instr(phone, ?) > 0',
    values: (next, rows) => [anybody(next, rows).phone.slice(5, 11)],
  },
  'contains words': {
    says: '`contains` on a long text, three words, 0.01 % match',
    filter: ({ notes }, [value]) => `contains(${notes},'${value}')`,
    where: 'instr(notes, ?) > 0',
    values: (next, rows) => {
      const words = anybody(next, rows).notes.split(' ')
      const first = Math.floor(next() * (words.length - 2))
      return [words.slice(first, first + 3).join(' ')]
    },
  },
  'search name': {
    says: '`search` for the beginnings of two words of a name, 0.1 % match',
    filter: (_, [last, first]) => `search('${last} ${first}')`,
    where: `${hasWord} AND ${hasWord}`,
    values: (next, rows) => {
      const [last, first] = anybody(next, rows).name.toLowerCase().split(' ')
      return [last!.slice(0, 5), first!]
    },
  },
  'search name and notes': {
    says: '`search` for a name and two words of a long text, 0.1 % match',
    filter: (_, values) => `search('${values.join(' ')}')`,
    where: `${hasWord} AND ${hasWord} AND ${hasWord}`,
    values: (next, rows) => {
      const { name, notes } = anybody(next, rows)
      const words = notes.split(' ')
      return [name.toLowerCase().split(' ')[0]!, pick(next, words), pick(next, words)]
    },
  },
  'search common': {
    says: '`search` for the beginning of a word of a long text, up to 70 % match',
    filter: (_, [word]) => `search('${word}')`,
    where: hasWord,
    values: (next, rows) => [pick(next, anybody(next, rows).notes.split(' ')).slice(0, 4)],
  },
  ...officeLists,
} satisfies Readonly<Record<string, ListKind>> as Readonly<Record<string, ListKind>>
