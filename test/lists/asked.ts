import { aggregated, amounts, times, type AskedAggregate, type LabelOf } from '../support/oracle/aggregate.ts'
import { write, type Question, type Shown, type World } from '../support/oracle/answer.ts'
import { hostileQuestion, type HostileColumn } from '../support/oracle/hostile.ts'
import type { Random } from '../support/random.ts'
import * as fc from '../support/fast-check.ts'
import type { Page } from './judge.ts'
import type { Key } from './model.ts'
import type { ListedTable } from './table.ts'

/* Random lists, and how they are asked over HTTP. */

export interface Asked {
  readonly question: Question | undefined
  readonly keys: readonly Key[]
  readonly offset: number
  readonly limit: number
  /** Asked by a reader whose group sees some records only. */
  readonly limited: boolean
  /** Cursors: so many pages one after the other. */
  readonly pages: number
  readonly aggregate: AskedAggregate | undefined
}

/** Questions that come again and again, and how often one of them is asked. */
const KEPT = 120
const AGAIN = 75
const SAMPLED = 60
/** The longest filter that is sent in an address. */
const LONG = 1_500

/** Made of the records as they are. */
export class Questions {
  readonly #table: ListedTable
  readonly #random: Random
  #kept: Question[] = []
  #fresh: Question[] = []
  #orders: (readonly Key[])[] = []

  constructor(table: ListedTable, random: Random) {
    this.#table = table
    this.#random = random
  }

  /** `columns`: those of the reader. */
  sample(rows: readonly Shown[], count: number, columns: readonly HostileColumn[] = this.#table.columns): Question[] {
    const some = Array.from({ length: SAMPLED }, () => this.#random.pick(rows))
    const made = fc.sample(hostileQuestion(columns, some), { numRuns: count, seed: this.#random.int(2 ** 31) })
    // What `now` is differs between the service and whoever compares.
    return made.filter((question) => !/gone|'?now['+-]|now\)|now,/i.test(write(question)))
  }

  renew(rows: readonly Shown[], count: number): void {
    this.#fresh = this.sample(rows, count)
    const { step } = this.#table
    const title = rows.flatMap((row) => row[step.name] ?? []).slice(0, 20)
    if (title.length > 0) {
      const values = [this.#random.pick(title)]
      this.#fresh.push({
        is: 'ask',
        fn: this.#random.pick(['eq', 'ne', 'contains']),
        column: step,
        values,
        bare: false,
        upper: false,
        blank: '',
      })
    }
    for (const question of this.#fresh.slice(0, this.#kept.length < KEPT ? KEPT : 12)) {
      if (this.#kept.length < KEPT) this.#kept.push(question)
      else this.#kept[this.#random.int(KEPT)] = question
    }
    while (this.#orders.length < 30) this.#orders.push(this.#keys())
    this.#orders[this.#random.int(30)] = this.#keys()
  }

  #keys(): readonly Key[] {
    const random = this.#random
    const chosen = new Set(Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, () => random.pick(this.#table.columns)))
    return [...chosen].map((column) => ({ column, descending: random.percent(50) }))
  }

  next(size: number): Asked {
    const random = this.#random
    const again = random.percent(AGAIN)
    const question = random.percent(4) ? undefined : random.pick(again ? this.#kept : this.#fresh)
    const keys = random.percent(85) ? random.pick(this.#orders) : this.#keys()
    const pages = random.percent(8) ? 1 + random.int(4) : 0
    const aggregate = pages === 0 && random.percent(6) ? this.#aggregate() : undefined
    const limited = random.percent(35) && !(question && steps(question))
    const offset = pages > 0 || random.percent(50) ? 0 : random.int(random.percent(50) ? 60 : size + 20)
    return { question, keys: aggregate ? [] : keys, offset, limit: 1 + random.int(25), limited, pages, aggregate }
  }

  #aggregate(): AskedAggregate {
    const { columns, field } = this.#table
    const random = this.#random
    // What changes its type has a number of digits of its own.
    const of = (types: readonly string[]) => columns.filter(({ type, name }) => types.includes(type) && name !== field.flipped)
    const figures = random.percent(50) ? [{ fn: random.pick(['sum', 'avg', 'min', 'max'] as const), column: random.pick(of(amounts)) }] : []
    const grouping = random.percent(60)
      ? random.pick([
          ...of(['list', 'list', 'boolean']).map((column) => ({ column, period: undefined })),
          ...of(times).map((column) => ({ column, period: 'year' as const })),
        ])
      : undefined
    return { counts: true, figures, grouping }
  }
}

/** Whether a question goes along a reference. */
export const steps = (question: Question): boolean =>
  question.is === 'ask' ? question.column.name.includes('.') : question.is !== 'search' && [question.of].flat().some(steps)

/** The attributes that a question names; words are looked for in all. */
export const named = (question: Question): readonly string[] =>
  question.is === 'ask' ? [question.column.name] : question.is === 'search' ? [] : [question.of].flat().flatMap(named)

/** The attributes that tell whether a record belongs where it is: those of the question, of the rules and of the order. */
export function shownFor(table: ListedTable, { question, keys }: Asked, rules: readonly Question[]): readonly string[] {
  const of = (one: Question): readonly string[] =>
    one.is === 'ask' ? [one.column.name] : one.is === 'search' ? one.columns.map(({ name }) => name) : [one.of].flat().flatMap(of)
  const names = [...(question ? of(question) : []), ...rules.flatMap(of), ...keys.map(({ column }) => column.name), table.field.marker]
  return [...new Set(names)].filter((name) => name !== 'id' && !name.includes('.'))
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
}

export function requestOf({ type }: ListedTable, asked: Asked, names: readonly string[]): Request {
  const { question, keys, offset, limit, pages, aggregate } = asked
  const filter = question ? write(question) : undefined
  const parameters = new URLSearchParams()
  if (aggregate) {
    if (filter !== undefined) parameters.set('filter', filter)
    const { figures, grouping } = aggregate
    parameters.set('function', ['count', ...figures.map(({ fn, column }) => `${fn}:${column.name}`)].join())
    if (grouping) parameters.set('groupBy', grouping.column.name + (grouping.period === undefined ? '' : `:${grouping.period}`))
    return { method: 'GET', path: `${type}/aggregate?${parameters}`, body: undefined }
  }
  if (keys.length > 0) parameters.set('sort', keys.map(({ column, descending }) => (descending ? '-' : '') + column.name).join())
  parameters.set(`fields[${type}]`, names.join())
  if (pages > 0) parameters.set('page[size]', String(limit))
  else parameters.set('page[limit]', String(limit))
  if (offset > 0) parameters.set('page[offset]', String(offset))
  if (filter !== undefined && filter.length > LONG)
    return { method: 'POST', path: `${type}/search?${parameters}`, body: { meta: { filter } } }
  if (filter !== undefined) parameters.set('filter', filter)
  return { method: 'GET', path: `${type}?${parameters}`, body: undefined }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a document
export const pageOf = (body: any): Page => ({
  total: body.meta?.total,
  rows: body.data.map(({ id, attributes }: { id: string; attributes: Shown }) => ({ ...attributes, id })),
})

export const expectedAggregate = (rows: readonly Shown[], { aggregate }: Asked, world: World): object =>
  aggregated(rows, aggregate!, world, (() => undefined) satisfies LabelOf)
