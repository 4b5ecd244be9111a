import type { Field } from '../fields/field.ts'
import type { Message } from '../i18n/messages.ts'

/* What the builder offers for a field: a row for each operator. */

export interface Operator {
  readonly name: string
  readonly message: Message
  /** The function of the language. */
  readonly call: string
  /** `not(…)` around it. */
  readonly isNot?: true
  /** How many values it takes; `days`: a number of days, which `daysOf` writes as two values; `period`: one of periods.ts. */
  readonly values: 'none' | 'one' | 'two' | 'many' | 'days' | 'period'
  /** A value that is not written by the person. */
  readonly fixed?: string
  readonly kinds: readonly Kind[]
}

type Kind = 'text' | 'number' | 'time' | 'list' | 'boolean' | 'link' | 'set' | 'file'

const KINDS: Readonly<Record<string, Kind>> = {
  integer: 'number',
  decimal: 'number',
  autonumber: 'number',
  date: 'time',
  datetime: 'time',
  list: 'list',
  boolean: 'boolean',
  reference: 'link',
  user: 'link',
  group: 'link',
  multilist: 'set',
  references: 'set',
  users: 'set',
  file: 'file',
  image: 'file',
}

const kindOf = ({ type }: Pick<Field, 'type'>): Kind => KINDS[type] ?? 'text'

// prettier-ignore
export const operators: readonly Operator[] = [
  { name: 'contains',     message: 'opContains',    call: 'contains',    values: 'one',  kinds: ['text'] },
  { name: 'containsNot',  message: 'opContainsNot', call: 'contains',    values: 'one',  kinds: ['text'], isNot: true },
  { name: 'is',           message: 'opIs',          call: 'eq',          values: 'one',  kinds: ['text', 'number', 'time', 'list', 'link'] },
  { name: 'isNot',        message: 'opIsNot',       call: 'ne',          values: 'one',  kinds: ['text', 'number', 'time', 'list', 'link'] },
  { name: 'anyOf',        message: 'opAnyOf',       call: 'in',          values: 'many', kinds: ['list', 'link'] },
  { name: 'noneOf',       message: 'opNoneOf',      call: 'nin',         values: 'many', kinds: ['list', 'link'] },
  { name: 'startsWith',   message: 'opStartsWith',  call: 'starts_with', values: 'one',  kinds: ['text'] },
  { name: 'endsWith',     message: 'opEndsWith',    call: 'ends_with',   values: 'one',  kinds: ['text'] },
  { name: 'above',        message: 'opAbove',       call: 'gt',          values: 'one',  kinds: ['number', 'time'] },
  { name: 'from',         message: 'opFrom',        call: 'gte',         values: 'one',  kinds: ['number', 'time'] },
  { name: 'below',        message: 'opBelow',       call: 'lt',          values: 'one',  kinds: ['number', 'time'] },
  { name: 'to',           message: 'opTo',          call: 'lte',         values: 'one',  kinds: ['number', 'time'] },
  { name: 'between',      message: 'opBetween',     call: 'between',     values: 'two',  kinds: ['number', 'time'] },
  { name: 'lastDays',     message: 'opLastDays',    call: 'between',     values: 'days', kinds: ['time'] },
  { name: 'nextDays',     message: 'opNextDays',    call: 'between',     values: 'days', kinds: ['time'] },
  { name: 'within',       message: 'opWithin',      call: 'and',         values: 'period', kinds: ['time'] },
  { name: 'yes',          message: 'opYes',         call: 'eq',          values: 'none', kinds: ['boolean'], fixed: '1' },
  { name: 'no',           message: 'opNo',          call: 'eq',          values: 'none', kinds: ['boolean'], fixed: '0' },
  { name: 'has',          message: 'opHas',         call: 'has',         values: 'one',  kinds: ['set'] },
  { name: 'hasNot',       message: 'opHasNot',      call: 'has',         values: 'one',  kinds: ['set'], isNot: true },
  { name: 'empty',        message: 'opEmpty',       call: 'is_empty',    values: 'none', kinds: ['text', 'time', 'list', 'link', 'set', 'file'] },
  { name: 'filled',       message: 'opFilled',      call: 'is_empty',    values: 'none', kinds: ['text', 'time', 'list', 'link', 'set', 'file'], isNot: true },
]

export const operatorsOf = (field: Pick<Field, 'type'>): readonly Operator[] =>
  operators.filter(({ kinds }) => kinds.includes(kindOf(field)))

export const operatorNamed = (name: string): Operator => operators.find((one) => one.name === name) ?? operators[0]!

const TIMES = /^(today|now|week(_friday|_saturday|_sunday)?|month|year)([+-]\d{1,5})?$/

/** Words that stand for a value when the filter is asked. */
export const WORDS: Readonly<Record<string, RegExp>> = {
  date: TIMES,
  datetime: TIMES,
  user: /^current_user$/,
  users: /^current_user$/,
}

export const isWord = ({ type }: Pick<Field, 'type'>, text: string): boolean => WORDS[type]?.test(text) ?? false

/** The type of the values of an operator: of a set it is one member, of several choices a set. */
export function valueType({ type }: Pick<Field, 'type'>, operator: Operator): string {
  if (operator.values === 'many') return { list: 'multilist', reference: 'references', user: 'users' }[type] ?? type
  return operator.call === 'has' ? ({ multilist: 'list', references: 'reference', users: 'user' }[type] ?? type) : type
}

/** A number of days of the operators *in the last* and *in the next*. */
export const isDays = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text)

/** What they stand for: of a time to the second, of a date so many days with today. */
export function daysOf({ type }: Pick<Field, 'type'>, operator: string, days: string): readonly [string, string] {
  const [word, beside] = type === 'datetime' ? ['now', days] : ['today', String(Number(days) - 1)]
  const other = beside === '0' ? word : `${word}${operator === 'lastDays' ? '-' : '+'}${beside}`
  return operator === 'lastDays' ? [other, word] : [word, other]
}
