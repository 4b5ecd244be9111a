import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyStructure } from '../../../src/documents/structure/apply-structure.ts'
import { exportStructure } from '../../../src/documents/structure/export-structure.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { startService, type Service } from '../../support/service.ts'

/* The headings under which records show their fields (DECISIONS S20). */

describe('the section of a field', () => {
  let service: Service
  let names: Record<string, string>
  before(async () => {
    service = await startService()
    ;({ fields: names } = await service.table('People', { name: 'text', phone: 'phone', salary: 'integer' }))
  })
  after(() => service.close())

  const id = (of: string) => names[of]!.slice(1)
  const put = (of: string, section: unknown) => service.change('field', id(of), { section })
  const sections = async (filter: string, token?: string): Promise<string[]> =>
    (
      await service.send(
        'GET',
        `/api/dev/field?filter=${encodeURIComponent(filter)}&sort=sequence_number`,
        token === undefined ? {} : { token },
      )
    ).json.data.map(({ attributes }: { attributes: { section: string } }) => attributes.section)

  it('is empty until it is given, and is found, changed and taken away', async () => {
    assert.deepEqual(await sections('eq(table_id,1)'), ['', '', ''])
    assert.equal((await put('phone', 'How to reach')).status, 200)
    assert.equal((await put('salary', 'Условия')).status, 200)
    assert.deepEqual(await sections('eq(table_id,1)'), ['', 'How to reach', 'Условия'])
    assert.deepEqual(await sections("eq(section,'условия')"), ['Условия'])
    assert.equal((await put('phone', '')).status, 200)
    assert.deepEqual(await sections('eq(table_id,1)'), ['', '', 'Условия'])
    const made = await service.add('field', { table_id: 1, field_name: 'Note', field_type: 'text', section: 'Условия' })
    assert.equal(made.json.data.attributes.section, 'Условия')
    assert.equal((await service.remove(`field/${made.json.data.id}`)).status, 200)
  })

  it('has at most 255 characters, on one line, and is text', async () => {
    assert.equal((await put('phone', 'ё'.repeat(255))).status, 200)
    for (const [section, status] of [
      ['ё'.repeat(256), 422],
      ['a\nb', 422],
      [7, 422],
      [['a'], 422],
    ] as const)
      assert.equal((await put('phone', section)).status, status, String(section))
    assert.equal((await put('phone', 'How to reach')).status, 200)
  })

  it('is given to several fields of a table by one request, to all of them or none', async () => {
    const all = (sections: unknown) => service.change('table', '1', { field_sections: sections })
    const before = await sections('eq(table_id,1)')
    const answer = await all({ [id('phone')]: 'Terms', [id('salary')]: 'Terms' })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!('field_sections' in answer.json.data.attributes))
    assert.deepEqual(await sections('eq(table_id,1)'), ['', 'Terms', 'Terms'])
    for (const [sent, pointer] of [
      [{ [id('phone')]: 'New', 99: 'New' }, '/data/attributes/field_sections/99'],
      [{ [id('phone')]: 'New', [id('salary')]: 'a\nb' }, `/data/attributes/field_sections/${id('salary')}`],
      [{ [id('phone')]: 'New', [id('salary')]: 'ё'.repeat(256) }, `/data/attributes/field_sections/${id('salary')}`],
      [{ [id('phone')]: 7 }, '/data/attributes/field_sections'],
      [{ [`0${id('phone')}`]: 'New' }, '/data/attributes/field_sections'],
      [['New'], '/data/attributes/field_sections'],
    ] as const) {
      const { status, json } = await all(sent)
      assert.deepEqual([status, json.errors?.[0].source.pointer], [422, pointer], JSON.stringify(sent))
    }
    assert.deepEqual(await sections('eq(table_id,1)'), ['', 'Terms', 'Terms'])
    assert.equal((await service.add('table', { table_name: 'New', field_sections: {} })).status, 400)
    assert.equal((await all({ [id('phone')]: before[1], [id('salary')]: before[2] })).status, 200)
  })

  it('stays where the type of the field changes', async () => {
    assert.equal((await service.change('field', id('phone'), { field_type: 'text' })).status, 200)
    assert.deepEqual(await sections('eq(table_id,1)'), ['', 'How to reach', 'Условия'])
  })

  it('is not there for those who do not see its fields', async () => {
    await service.add('access', { group_id: 2, table_id: 1, read: true, fields: { [names['salary']!]: 'hidden' } })
    const manager = await service.tokenOf(2)
    assert.deepEqual(await sections('eq(table_id,1)', manager), ['', 'How to reach'])
    assert.deepEqual(await sections("eq(section,'условия')", manager), [])
  })

  it('comes with a copy of the table, and with a structure document', async () => {
    const copy = await service.send('POST', '/api/dev/table/1/copy', {
      body: { data: { type: 'table', attributes: { table_name: 'Copy' } } },
    })
    assert.deepEqual(await sections(`eq(table_id,${copy.json.data.id})`), ['', 'How to reach', 'Условия'])
    const { document } = await exportStructure(service.store)
    const wanted = JSON.parse(JSON.stringify(document).replaceAll('How to reach', 'Contacts'))
    await applyStructure(service.store, operator, wanted, { mayDo: () => undefined })
    assert.deepEqual(await sections('eq(table_id,1)'), ['', 'Contacts', 'Условия'])
  })
})
