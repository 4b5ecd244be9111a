import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'

describe('what a list may ask', () => {
  let service: Service
  let path: string
  let note: string

  before(async () => {
    service = await startService()
    const { id, fields } = await service.table('Notes', { name: 'text', note: 'longtext' })
    path = `data${id}`
    note = fields['note']!
  })
  after(() => service?.close())

  it('is compared with texts of at most 1,000 characters, and a longer one is refused at its place', async () => {
    const [fits, tooLong] = ['🚀'.repeat(1_000), '🚀'.repeat(1_001)]
    const search = (filter: string) => service.call('POST', `${path}/search`, { meta: { filter } })
    for (const fn of ['eq', 'ne', 'gt', 'lte', 'in', 'nin', 'contains', 'starts_with', 'ends_with']) {
      assert.equal((await search(`${fn}(${note},'${fits}')`)).status, 200, fn)
      const { status, json } = await search(`${fn}(${note},'${tooLong}')`)
      assert.deepEqual(
        [status, json.errors[0].code, json.errors[0].meta.position],
        [400, 'filter.invalid_value', fn.length + note.length + 2],
      )
    }
    assert.equal((await search(`between(${note},'a','${tooLong}')`)).status, 400)
    assert.equal((await service.get(`${path}?filter[${note}]=${'x'.repeat(1_001)}`)).json.errors[0].code, 'filter.invalid_value')
    assert.equal((await service.get(`audit?filter=contains(detail,'${'x'.repeat(1_001)}')`)).json.errors[0].code, 'filter.invalid_value')
    const saved = { table_id: Number(path.slice(4)), filter_name: 'Long', expression: `contains(${note},'${tooLong}')` }
    const { json } = await service.add('filter', saved)
    assert.match(json.errors[0].detail, /1000/)
  })

  it('is sorted by at most 16 attributes', async () => {
    const names = Array.from({ length: 17 }, (_, i) => `n${i}`)
    const { id, fields } = await service.table('Wide', Object.fromEntries(names.map((name) => [name, 'integer'])))
    const sorted = (count: number) => service.get(`data${id}?sort=${Object.values(fields).slice(0, count).join(',')}`)
    assert.equal((await sorted(16)).status, 200)
    const { status, json } = await sorted(17)
    assert.deepEqual([status, json.errors[0].code, json.errors[0].source.parameter], [400, 'sort.too_many_attributes', 'sort'])
  })
})
