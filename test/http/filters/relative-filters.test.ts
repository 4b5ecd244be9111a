import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changesFor } from '../../../src/store/webhooks/hook-changes.ts'
import { activeHooks } from '../../../src/store/webhooks/queue.ts'
import { openEvents } from '../../support/event-stream.ts'
import { idsOf, makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'
import { settled } from '../../support/settled.ts'

/* `today` and `now` in filters: in the zone of the instance, and of the moment of each request. */

describe('filters with dates from today', () => {
  let service: Service
  let visits: Table & { readonly f: Readonly<Record<'day' | 'time' | 'title', string>> }
  /** 2024-06-10 20:00 in UTC is the day after in Tokyo. */
  const EVENING = Date.parse('2024-06-10T20:00:00Z')
  const DAY = 86_400_000
  before(async () => {
    service = await startService({ timeZone: 'Asia/Tokyo' })
    service.clock.now = EVENING
    visits = await makeTable(service, 'Visits', { day: 'date', time: 'datetime', title: 'text' })
    for (const day of ['2024-06-10', '2024-06-11', '2024-06-12', '2024-06-13'])
      await service.make(visits.type, { [visits.f.day]: day, [visits.f.time]: `${day} 05:00:00` })
  })
  after(() => service.close())

  const ask = (filter: string, token?: string, more = '') =>
    service.get(`${visits.type}?filter=${encodeURIComponent(filter)}${more}`, token ?? service.token)
  /** Runs at another moment. */
  async function at<T>(moment: number, work: () => Promise<T>): Promise<T> {
    service.clock.now = moment
    try {
      return await work()
    } finally {
      service.clock.now = EVENING
    }
  }

  it('count from the day in the zone of the instance', async () => {
    const { day, time } = visits.f
    for (const [filter, ...ids] of [
      [`eq(${day},today)`, '2'],
      [`gt(${day},today+1)`, '4'],
      [`between(${day},today-1,now)`, '1', '2'],
      [`lte(${time},now)`, '1', '2'],
      [`lt(${time},now)`, '1'],
      [`lt(${time},today)`, '1'],
      [`starts_with(${time},today+2)`, '4'],
      [`in(${day},today-1,'2024-06-13')`, '1', '4'],
      [`not(eq(${day},today))`, '1', '3', '4'],
      [`gte(add_time,today)`, '1', '2', '3', '4'],
    ] as const)
      assert.deepEqual(idsOf(await ask(filter)), ids, filter)
    assert.deepEqual((await service.get(`${visits.type}?filter=eq(${day},today+1)`)).json.errors[0].code, 'filter.syntax')
    refused(await ask(`eq(${visits.f.title},today)`), '400 filter.invalid_value filter')
  })

  it('know weeks, months and years', async () => {
    const { day, time } = visits.f
    // 2024-06-11 in Tokyo is a Tuesday.
    for (const [filter, ...ids] of [
      [`and(gte(${day},week),lt(${day},week+1))`, '1', '2', '3', '4'],
      [`eq(${day},week)`, '1'],
      [`lt(${day},week)`],
      [`gte(${time},week_friday+1)`],
      [`eq(${day},week_sunday)`],
      [`and(gte(${time},month),lt(${time},month+1))`, '1', '2', '3', '4'],
      [`lt(${time},month)`],
      [`gte(${day},year+1)`],
    ] as const)
      assert.deepEqual(idsOf(await ask(filter)), ids, filter)
    const count = async (filter: string) => idsOf(await ask(filter)).length
    for (const [moment, filter, most] of [
      // Sunday evening, and Monday, in Tokyo.
      ['2024-06-16T14:59:59Z', `gte(${day},week)`, 4],
      ['2024-06-16T15:00:00Z', `gte(${day},week)`, 0],
      ['2024-06-30T14:59:59Z', `gte(${day},month)`, 4],
      ['2024-06-30T15:00:00Z', `gte(${day},month)`, 0],
      ['2024-12-31T15:00:00Z', `gte(${day},year)`, 0],
      ['2024-12-31T15:00:00Z', `gte(${day},year-1)`, 4],
    ] as const)
      assert.equal(await at(Date.parse(moment), () => count(filter)), most, `${filter} at ${moment}`)
  })

  it('are another list on the next day, whatever was remembered of it', async () => {
    const filter = `gte(${visits.f.day},today)`
    const sort = `&sort=-${visits.f.day}&page[limit]=1&page[offset]=1`
    const saved = await service.make('filter', { table_id: visits.id, filter_name: 'To come', expression: filter })
    const seen = async () => [
      (await ask(filter, undefined, sort)).json.meta.total,
      idsOf(await ask(filter)).join(),
      idsOf(await ask(`use_filter(${saved})`)).join(),
    ]
    assert.deepEqual(await seen(), [3, '2,3,4', '2,3,4'])
    assert.deepEqual(await seen(), [3, '2,3,4', '2,3,4'])
    assert.deepEqual(await at(EVENING + DAY, seen), [2, '3,4', '3,4'])
    assert.deepEqual(await seen(), [3, '2,3,4', '2,3,4'])
    assert.equal((await service.get(`filter/${saved}`)).json.data.attributes.expression, filter)
  })

  it('hold in the read and write filters of a group', async () => {
    const { day } = visits.f
    const group = Number(await service.make('group', { group_name: 'Field staff' }))
    const read_filter = `gte(${day},today-1)`
    const rule = {
      group_id: group,
      table_id: visits.id,
      read: true,
      update: true,
      create: true,
      read_filter,
      write_filter: `gte(${day},today)`,
    }
    await service.make('access', rule)
    const token = await service.tokenOf(group)
    const change = (id: string) => service.change(visits.type, id, { [visits.f.title]: 'x' }, token)
    assert.deepEqual(idsOf(await service.get(visits.type, token)), ['1', '2', '3', '4'])
    refused(await change('1'), '403 access.denied')
    assert.equal((await change('2')).status, 200)
    await at(EVENING + DAY, async () => {
      assert.deepEqual(idsOf(await service.get(visits.type, token)), ['2', '3', '4'])
      assert.equal((await service.get(`${visits.type}/1`, token)).status, 404)
      refused(await change('2'), '403 access.denied')
    })
    refused(
      await service.add('access', { ...rule, table_id: visits.id, group_id: 2, read_filter: `eq(${visits.f.title},today)` }),
      '422 field.invalid_value /data/attributes/read_filter',
    )
  })

  it('are judged anew for each change, in events and for webhooks', async () => {
    const { day, title } = visits.f
    const filter = `eq(${day},today)`
    const saved = await service.make('filter', { table_id: visits.id, filter_name: 'Today', expression: filter })
    // The webhook begins where the log can be followed to.
    await settled(service.store)
    await service.make('webhook', { url: 'https://example.com/', table_id: visits.id, filter })
    const [hook] = await activeHooks(service.store)
    const stream = await openEvents(service, `?saved_filter=${saved}`)
    await stream.until(() => stream.comments > 0)
    const add = (text: string) => service.make(visits.type, { [day]: '2024-06-12', [title]: text })
    const told = async () => (await changesFor(service.store, hook!, hook!.cursor, 50)).sent.map(({ change }) => change.changes![title]?.to)
    const addToday = () => service.make(visits.type, { [day]: '2024-06-11', [title]: 'today' })
    await add('the day before')
    await addToday()
    await stream.until(() => stream.events.length > 0)
    assert.deepEqual(await told(), ['today'])
    await at(EVENING + DAY, async () => {
      await add('on the day')
      await stream.until(() => stream.events.length > 1)
      assert.deepEqual(await told(), ['the day before', 'on the day'])
    })
    await add('the day before, again')
    await addToday()
    await stream.until(() => stream.events.length > 2)
    stream.close()
    assert.deepEqual(
      stream.events.map(({ data }) => data.attributes.changes[title].to),
      ['today', 'on the day', 'today'],
    )
  })
})
