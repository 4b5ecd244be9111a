import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { openBrowser } from '../../support/browser.ts'
import { person, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('settings of users', () => {
  let service: Service
  let anna: string
  let boris: string
  before(async () => {
    service = await startService()
    anna = (await person(service, 3, 'anna')).token
    boris = (await person(service, 3, 'boris')).token
  })
  after(() => service.close())

  const keep = (key: string, value: unknown, token = anna) => service.add('setting', { key, value }, token)

  it('keep any JSON as it was sent', async () => {
    const values = [null, true, 0, '', 'ё', -1.5, [], {}, [1, [{ a: null, __proto: 'x' }]], { 'a/b': { c: '\u0000\ud800' } }]
    for (const [i, value] of values.entries()) {
      const { status, text, json } = await keep(`any.${i}`, value)
      assert.equal(status, 201, text)
      assert.deepEqual((await service.get(`setting/${json.data.id}`, anna)).json.data.attributes, { key: `any.${i}`, value })
    }
    assert.equal((await service.add('setting', { key: 'empty' }, anna)).json.data.attributes.value, null)
    const { json } = await service.get(`setting?filter=starts_with(key,'any.')&sort=-key&page[limit]=2`, anna)
    assert.deepEqual(
      [json.meta.total, ...json.data.map(({ attributes }: { attributes: { key: string } }) => attributes.key)],
      [values.length, 'any.9', 'any.8'],
    )
  })

  it('are changed and deleted, by a session too', async () => {
    const { id } = (await keep('language', 'pt')).json.data
    const browser = await openBrowser(service, 'anna', 'anna anna anna')
    const body = { data: { type: 'setting', id, attributes: { key: 'language', value: 'en' } } }
    assert.equal((await browser.send('PATCH', `setting/${id}`, { body })).status, 200)
    assert.equal((await service.get(`setting/${id}`, anna)).json.data.attributes.value, 'en')
    refused(await service.change('setting', id, { key: 'other' }, anna), '400 attribute.read_only /data/attributes/key')
    assert.equal((await service.remove(`setting/${id}`, anna)).status, 200)
    refused(await service.get(`setting/${id}`, anna), '404 resource.not_found')
    assert.equal((await keep('language', 'pt')).status, 201)
  })

  it("do not exist for others, and do not collide with others' own", async () => {
    const { id } = (await keep('private', 'secret')).json.data
    for (const token of [boris, service.token]) {
      refused(await service.get(`setting/${id}`, token), '404 resource.not_found')
      refused(await service.change('setting', id, { value: 1 }, token), '404 resource.not_found')
      refused(await service.remove(`setting/${id}`, token), '404 resource.not_found')
      assert.equal((await service.get('setting', token)).json.meta.total, 0)
    }
    assert.equal((await keep('private', 'mine', boris)).status, 201)
    assert.doesNotMatch((await service.get('change?filter=eq(table_id,0)&sort=-id&page[limit]=50')).text, /"secret"|"setting"/)
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => keep('at-once', i)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
    const conflict = answers.find(({ status }) => status === 409)!
    refused(conflict, '409 field.not_unique /data/attributes/key')
  })

  it('are kept by tokens that may write and are not limited', async () => {
    const reading = await service.tokenOf(3, { scope: 'read' })
    refused(await keep('x', 1, reading), '403 access.denied')
    const { id } = await service.table('Some')
    refused(await service.get('setting', await service.tokenOf(1, { tables: [id] })), '403 access.denied')
  })

  it('are limited in number, bytes and keys', async () => {
    const { most } = limits.settingValue
    assert.equal((await keep('long', 'x'.repeat(most - 2))).status, 201)
    refused(await keep('longer', 'x'.repeat(most - 1)), '422 field.invalid_value /data/attributes/value')
    refused(await keep('wide', 'ё'.repeat(most / 2)), '422 field.invalid_value /data/attributes/value')
    for (const key of [' ', '-a', 'a b', 'ё', 'x'.repeat(65), '__proto__'])
      refused(await keep(key, 1), '422 field.invalid_value /data/attributes/key')
    refused(await keep('', 1), '422 field.required /data/attributes/key')
    refused(await service.add('setting', { value: 1 }, anna), '422 field.required /data/attributes/key')
    const [[[userId]]] = (await service.store.db.read(sql`SELECT id FROM users WHERE login = 'boris'`)) as [[[bigint]]]
    await service.store.db.write(async (tx) => {
      for (let i = 1; i < limits.settingsPerUser.most; i++)
        await tx.run(sql`INSERT INTO user_settings (user_id, name, namek, value) VALUES (${Number(userId)}, ${`k${i}`}, ${`k${i}`}, '1')`)
    })
    refused(await keep('one-more', 1, boris), '409 quota.reached')
    assert.equal((await keep('one-more', 1)).status, 201)
  })
})
