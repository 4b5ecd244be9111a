import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { idsOf, makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

/* Filters on attributes of the record that a reference names: eq(f12.f3,'Porto'). */

describe('filters across a reference', () => {
  let service: Service
  let firms: Table & { readonly f: Readonly<Record<'town' | 'size' | 'secret' | 'kind' | 'parent', string>> }
  let deals: Table & { readonly f: Readonly<Record<'title' | 'firm' | 'firms', string>> }
  let group: number
  let token: string
  let rule: string
  before(async () => {
    service = await startService()
    firms = (await makeTable(service, 'Firms', {
      town: 'text',
      size: 'integer',
      secret: 'text',
      kind: { field_type: 'list', options: ['Big', 'Small'] },
    })) as typeof firms
    Object.assign(firms.f, {
      parent: `f${await service.make('field', { table_id: firms.id, field_name: 'Parent', field_type: 'reference', reference_table_id: firms.id })}`,
    })
    deals = await makeTable(service, 'Deals', {
      title: 'text',
      firm: { field_type: 'reference', reference_table_id: firms.id },
      firms: { field_type: 'references', reference_table_id: firms.id },
    })
    const { town, size, secret, kind, parent } = firms.f
    await service.make(firms.type, { [town]: 'Porto', [size]: '5', [secret]: 'x', [kind]: 'Big' })
    await service.make(firms.type, { [town]: 'Lisboa', [size]: '50', [parent]: '1', [kind]: 'Small' })
    await service.make(firms.type, { [town]: 'PORTO', [size]: '500', [parent]: '2' })
    for (const firm of ['1', '2', '3', '0', '1']) await service.make(deals.type, { [deals.f.firm]: firm, [deals.f.title]: `of ${firm}` })
    group = Number(await service.make('group', { group_name: 'Sales' }))
    token = await service.tokenOf(group)
    await service.make('access', { group_id: group, table_id: deals.id, read: true })
    rule = await service.make('access', {
      group_id: group,
      table_id: firms.id,
      read: true,
      read_filter: `lt(${size},100)`,
      fields: { [secret.slice(1)]: 'hidden' },
    })
  })
  after(() => service.close())

  const ask = (filter: string, by?: string, more = ''): Promise<Answer> =>
    service.get(`${deals.type}?filter=${encodeURIComponent(filter)}${more}`, by ?? service.token)

  it('ask the record that the reference names', async () => {
    const { firm, title } = deals.f
    const { town, size, kind, parent } = firms.f
    for (const [filter, ...ids] of [
      [`eq(${firm}.${town},'porto')`, '1', '3', '5'],
      [`not(eq(${firm}.${town},'porto'))`, '2', '4'],
      [`ne(${firm}.${town},'porto')`, '2'],
      [`gt(${firm}.${size},5)`, '2', '3'],
      [`in(${firm}.${kind},'Big','Small')`, '1', '2', '5'],
      [`is_empty(${firm}.${kind})`, '3'],
      [`contains(${firm}.${town},'sbo')`, '2'],
      [`eq(${firm}.id,3)`, '3'],
      [`lte(${firm}.add_time,now)`, '1', '2', '3', '5'],
      [`eq(${firm}.${parent},1)`, '2'],
      [`or(eq(${firm}.${town},'Lisboa'),eq(${title},'of 0'))`, '2', '4'],
      [`and(eq(${firm}.${town},'porto'),lt(${firm}.${size},100))`, '1', '5'],
    ] as const)
      assert.deepEqual(idsOf(await ask(filter)), ids, filter)
    const own = (filter: string) => service.get(`${firms.type}?filter=${encodeURIComponent(filter)}`)
    assert.deepEqual(idsOf(await own(`eq(${parent}.${town},'Porto')`)), ['2'])
    assert.deepEqual(idsOf(await own(`not(eq(${parent}.${town},'Porto'))`)), ['1', '3'])
  })

  it('see only what the caller may read there, whatever the function', async () => {
    const { firm } = deals.f
    const { town, size, secret } = firms.f
    for (const [filter, ...ids] of [
      [`eq(${firm}.${town},'porto')`, '1', '5'],
      [`not(eq(${firm}.${town},'porto'))`, '2', '3', '4'],
      [`ne(${firm}.${town},'nowhere')`, '1', '2', '5'],
      [`nin(${firm}.${size},1)`, '1', '2', '5'],
      [`gte(${firm}.${size},0)`, '1', '2', '5'],
      [`gt(${firm}.id,0)`, '1', '2', '5'],
    ] as const)
      assert.deepEqual(idsOf(await ask(filter, token)), ids, filter)
    const unknown = (answer: Answer) => [answer.status, answer.json.errors[0].code, answer.json.errors[0].meta.position]
    assert.deepEqual(unknown(await ask(`eq(${firm}.${secret},'x')`, token)), [400, 'filter.unknown_attribute', 3])
    assert.deepEqual(unknown(await ask(`eq(${firm}.f999,'x')`, token)), [400, 'filter.unknown_attribute', 3])
    const narrow = await service.tokenOf(group, { tables: [deals.id] })
    assert.deepEqual(unknown(await ask(`eq(${firm}.${town},'x')`, narrow)), [400, 'filter.unknown_attribute', 3])
    assert.deepEqual(unknown(await ask(`eq(${firm}.id,1)`, narrow)), [400, 'filter.unknown_attribute', 3])
    await service.change('access', rule, { read_filter: `eq(${size},'5')` })
    assert.deepEqual(idsOf(await ask(`gt(${firm}.id,0)`, token)), ['1', '5'])
    await service.change('access', rule, { read_filter: `lt(${size},100)` })
  })

  it('are answered anew when the other table has changed, whatever was remembered of the list', async () => {
    const { firm } = deals.f
    const page = async () => {
      const { json } = await ask(`eq(${firm}.${firms.f.town},'Porto')`, undefined, `&sort=-${deals.f.title}&page[limit]=1&page[offset]=1`)
      return [json.meta.total, json.data[0]?.id]
    }
    assert.deepEqual(await page(), [3, '1'])
    assert.deepEqual(await page(), [3, '1'])
    await service.change(firms.type, '3', { [firms.f.town]: 'Faro' })
    assert.deepEqual(await page(), [2, '5'])
    await service.remove(`${firms.type}/1`)
    assert.deepEqual(await page(), [0, undefined])
    const [entry] = (await service.get('trash?sort=-id&page[limit]=1')).json.data
    await service.call('POST', `trash/${entry.id}/restore`)
    await service.change(firms.type, '3', { [firms.f.town]: 'PORTO' })
    assert.deepEqual(await page(), [3, '1'])
  })

  it('can be saved, and are hidden from those who may not see what they name', async () => {
    const { firm } = deals.f
    const save = (expression: string, by?: string) =>
      service.add('filter', { table_id: deals.id, filter_name: 'Of firms', expression }, by ?? service.token)
    const shared = (await save(`eq(${firm}.${firms.f.town},'Porto')`)).json.data.id
    const closed = (await save(`eq(${firm}.${firms.f.secret},'x')`)).json.data.id
    assert.deepEqual(idsOf(await ask(`use_filter(${shared})`)), ['1', '3', '5'])
    assert.deepEqual(idsOf(await ask(`use_filter(${shared})`, token)), ['1', '5'])
    refused(await ask(`use_filter(${closed})`, token), '400 filter.unknown_saved_filter filter')
    assert.deepEqual(idsOf(await service.get('filter', token)), [shared])
    const narrow = await service.tokenOf(group, { tables: [deals.id] })
    assert.deepEqual(idsOf(await service.get('filter', narrow)), [])
    refused(await save(`eq(${firm}.${firms.f.secret},'x')`, token), '422 field.invalid_value /data/attributes/expression')
    for (const id of [shared, closed]) await service.remove(`filter/${id}`)
  })

  it('are refused where they do not fit, and in filters that are tested on a change or for rights', async () => {
    const { firm, title } = deals.f
    const step = `eq(${firm}.${firms.f.town},'Porto')`
    refused(await ask(`eq(${title}.${firms.f.town},'x')`), '400 filter.not_a_reference filter')
    refused(await ask(`eq(${deals.f.firms}.${firms.f.town},'x')`), '400 filter.not_a_reference filter')
    refused(await ask(`eq(${firm}.${firms.f.parent}.${firms.f.town},'x')`), '400 filter.syntax filter')
    refused(await ask(`eq(${title},${firm}.${firms.f.town})`), '400 filter.syntax filter')
    refused(await service.get(`user?filter=eq(group_id.group_name,1)`), '400 filter.not_a_reference filter')
    const { most } = limits.filterSteps
    const many = (count: number) => `or(${Array.from({ length: count }, () => step).join()})`
    assert.equal((await ask(many(most))).status, 200)
    refused(await ask(many(most + 1)), '400 filter.too_many_steps filter')
    const there = (answer: Answer, code: string) =>
      assert.deepEqual([answer.json.errors[0].code, answer.json.errors[0].meta.code], ['field.invalid_value', code])
    for (const name of ['read_filter', 'write_filter'])
      there(await service.add('access', { group_id: 3, table_id: deals.id, read: true, [name]: step }), 'filter.step_not_here')
    there(await service.add('webhook', { url: 'https://example.com/', table_id: deals.id, filter: step }), 'filter.step_not_here')
    const saved = await service.make('filter', { table_id: deals.id, filter_name: 'Step', expression: step })
    refused(await service.get(`events?saved_filter=${saved}`), '400 filter.saved_filter_invalid saved_filter')
    await service.remove(`filter/${saved}`)
  })
})
