import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

describe('requests meant to do harm', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('a document of very many attributes is refused in one sentence, not in one for each', async () => {
    const { id } = await service.table('Crowded')
    const crowd = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, 0]))
    for (const type of [`data${id}`, 'table']) {
      const answer = await service.add(type, crowd(100_000))
      assert.equal(answer.json.errors.length, 1)
      assert.deepEqual(errorsOf(answer), ['400 document.invalid_member /data/attributes'])
      assert.equal(errorsOf(await service.add(type, crowd(500))).filter((error) => error.includes('attribute.unknown')).length, 500)
    }
  })

  it('an error document holds a thousand errors at most, and the log no text of any length', async () => {
    const { id } = await service.table('Ruled')
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i + 1_000_000}`, 'hidden']))
    const answer = await service.add('access', { group_id: 3, table_id: id, fields })
    assert.equal(answer.status, 422)
    assert.equal(answer.json.errors.length, limits.errors.most)
    await service.add(`data${id}`, { ['x'.repeat(1_000_000)]: 0 })
    assert.ok(Math.max(...service.logged.map((one) => JSON.stringify(one).length)) < 5_000)
  })

  it('very many ids in one value are refused at once, and the sentence names some', async () => {
    const { id } = await service.table('Linked')
    const field = await service.make('field', { table_id: id, field_name: 'Others', field_type: 'references', reference_table_id: id })
    const ids = (count: number) => `-${Array.from({ length: count }, (_, i) => i + 1).join('-')}-`
    const many = await service.add(`data${id}`, { [`f${field}`]: ids(200_000) })
    assert.deepEqual(errorsOf(many), [`422 field.invalid_value /data/attributes/f${field}`])
    const strange = await service.add(`data${id}`, { [`f${field}`]: ids(5_000) })
    assert.equal(strange.status, 422)
    for (const { json } of [many, strange]) assert.ok(json.errors[0].detail.length < 300, json.errors[0].detail.slice(0, 400))
  })
})
