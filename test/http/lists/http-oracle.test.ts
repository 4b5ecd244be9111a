import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { print } from '../../../src/filter/ast.ts'
import { parse } from '../../../src/filter/parse.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'
import { holds, isRelative, sorted, write, type Question, type Shown } from '../../support/oracle/answer.ts'
import {
  decimalColumn,
  hostileColumns,
  hostileQuestion,
  hostileRecord,
  systemColumns,
  updateTime,
  type HostileColumn,
} from '../../support/oracle/hostile.ts'
import { inRules, makeHttpTable, makeTargets, type HttpTable } from '../../support/oracle/http-table.ts'
import { world } from '../../support/oracle/engine-table.ts'
import * as fc from '../../support/fast-check.ts'
import { seed } from '../../support/seed.ts'

/*
 * Random tables, records and lists through HTTP, compared with the oracle: what is selected, in which order, on which
 * page, with which total and links.
 * HTTP_ORACLE_RUNS: lists in all (default 1,200).
 */

const runs = Number(process.env['HTTP_ORACLE_RUNS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 300 : 1_200))
const TABLES = 3
const RECORDS = 40

/** What a client asks of a list. Undefined: it does not say. */
interface Asked {
  readonly question: Question | undefined
  readonly sort: readonly { readonly column: HostileColumn; readonly descending: boolean }[]
  readonly offset: number | undefined
  readonly limit: number | undefined
  readonly fields: readonly HostileColumn[] | undefined
}

describe('lists over HTTP are what the oracle says', () => {
  let service: Service
  let referred: number
  before(async () => {
    service = await startService({ timeZone: 'Asia/Tokyo' })
    referred = await makeTargets(service)
  })
  after(() => service.close())

  for (let number = 0; number < TABLES; number++) {
    describe(`table ${number}`, () => {
      let table: HttpTable
      /** What a manager may see, and their token. */
      let visible: Question
      let manager: string
      before(async () => {
        const [columns] = fc.sample(anyColumns, { numRuns: 1, seed: seed + number })
        const all = [...columns!, ...systemColumns, updateTime]
        const records = fc.sample(hostileRecord(all), { numRuns: RECORDS, seed: seed + number })
        table = await makeHttpTable(service, referred, all, records, world.hoursAhead)
        service.clock.now = Date.parse(`${world.now.replace(' ', 'T')}Z`) - world.hoursAhead * 3_600_000
        ;[visible] = fc.sample(hostileQuestion(inRules(table), table.rows), { numRuns: 1, seed: seed + number }) as [Question]
        await service.make('access', { group_id: 2, table_id: table.id, read: true, read_filter: write(visible) })
        manager = await service.tokenOf(2)
      })

      it('whatever is asked, by GET and by POST, in the text of a filter and in what it prints as', () =>
        fc.assert(
          fc.asyncProperty(anyList(table), async (asked) => {
            const filter = asked.question && write(asked.question)
            const parameters = [...filterOf(filter), ...othersOf(table, asked)]
            const { matching, page } = expected(table.rows, asked)
            const answer = await service.get(address(table.type, parameters))
            mustBe(answer, table, asked, parameters, matching, page, service.url)
            const again = filter === undefined ? parameters : [...filterOf(print(parse(filter))), ...othersOf(table, asked)]
            if (filter !== undefined) {
              assert.deepEqual(withoutPlaces(parse(print(parse(filter)))), withoutPlaces(parse(filter)), filter)
              assert.deepEqual((await service.get(address(table.type, again))).json.data, answer.json.data)
            }
            const body = { meta: { filter: filter ?? '' } }
            const posted = await service.call('POST', address(`${table.type}/search`, othersOf(table, asked)), body)
            assert.deepEqual([posted.status, posted.json.data, posted.json.meta], [200, answer.json.data, answer.json.meta])
          }),
          { numRuns: Math.ceil(runs / TABLES), seed: seed + number },
        ))

      it('not() selects the rest, and a group sees what its read filter leaves', () =>
        fc.assert(
          fc.asyncProperty(hostileQuestion(table.columns, table.rows), async (question) => {
            const filter = write(question)
            const rest = await idsOf(service, table, `not(${filter})`)
            assert.deepEqual(
              rest,
              idsBy(table.rows, (row) => !holds(question, row, world)),
              filter,
            )
            const seen = await idsOf(service, table, filter, manager)
            const both = (row: Shown) => holds(question, row, world) && holds(visible, row, world)
            assert.deepEqual(seen, idsBy(table.rows, both), `${filter} of ${write(visible)}`)
          }),
          { numRuns: Math.ceil(runs / TABLES / 3), seed: seed + number },
        ))

      it('saved filters and the older form select the same', () =>
        fc.assert(
          fc.asyncProperty(hostileQuestion(table.columns, table.rows), async (question) => {
            const wanted = idsBy(table.rows, (row) => holds(question, row, world))
            const saved = await service.make('filter', { table_id: table.id, filter_name: 'Any', expression: write(question) })
            assert.deepEqual(await idsOf(service, table, `use_filter(${saved})`), wanted)
            const older = legacy(question)
            if (!older) return
            const { json } = await service.get(address(table.type, [...older, ['page[limit]', '50']]))
            assert.deepEqual(ids(json.data), wanted, JSON.stringify(older))
          }),
          { numRuns: Math.ceil(runs / TABLES / 12), seed: seed + number },
        ))
    })
  }
})

/** Fields of every type in any order, some types several times. */
const anyColumns = fc
  .tuple(
    fc.shuffledSubarray([...hostileColumns], { minLength: hostileColumns.length }),
    fc.array(fc.nat(9), { maxLength: 3 }),
    fc.shuffledSubarray([...hostileColumns], { maxLength: 3 }),
  )
  .map(([all, scales, twice]) => [
    ...all,
    ...scales.map((scale, i) => decimalColumn(`f10${i}`, scale)),
    ...twice.map((column, i) => ({ ...column, name: `f20${i}` })),
  ])

const anyList = ({ columns, rows }: HttpTable): fc.Arbitrary<Asked> =>
  fc.record({
    question: fc.option(hostileQuestion(columns, rows), { freq: 8, nil: undefined }),
    sort: fc
      .shuffledSubarray([...columns], { maxLength: 3 })
      .chain((chosen) => fc.tuple(...chosen.map((column) => fc.boolean().map((descending) => ({ column, descending }))))),
    offset: fc.option(fc.oneof(fc.nat(RECORDS + 5), fc.constantFrom(0, 1_000, Number.MAX_SAFE_INTEGER)), { nil: undefined }),
    limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(50, 51, 10 ** 9)), { nil: undefined }),
    fields: fc.option(fc.shuffledSubarray([...columns], { maxLength: 4 }), { freq: 2, nil: undefined }),
  })

type Parameters = readonly (readonly [name: string, value: string])[]

const filterOf = (filter: string | undefined): Parameters => (filter === undefined ? [] : [['filter', filter]])

const othersOf = ({ type }: HttpTable, { sort, offset, limit, fields }: Asked): Parameters => [
  ...(fields ? [[`fields[${type}]`, fields.map(({ name }) => name).join(',')] as const] : []),
  ...(sort.length > 0 ? [['sort', sort.map(({ column, descending }) => (descending ? '-' : '') + column.name).join(',')] as const] : []),
  ...(offset === undefined ? [] : [['page[offset]', String(offset)] as const]),
  ...(limit === undefined ? [] : [['page[limit]', String(limit)] as const]),
]

/** Every byte but letters, digits and - . _ ~ percent-encoded. */
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')

const address = (path: string, parameters: Parameters): string =>
  path + (parameters.length > 0 ? `?${parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')}` : '')

function expected(rows: readonly Shown[], { question, sort, offset = 0, limit = 20 }: Asked) {
  const matching = sorted(question ? rows.filter((row) => holds(question, row, world)) : rows, sort, world)
  return { matching, page: matching.slice(offset, offset + Math.min(limit, 50)) }
}

function mustBe(
  { status, json, text }: Answer,
  table: HttpTable,
  asked: Asked,
  parameters: Parameters,
  matching: readonly Shown[],
  page: readonly Shown[],
  url: string,
): void {
  assert.equal(status, 200, text)
  assert.deepEqual(
    json.data,
    page.map((row) => resource(table, row, asked.fields)),
    JSON.stringify(parameters),
  )
  const limit = Math.min(asked.limit ?? 20, 50)
  const offset = asked.offset ?? 0
  assert.deepEqual(json.meta, { offset, limit: String(limit), total: matching.length })
  const others = parameters.filter(([name]) => !name.startsWith('page['))
  const link = (parts: Parameters) =>
    `${url}/api/dev/${address(
      table.type,
      [...parts].sort(([a], [b]) => (a < b ? -1 : 1)),
    )}`
  const at = (start: number) => link([...others, ['page[offset]', String(start)], ['page[limit]', String(limit)]])
  let last = 0
  while (last + limit < matching.length) last += limit
  assert.deepEqual(json.links, {
    self: link(parameters.map(([name, value]) => [name, name === 'page[limit]' ? String(limit) : value] as const)),
    ...(offset > 0 && { first: at(0), prev: at(Math.max(0, Math.min(offset - limit, last))) }),
    ...(offset + limit < matching.length && { next: at(offset + limit) }),
    last: at(last),
  })
}

function resource({ type }: HttpTable, { id, ...attributes }: Shown, fields: Asked['fields']) {
  const names = fields?.map(({ name }) => name)
  const shown = Object.entries(attributes).filter(([name]) => (names ? names.includes(name) : name !== updateTime.name))
  return { type, id, attributes: Object.fromEntries(shown), links: { self: `/api/dev/${type}/${id}` } }
}

const ids = (data: readonly { readonly id: string }[]): string[] => data.map(({ id }) => id)
const idsBy = (rows: readonly Shown[], wanted: (row: Shown) => boolean): string[] => rows.filter(wanted).map(({ id }) => id!)

async function idsOf(service: Service, { type }: HttpTable, filter: string, token?: string): Promise<string[]> {
  const parameters = [['filter', filter] as const, ['page[limit]', '50'] as const]
  const { status, json, text } = await service.get(address(type, parameters), token)
  assert.equal(status, 200, text)
  assert.equal(json.meta.total, json.data.length)
  return ids(json.data)
}

/** The parameters of the older form, of questions that it can ask. */
function legacy(question: Question): Parameters | undefined {
  if (question.is === 'and') {
    const parts = question.of.map((one) => (one.is === 'ask' && one.fn !== 'in' ? legacy(one) : undefined))
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined
  }
  if (question.is !== 'ask') return undefined
  const { fn, column, values } = question
  if (values.some((value) => isRelative(column, value))) return undefined
  if (fn === 'in') return values.map((value) => [`filter[${column.name}][]`, value])
  const operator = operators[fn]
  return operator === undefined ? undefined : [[`filter[${column.name}]`, operator + values[0]!]]
}

const operators: Readonly<Record<string, string>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A tree but for the offsets. */
const withoutPlaces = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'at' ? undefined : value)))
