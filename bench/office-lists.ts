import type { Fields, ListKind } from './lists.ts'
import { newNeedle } from './new-needles.ts'
import { LAST, MANAGERS, moment, pick, SPAN, STATUSES, WORDS, type Random } from './seed.ts'

/*
 * The lists of an office at work, of the question `lists`: filters that match much, typed names, any order, any page. The share that
 * matches is the same for all values, so that a page can be chosen before the total is known.
 */

/** What a person types of a name: 40 beginnings, each of one name. */
const TYPED: readonly string[] = LAST.map((name) => name.toLowerCase().slice(0, 6))

/** Two letters that three names of 40 or more have. */
const PAIRS: readonly string[] = [...new Set(LAST.flatMap((name) => pairsOf(name)))].filter(
  (pair) => LAST.filter((name) => pairsOf(name).includes(pair)).length >= 3,
)

function pairsOf(name: string): string[] {
  const lower = name.toLowerCase()
  return Array.from({ length: lower.length - 1 }, (_, i) => lower.slice(i, i + 2))
}

/** Words of which each is in half of the long texts. */
const LONGER: readonly string[] = [...new Set(WORDS)].filter((word) => word.length >= 5)

const inFourTexts = ({ name, email, phone, notes }: Fields, [needle]: readonly string[]): string =>
  `or(${[name, email, phone, notes].map((field) => `contains(${field},'${needle}')`).join(',')})`
/** No needle has a line end. */
const hasNeedle = `instr(lower(name) || char(10) || email || char(10) || phone || char(10) || notes, ?) > 0`

const isOption = ({ status }: Fields, [option]: readonly string[]): string => `eq(${status},'${option}')`
const anyOption = (next: Random): readonly string[] => [pick(next, STATUSES)]
/** An amount that 20 to 80 % of all balances exceed. */
const anyAmount = (next: Random): string => (next() * 60_000).toFixed(2)
/** An amount that half of all balances exceed, up to 2 % of them. */
const middling = (next: Random): string => (29_000 + next() * 2000).toFixed(2)

export const officeLists = {
  'other options': {
    says: '`ne` on a list of five options, 80 %',
    filter: ({ status }, [option]) => `ne(${status},'${option}')`,
    where: 'status <> ?',
    values: anyOption,
  },
  'typed name': {
    says: '`or` of `contains` on four texts, one of 40 needles, 2.5 %',
    filter: inFourTexts,
    where: hasNeedle,
    values: (next) => [pick(next, TYPED)],
  },
  'new needle': {
    says: '`or` of `contains` on four texts, always a new needle, 2.5 %',
    filter: inFourTexts,
    where: hasNeedle,
    values: () => [newNeedle()],
  },
  'two letters': {
    says: '`contains` of two letters on a text, 8 to 40 %',
    filter: ({ name }, [pair]) => `contains(${name},'${pair}')`,
    where: 'instr(lower(name), ?) > 0',
    values: (next) => [pick(next, PAIRS)],
  },
  'without word': {
    says: '`not(contains)` on a long text, 50 %',
    filter: ({ notes }, [word]) => `not(contains(${notes},'${word}'))`,
    where: 'instr(notes, ?) = 0',
    values: (next) => [pick(next, LONGER)],
  },
  'of one by name': {
    says: '`eq` on a list and on a number, sorted by a text, 0.4 %',
    filter: (fields, [option, manager]) => `and(${isOption(fields, [option!])},eq(${fields.manager},${manager}))`,
    sort: ({ name }) => name,
    where: 'status = ? AND manager = ?',
    order: 'name',
    values: (next) => [pick(next, STATUSES), String(1 + Math.floor(next() * MANAGERS))],
  },
  'option by balance': {
    says: '`eq` on a list, 20 %, sorted by a decimal, descending',
    filter: isOption,
    sort: ({ balance }) => `-${balance}`,
    where: 'status = ?',
    order: 'balance DESC',
    values: anyOption,
  },
  'option by time': {
    says: '`eq` on a list, 20 %, sorted by a date-time',
    filter: isOption,
    sort: ({ created }) => created,
    where: 'status = ?',
    order: 'created',
    values: anyOption,
  },
  'amount by name': {
    says: '`gt` on a decimal, 50 %, sorted by a text',
    filter: ({ balance }, [amount]) => `gt(${balance},${amount})`,
    sort: ({ name }) => name,
    where: 'balance > CAST(? AS REAL)',
    order: 'name',
    values: (next) => [middling(next)],
  },
  'by two fields': {
    says: 'no filter, sorted by a number and a text',
    sort: ({ manager, name }) => `${manager},${name}`,
    order: 'manager, name',
    values: () => [],
  },
  'amount and option': {
    says: '`gt` on a decimal and `eq` on a list, 10 %',
    filter: (fields, [amount, option]) => `and(gt(${fields.balance},${amount}),${isOption(fields, [option!])})`,
    where: 'balance > CAST(? AS REAL) AND status = ?',
    values: (next) => [middling(next), pick(next, STATUSES)],
  },
  'any amount and option': {
    says: '`gt` on a decimal, anywhere between 20 and 80 %, and `eq` on a list',
    filter: (fields, [amount, option]) => `and(gt(${fields.balance},${amount}),${isOption(fields, [option!])})`,
    where: 'balance > CAST(? AS REAL) AND status = ?',
    values: (next) => [anyAmount(next), pick(next, STATUSES)],
  },
  'count by option': {
    says: 'count by option of `between` on a date-time, a third of the time',
    filter: ({ created }, [from, to]) => `between(${created},'${from}','${to}')`,
    aggregate: ({ status, balance }) => ({ groupBy: status, function: `count,sum:${balance}` }),
    where: 'created BETWEEN ? AND ?',
    groups: 'status',
    values: (next) => {
      const from = (next() * SPAN * 2) / 3
      return [moment(from), moment(from + SPAN / 3)]
    },
  },
  'sums of typed name': {
    says: 'count and sum by option of four texts, one of 40 needles',
    filter: inFourTexts,
    aggregate: ({ status, balance }) => ({ groupBy: status, function: `count,sum:${balance}` }),
    where: hasNeedle,
    groups: 'status',
    values: (next) => [pick(next, TYPED)],
  },
} satisfies Readonly<Record<string, ListKind>> as Readonly<Record<string, ListKind>>
