import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'
import { holds, write, type Question } from '../../support/oracle/answer.ts'
import { aggregated, amounts, named, periods, times, type AskedAggregate, type LabelOf } from '../../support/oracle/aggregate.ts'
import { decimalColumn, hostileColumns, hostileQuestion, hostileRecord, systemColumns, updateTime } from '../../support/oracle/hostile.ts'
import { inRules, makeHttpTable, makeTargets, type HttpTable } from '../../support/oracle/http-table.ts'
import { world } from '../../support/oracle/engine-table.ts'
import * as fc from '../../support/fast-check.ts'
import { seed } from '../../support/seed.ts'

/*
 * Random tables, filters, functions and groups through HTTP, compared with the oracle (support/oracle/aggregate.ts).
 * AGGREGATE_RUNS: aggregates in all (default 600).
 */

const runs = Number(process.env['AGGREGATE_RUNS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 150 : 600))
const TABLES = 2
const RECORDS = 40

describe('aggregates over HTTP are what the oracle says', () => {
  let service: Service
  let referred: number
  /** By type and id, as administrators see them. */
  const labels = new Map<string, string>()
  before(async () => {
    service = await startService({ timeZone: 'Asia/Tokyo' })
    referred = await makeTargets(service)
    const title = await service.make('field', { table_id: referred, field_name: 'Title', field_type: 'text' })
    for (const id of ['1', '2', '4', '5']) {
      assert.equal((await service.change(`data${referred}`, id, { [`f${title}`]: `Record ${id}` })).status, 200)
      labels.set(`reference ${id}`, `Record ${id}`)
    }
    for (const id of ['2', '4']) {
      assert.equal((await service.change('user', id, { fio: `Person ${id}` })).status, 200)
    }
    for (const { id, attributes } of (await service.get('user?page[limit]=50')).json.data) labels.set(`user ${id}`, attributes.fio)
    for (const { id, attributes } of (await service.get('group?page[limit]=50')).json.data) labels.set(`group ${id}`, attributes.group_name)
  })
  after(() => service.close())

  for (let number = 0; number < TABLES; number++) {
    describe(`table ${number}`, () => {
      let table: HttpTable
      let visible: Question
      let manager: string
      before(async () => {
        const columns = [...hostileColumns, decimalColumn('f101', 1 + number), ...systemColumns, updateTime]
        const records = fc.sample(hostileRecord(columns), { numRuns: RECORDS, seed: seed + number })
        table = await makeHttpTable(service, referred, columns, records, world.hoursAhead)
        service.clock.now = Date.parse(`${world.now.replace(' ', 'T')}Z`) - world.hoursAhead * 3_600_000
        ;[visible] = fc.sample(hostileQuestion(inRules(table), table.rows), { numRuns: 1, seed: seed + number }) as [Question]
        await service.make('access', { group_id: 2, table_id: table.id, read: true, read_filter: write(visible) })
        manager = await service.tokenOf(2)
      })

      it('whatever is asked, by administrators and by a group with a read filter', () =>
        fc.assert(
          fc.asyncProperty(anyAggregate(table), async ({ question, ...asked }) => {
            const parameters = new URLSearchParams()
            if (question) parameters.set('filter', write(question))
            const functions = [...(asked.counts ? ['count'] : []), ...asked.figures.map(({ fn, column }) => `${fn}:${column.name}`)]
            parameters.set('function', functions.join(','))
            const { grouping } = asked
            if (grouping) parameters.set('groupBy', grouping.column.name + (grouping.period === undefined ? '' : `:${grouping.period}`))
            const path = `${table.type}/aggregate?${parameters}`
            const rows = question ? table.rows.filter((row) => holds(question, row, world)) : table.rows
            const all: LabelOf = (type, id) => labels.get(`${type} ${id}`)
            const people: LabelOf = (type, id) => (type === 'reference' ? undefined : all(type, id))
            for (const [token, seen, labelOf] of [
              [service.token, rows, all],
              // Managers see all people, and have no right on the other table.
              [manager, rows.filter((row) => holds(visible, row, world)), people],
            ] as const) {
              const { status, json, text } = await service.get(path, token)
              assert.equal(status, 200, `${path} ${text}`)
              const wanted = { meta: aggregated(seen, asked, world, labelOf), jsonapi: { version: '1.1' } }
              assert.deepEqual(json, wanted, `${path} of ${write(visible)}`)
            }
          }),
          { numRuns: Math.ceil(runs / TABLES), seed: seed + number },
        ))
    })
  }
})

const anyAggregate = ({ columns, rows }: HttpTable): fc.Arbitrary<AskedAggregate & { readonly question: Question | undefined }> => {
  const of = (types: readonly string[]) => columns.filter(({ type }) => types.includes(type))
  const figures = [
    ...of(amounts).flatMap((column) => (['sum', 'avg', 'min', 'max'] as const).map((fn) => ({ fn, column }))),
    ...of(times).flatMap((column) => (['min', 'max'] as const).map((fn) => ({ fn, column }))),
  ]
  const groupings = [
    ...of([...named, ...amounts]).map((column) => ({ column, period: undefined })),
    ...of(times).flatMap((column) => periods.map((period) => ({ column, period }))),
  ]
  return fc
    .record({
      question: fc.option(hostileQuestion(columns, rows), { freq: 3, nil: undefined }),
      counts: fc.boolean(),
      figures: fc.shuffledSubarray(figures, { maxLength: 6 }),
      grouping: fc.option(fc.constantFrom(...groupings), { freq: 4, nil: undefined }),
    })
    .map((asked) => ({ ...asked, counts: asked.counts || asked.figures.length === 0 }))
}
