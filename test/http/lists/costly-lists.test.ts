import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { grant } from '../../../src/store/model/access.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { audit } from '../../../src/store/people/audit.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { startService, JSON_API, type Service } from '../../support/service.ts'

/** What a text is searched through for the longest: it matches nearly everywhere, and nowhere wholly. */
const LONG = 'a'.repeat(1_000_000)
const needle = (i: number) => `${'a'.repeat(900)}${String.fromCodePoint(0x4e00 + i)}`
const tedious = (field: string, times: number, fn = 'contains') =>
  `or(${Array.from({ length: times }, (_, i) => `${fn}(${field},'${needle(i)}')`).join(',')})`

async function fill(service: Service, id: number, rows: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const granted = grant(['create', 'bulk'], id, operator, service.store.catalogue())
  for (let i = 0; i < rows.length; i += 100)
    await insertRecords(
      service.store,
      granted,
      rows.slice(i, i + 100).map((row) => new Map(Object.entries(row))),
    )
}

/** A service with a table of some records whose notes are as long as they can be, and others whose notes are short. */
async function withNotes(settings: Parameters<typeof startService>[0], long: number, short: number) {
  const service = await startService(settings)
  const { id, fields } = await service.table('Notes', { title: 'text', note: 'longtext' })
  const [title, note] = [fields['title']!, fields['note']!]
  const rows = Array.from({ length: long + short }, (_, i) => ({ [title]: `title ${i}`, [note]: i < long ? LONG : 'short' }))
  await fill(service, id, rows)
  return { service, id, path: `data${id}`, title, note }
}

/** The longest time, in milliseconds, for which this thread, which serves, did nothing else while something was done. */
async function longestStop(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await pause(20)
  await work()
  await pause(20)
  delay.disable()
  return delay.max / 1e6
}

/** Milliseconds; up to minutes were the fault. limits.servingMoment and limits.servingTexts bound what this thread reads of one list. */
const STOP = 1_500

const search = (service: Service, path: string, filter: string, token?: string, query = '') =>
  service.call('POST', `${path}/search${query}`, { meta: { filter } }, token)

describe('whatever a list looks through', () => {
  let service: Service
  let id: number
  let path: string
  let title: string
  let note: string

  before(async () => {
    ;({ service, id, path, title, note } = await withNotes({ queryTimeout: 3_000 }, 8, 40))
  })
  after(() => service?.close())

  it('the thread that serves does not stand still for a small table of long texts', async () => {
    const stop = await longestStop(async () => {
      for (const fn of ['contains', 'ends_with', 'lt'])
        assert.ok([200, 503].includes((await search(service, path, tedious(note, 200, fn))).status), fn)
      assert.equal((await search(service, path, `or(contains(${note},'zz'),eq(${title},'title 3'))`)).json.meta.total, 1)
    })
    assert.ok(stop < STOP, `stood still for ${stop} ms`)
  })

  it('nor for many functions over a small table of short ones', async () => {
    const { id: other, fields } = await service.table('Short', { title: 'text' })
    const name = fields['title']!
    await fill(
      service,
      other,
      Array.from({ length: 990 }, () => ({ [name]: 'a'.repeat(250) })),
    )
    const many = `or(${Array.from({ length: 490 }, (_, i) => `contains(${name},'${'a'.repeat(120)}${i}')`).join(',')})`
    const stop = await longestStop(async () => assert.equal((await search(service, `data${other}`, many)).json.meta.total, 0))
    assert.ok(stop < STOP, `stood still for ${stop} ms`)
  })

  it('nor for a system list', async () => {
    const detail = LONG.slice(0, 10_000)
    await service.store.db.write(async (tx) => {
      for (let i = 0; i < 1_500; i++) await audit(service.store, tx, { userId: 1, address: '' }, 'tested', 'list', detail)
    })
    const pieces = Array.from({ length: 250 }, (_, i) => `contains(detail,'aaaaaa${i}')`)
    const stop = await longestStop(async () =>
      assert.ok([200, 503].includes((await service.get(`audit?filter=or(${pieces.join(',')})`)).status)),
    )
    assert.ok(stop < STOP, `stood still for ${stop} ms`)
  })

  it('nor for the read filter of a group, on one record, in a list or in the trash', async () => {
    await service.remove(`${path}/1`)
    const pieces = Array.from({ length: 190 }, (_, i) => `contains(${note},'${'a'.repeat(20)}${i}')`)
    const rights = { group_id: 3, table_id: id, read: true, delete: true, update: true, read_filter: `not(or(${pieces.join(',')}))` }
    await service.make('access', rights)
    const token = await service.tokenOf(3)
    const stop = await longestStop(async () => {
      for (const asked of [`${path}/2`, path, 'trash']) assert.ok([200, 503].includes((await service.get(asked, token)).status), asked)
    })
    assert.ok(stop < STOP, `stood still for ${stop} ms`)
  })
})

describe('the time limit of lists of long texts', () => {
  let service: Service
  let path: string
  let title: string
  let note: string

  before(async () => {
    ;({ service, path, title, note } = await withNotes({ queryTimeout: 500 }, 12, 1_100))
  })
  after(() => service?.close())

  it('is kept, and nobody else waits for it', async () => {
    const token = await service.tokenOf(1)
    const begun = performance.now()
    const slow = Promise.all(['contains', 'ends_with', 'contains'].map((fn, i) => search(service, path, tedious(note, 300 + i, fn))))
    let ended = false
    void slow.then(() => (ended = true))
    for (let i = 0; i < 5; i++)
      assert.equal((await service.get(`${path}?filter=eq(${title},'title ${100 + i}')`, token)).json.meta.total, 1)
    assert.equal(ended, false, 'others waited')
    const [one] = await slow
    assert.equal(one!.status, 503)
    // Each looks through 12 texts of a megabyte 300 times, which takes a minute.
    assert.ok(performance.now() - begun < 10_000, `${performance.now() - begun} ms`)
  })
})

describe('a list nobody waits for any more', () => {
  it('is taken out of the queue, and ended where it runs', async () => {
    const { service, path, title, note } = await withNotes({ queryTimeout: 6_000 }, 12, 1_100)
    try {
      const begun = performance.now()
      const gone = new AbortController()
      const lists = Array.from({ length: 16 }, (_, i) => abandonable(service, path, tedious(note, 300 + i), gone.signal))
      await pause(1_500)
      gone.abort()
      await Promise.all(lists)
      const { json } = await search(service, path, `and(${tedious(note, 1)},eq(${title},'none'))`)
      assert.equal(json.meta.total, 0)
      // Computed to their ends, they take six seconds each, one or three at a time.
      assert.ok(performance.now() - begun < 15_000, `${performance.now() - begun} ms`)
      assert.deepEqual(
        service.logged.filter(({ level }) => level === 'error'),
        [],
      )
    } finally {
      await service.close()
    }
  })
})

describe('one user whose lists are long', () => {
  it('has a share of the queue, and others their turn', async () => {
    const { service, path, title, note } = await withNotes({ queryTimeout: 1_000 }, 12, 1_100)
    const gone = new AbortController()
    try {
      const other = await service.tokenOf(1)
      const codes: string[] = []
      const all = Array.from({ length: 70 }, (_, i) =>
        abandonable(service, path, tedious(note, 60 + i), gone.signal).then((code) => code && codes.push(code)),
      )
      while (!codes.includes('server.busy')) await pause(50)
      const before = codes.length
      await search(service, path, `and(${tedious(note, 50)},eq(${title},'none'))`, other)
      const overtook = codes.slice(before).filter((code) => code !== 'server.busy').length
      assert.ok(overtook <= 10, `${overtook} of the others' lists came first`)
      gone.abort()
      await Promise.all(all)
    } finally {
      gone.abort()
      await service.close()
    }
  })
})

describe('many lists at once, each asked for the first time', () => {
  it('are not refused for the terms they have: all of a list wait as one', async () => {
    const { service, id, path, title, note } = await withNotes(undefined, 0, 0)
    const words = ['alder', 'birch', 'cedar', 'maple', 'rowan']
    const text = (i: number) => Array.from({ length: 500 }, (_, at) => words[(i * 7 + at * (1 + (i % 3))) % 5]).join(' ')
    try {
      await fill(
        service,
        id,
        Array.from({ length: 4_000 }, (_, i) => ({ [title]: `title ${i}`, [note]: `${text(i)} n${i}` })),
      )
      const needles = (i: number) => Array.from({ length: 6 }, (_, at) => `ends_with(${at === 0 ? title : note},'${i}${at}')`).join(',')
      const totals = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          const { status, json } = await search(service, path, `or(${needles(i)})`)
          return status === 200 ? json.meta.total : json.errors[0].code
        }),
      )
      const expected = Array.from({ length: 12 }, (_, i) => {
        const ends = Array.from({ length: 6 }, (_, at) => `${i}${at}`)
        return Array.from({ length: 4_000 }, (_, n) => ends.some((end) => String(n).endsWith(end))).filter(Boolean).length
      })
      assert.deepEqual(totals, expected)
    } finally {
      await service.close()
    }
  })
})

/** The code of the first error of a search, '' where there is none; undefined where the client has gone before. */
async function abandonable(service: Service, path: string, filter: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(`${service.url}/api/dev/${path}/search`, {
      method: 'POST',
      signal,
      headers: { 'X-Auth-Token': service.token, 'Content-Type': JSON_API },
      body: JSON.stringify({ meta: { filter } }),
    })
    const { errors } = (await answer.json()) as { errors?: { code: string }[] }
    return errors?.[0]?.code ?? ''
  } catch {
    return undefined
  }
}
