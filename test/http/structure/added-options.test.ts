import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* Options that are added to those that a field has by then. */

describe('options that are added to a field', () => {
  let service: Service
  let table: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', {
      stage: { field_type: 'list', options: ['New', 'Won'] },
      tags: { field_type: 'multilist', options: ['Hot'] },
      crowd: { field_type: 'list', options: ['first'] },
      full: { field_type: 'list', options: Array.from({ length: 999 }, (_, i) => `option ${i}`) },
      word: 'text',
      count: 'integer',
    })
    for (const word of ['red', 'blue']) await service.make(table.type, { [table.f['word']!]: word })
  })
  after(() => service.close())

  const idOf = (field: string): string => table.f[field]!.slice(1)
  const change = (field: string, attributes: object, query?: string) => service.change('field', idOf(field), attributes, undefined, query)
  const optionsOf = async (field: string): Promise<{ id: number; label: string }[]> =>
    (await service.get(`field/${idOf(field)}`)).json.data.attributes.options
  const labelsOf = async (field: string): Promise<string[]> => (await optionsOf(field)).map(({ label }) => label)
  const WHERE = '422 field.invalid_value /data/attributes/add_options'

  it('come behind the others, which keep their ids, and are never shown as an attribute', async () => {
    const before = await optionsOf('stage')
    const answer = await change('stage', { add_options: ['Lost', 'Paused'] })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!('add_options' in answer.json.data.attributes))
    assert.deepEqual((await optionsOf('stage')).slice(0, 2), before)
    assert.deepEqual(await labelsOf('stage'), ['New', 'Won', 'Lost', 'Paused'])
    const made = await service.add(table.type, { [table.f['stage']!]: 'Paused' })
    assert.equal(made.status, 201, made.text)
  })

  it('all remain where many are added at once, and the same one is added once', async () => {
    const labels = Array.from({ length: 12 }, (_, i) => `by person ${i}`)
    const answers = await Promise.all([...labels, 'Same', 'same', 'SAME'].map((label) => change('crowd', { add_options: [label] })))
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    const after = await labelsOf('crowd')
    assert.equal(after[0], 'first')
    assert.deepEqual(after.filter((label) => label.startsWith('by')).sort(), labels.sort())
    assert.equal(after.length, 1 + labels.length + 1)
  })

  it('are not added again where they are there, in whatever case; one that was removed comes back with its id', async () => {
    assert.equal((await change('tags', { add_options: ['hot', 'Cold', 'COLD'] })).status, 200)
    assert.deepEqual(await labelsOf('tags'), ['Hot', 'Cold'])
    const [hot, cold] = await optionsOf('tags')
    await change('tags', { options: [hot] })
    await change('tags', { add_options: ['Cold'] })
    assert.deepEqual(await optionsOf('tags'), [hot, cold])
    assert.equal((await change('tags', { add_options: [] })).status, 200)
    assert.deepEqual(await optionsOf('tags'), [hot, cold])
  })

  it('come behind those that the same request sets, and behind the values of a field that becomes a list', async () => {
    await change('tags', { options: ['Warm'], add_options: ['Cool'] })
    assert.deepEqual(await labelsOf('tags'), ['Warm', 'Cool'])
    const answer = await change('word', { field_type: 'list', add_options: ['green', 'Red'] })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await labelsOf('word'), ['blue', 'red', 'green'])
  })

  it('are refused where they are no labels, too many, of a type without options, or sent for a new field', async () => {
    refused(await change('stage', { add_options: ['Fine', '', 'a\nb'] }), `${WHERE}/1`, `${WHERE}/2`)
    refused(await change('stage', { add_options: 'Fine' }), WHERE)
    refused(await change('count', { add_options: ['Fine'] }), WHERE)
    assert.deepEqual(await labelsOf('stage'), ['New', 'Won', 'Lost', 'Paused'])
    refused(await change('full', { add_options: ['one', 'two'] }), WHERE)
    assert.equal((await change('full', { add_options: ['one'] })).status, 200)
    refused(
      await service.add('field', { table_id: table.id, field_name: 'New', field_type: 'list', options: ['a'], add_options: ['b'] }),
      '400 attribute.read_only /data/attributes/add_options',
    )
  })

  it('are only looked at by a dry run, and only administrators add them', async () => {
    const answer = await change('stage', { add_options: ['Dry'] }, '?dryRun=true')
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json.meta.removed_options, [])
    assert.deepEqual(await labelsOf('stage'), ['New', 'Won', 'Lost', 'Paused'])
    await service.make('user', { fio: 'Mara', login: 'mara', password: 'mara mara', group_id: 2 })
    await service.make('access', { group_id: 2, table_id: Number(table.id), read: true, update: true })
    const mara = await service.signIn('mara', 'mara mara')
    refused(await service.change('field', idOf('stage'), { add_options: ['Hers'] }, mara), '403 access.denied')
  })
})
