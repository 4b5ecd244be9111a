import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('a change of a field with dryRun=true', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const foretold = (field: string, attributes: object, token?: string) =>
    service.change('field', field.slice(1), attributes, token, '?dryRun=true')
  /** All that a change could have changed. */
  const everything = async (type: string, field: string) => [
    (await service.get(`field/${field.slice(1)}`)).json.data,
    (await service.get(`${type}?sort=id&fields[${type}]=${field},update_time`)).json.data,
    (await service.get(`table/${type.slice(4)}`)).json.data,
    (await service.get('changes?page[size]=1')).json.data,
  ]

  it('tells what becomes of the values and how they are read, and changes nothing', async () => {
    const { type, f } = await makeTable(service, 'Days', { day: 'text' })
    const day = f['day']!
    const ids: string[] = []
    for (const value of ['01/02/2024', 'soon', '', '31/12/2024', '2024-05-01']) ids.push(await service.make(type, { [day]: value }))
    assert.equal((await service.remove(`${type}/${ids[3]!}`)).status, 200)
    service.clock.now += 60_000
    const before = await everything(type, day)
    const answer = await foretold(day, { field_type: 'date' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json.meta, {
      converted: 4,
      lost: 1,
      examples_lost: [{ record_id: ids[1], value: 'soon', becomes: '0000-00-00' }],
      examples: [
        { record_id: ids[0], value: '01/02/2024', becomes: '2024-02-01' },
        { record_id: ids[4], value: '2024-05-01', becomes: '2024-05-01' },
        { record_id: ids[3], value: '31/12/2024', becomes: '2024-12-31' },
      ],
      written: { date_format: 'DD.MM.YYYY' },
      removed_options: [],
    })
    assert.deepEqual(await everything(type, day), before)
    refused(await service.change('field', day.slice(1), { field_type: 'date' }), '409 field.would_lose_data /data/attributes/field_type')
    const lossy = await service.change('field', day.slice(1), { field_type: 'date' }, undefined, '?convertMode=lossy')
    assert.equal(lossy.status, 200, lossy.text)
    assert.deepEqual(
      (await service.get(`${type}?sort=id`)).json.data.map(
        ({ attributes }: { readonly attributes: Record<string, string> }) => attributes[day],
      ),
      ['2024-02-01', '0000-00-00', '0000-00-00', '2024-05-01'],
    )
  })

  it('tells which records hold options that would be removed', async () => {
    const options = ['New', 'Won', 'Lost']
    const { type, f } = await makeTable(service, 'Marks', {
      one: { field_type: 'list', options },
      some: { field_type: 'multilist', options },
    })
    const [one, some] = [f['one']!, f['some']!]
    for (const [label, labels] of [
      ['New', 'New\r\nWon'],
      ['Won', 'Won'],
      ['Won', ''],
      ['', 'Lost\r\nWon'],
    ])
      await service.make(type, { [one]: label, [some]: labels })
    for (const [field, records] of [
      [one, [2, 0]],
      [some, [3, 1]],
    ] as const) {
      const [kept, won, lost] = (await service.get(`field/${field.slice(1)}`)).json.data.attributes.options
      const before = await everything(type, field)
      const { json } = await foretold(field, { options: [{ ...kept, label: 'Fresh' }, 'Another'] })
      assert.deepEqual(json.meta.removed_options, [
        { ...won, records: records[0] },
        { ...lost, records: records[1] },
      ])
      assert.deepEqual([json.meta.converted, json.meta.lost], [0, 0])
      assert.deepEqual(await everything(type, field), before)
    }
  })

  it('makes no options where a text becomes a list, and is refused as the change is', async () => {
    const { type, f } = await makeTable(service, 'Texts', { kind: 'text', other: 'text' })
    const kind = f['kind']!
    for (const value of ['a', 'b', 'a']) await service.make(type, { [kind]: value })
    const before = await everything(type, kind)
    const { json } = await foretold(kind, { field_type: 'list' })
    assert.deepEqual([json.meta.converted, json.meta.lost, json.meta.examples[1]], [3, 0, { record_id: '2', value: 'b', becomes: 'b' }])
    assert.deepEqual(await everything(type, kind), before)
    refused(await foretold(kind, { field_type: 'colour' }), '422 field.invalid_value /data/attributes/field_type')
    refused(
      await foretold(kind, { field_type: 'reference', reference_table_id: 999 }),
      '422 field.invalid_value /data/attributes/reference_table_id',
    )
    refused(await foretold('f999999', { field_type: 'date' }), '404 resource.not_found')
    const group = Number(await service.make('group', { group_name: 'Clerks' }))
    const token = await service.tokenOf(group)
    assert.equal(
      (await foretold(kind, { field_type: 'list' }, token)).status,
      (await service.change('field', kind.slice(1), { field_type: 'list' }, token)).status,
    )
    assert.deepEqual(await everything(type, kind), before)
  })
})
