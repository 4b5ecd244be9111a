import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'

/* DECISIONS Q14. The oracle (test/filter, http-oracle) asks random searches; here are cases with names. */

describe('search(…)', () => {
  let service: Service
  let people: Table
  before(async () => {
    service = await startService()
    people = await makeTable(service, 'People', {
      name: 'text',
      notes: 'longtext',
      age: 'integer',
      sum: 'decimal',
      born: 'date',
      state: { field_type: 'list', options: ['New client', 'Lost'] },
      tags: { field_type: 'multilist', options: ['Early bird', 'VIP'] },
      email: 'email',
      phone: 'phone',
      page: 'url',
      papers: 'file',
    })
    for (const record of [
      { name: 'Ёлкина Анна', email: 'Anna.Yolkina+crm@mail.example.com', phone: '+7 (900) 123-45-67', state: 'New client', age: '41' },
      {
        name: "Jean-Luc O'Hara",
        notes: 'Первая строка\r\nсчёт №77\tPorto',
        phone: '8 900 123 45 67',
        sum: '-1234.50',
        tags: 'Early bird\r\nVIP',
      },
      { name: 'Straße 東京タワー', born: '1987-06-05', page: 'https://www.example.org/about?us', state: 'Lost' },
      { name: 'हिन्दी 𝐀lpha', notes: `${'x '.repeat(3_000)}hidden-deep` },
    ])
      await service.make(people.type, Object.fromEntries(Object.entries(record).map(([name, value]) => [people.f[name]!, value])))
    const files = { [people.f['papers']!]: [{ file_name: 'Договор_2024.final.pdf', content: 'x' }] }
    await service.make(people.type, files)
  })
  after(() => service.close())

  const ask = (filter: string, token?: string, table = people) => service.get(`${table.type}?filter=${encodeURIComponent(filter)}`, token)
  const find = async (words: string, token?: string) => idsOf(await ask(`search('${words.replaceAll("'", "''")}')`, token)).join(' ')

  it('finds each word at the beginning of a word, in any attribute, in any order, whatever its case', async () => {
    for (const [words, ids] of [
      ['ел', '1'],
      ['АННА ёлкина', '1'],
      ['анна 41 new', '1'],
      ['лкина', ''],
      ['анна porto', ''],
      ['jean', '2'],
      ['luc', '2'],
      ["o'hara", '2'],
      ['Hara-Jean', '2'],
      ['porto первая', '2'],
      ['счет', '2'],
      ['№77', '2'],
      ['straß', '3'],
      ['strass', ''],
      ['東京', '3'],
      ['京', ''],
      ['हिन्', '4'],
      ['𝐀', '4'],
      ['deep hidden', '4'],
      ['%', undefined],
    ] as const)
      if (ids === undefined) refused(await ask(`search('${words}')`), '400 filter.invalid_value filter')
      else assert.equal(await find(words), ids, words)
  })

  it('looks into values as a response shows them: e-mails by their parts, labels, names of files, addresses', async () => {
    for (const [words, ids] of [
      ['yolkina', '1'],
      ['anna.yol', '1'],
      ['mail.example', '1'],
      ['example.org', '3'],
      ['exam', '1 3'],
      ['client', '1'],
      ['bird', '2'],
      ['vip early', '2'],
      ['lost', '3'],
      ['2024.final', '5'],
      ['договор pdf', '5'],
    ] as const)
      assert.equal(await find(words), ids, words)
  })

  it('looks into numbers and times by their groups of digits, into phones by the beginning or the end of all their digits', async () => {
    for (const [words, ids] of [
      ['1234', '2'],
      ['-1234.5', '2'],
      ['1234,50', '2'],
      ['234', ''],
      ['1987', '3'],
      ['06.1987', '3'],
      ['79001', '1'],
      ['9001', ''],
      ['+7 (900) 123', '1'],
      ['8-900-123-45-67', '2'],
      ['7900 анна', '1'],
      ['4567', '1 2'],
      ['45-67', '1 2'],
      ['123-45-67', '1 2'],
      ['1234567 анна', '1'],
      ['567', ''],
      ['3456', ''],
    ] as const)
      assert.equal(await find(words), ids, words)
  })

  it('goes with everything: and, or, not, sort, a saved filter, POST', async () => {
    const { name, age } = people.f
    assert.equal(idsOf(await ask(`not(search('exam'))`)).join(' '), '2 4 5')
    assert.equal(idsOf(await ask(`and(search('exam'),eq(${age},41))`)).join(' '), '1')
    assert.equal(idsOf(await ask(`or(SEARCH( 'porto' ),search(41))`)).join(' '), '1 2')
    const sorted = await service.get(`${people.type}?filter=search('e')&sort=-${name}&page[limit]=1&page[offset]=1`)
    assert.deepEqual([idsOf(sorted), sorted.json.meta.total], [['3'], 3])
    const saved = await service.make('filter', { table_id: people.id, filter_name: 'Example', expression: `search('exam')` })
    assert.equal(idsOf(await ask(`use_filter(${saved})`)).join(' '), '1 3')
    const posted = await service.call('POST', `${people.type}/search`, { meta: { filter: `search('exam')` } })
    assert.equal(idsOf(posted).join(' '), '1 3')
  })

  it('never matches what is hidden, nor records that a read filter leaves out; a read filter may search too', async () => {
    const { token } = await person(service, 3, 'clerk')
    const hidden = {
      [people.f['email']!.slice(1)]: 'hidden',
      [people.f['state']!.slice(1)]: 'hidden',
      [people.f['phone']!.slice(1)]: 'hidden',
    }
    const rule = await service.make('access', { group_id: 3, table_id: people.id, read: true, fields: hidden })
    for (const words of ['yolkina', 'client', '79001', '8-900-123', 'lost']) assert.equal(await find(words, token), '', words)
    assert.equal(await find('exam', token), '3')
    assert.equal(idsOf(await ask(`not(search('client'))`, token)).length, 5)
    await service.change('access', rule, { fields: {}, read_filter: `search('new client')` })
    assert.equal(await find('e', token), '1')
    assert.equal(await find('porto', token), '')
    const { json } = await service.get(people.type, token)
    assert.equal(json.meta.total, 1)
    await service.remove(`access/${rule}`)
  })

  it('finds a record just written, changed or restored, and none that is deleted', async () => {
    const name = people.f['name']!
    const id = await service.make(people.type, { [name]: 'Quentin' })
    assert.equal(await find('quent'), id)
    await service.change(people.type, id, { [name]: 'Rebecca' })
    assert.deepEqual([await find('quent'), await find('rebec')], ['', id])
    await service.remove(`${people.type}/${id}`)
    assert.equal(await find('rebec'), '')
    const { json } = await service.get(`trash?filter=eq(item_id,${id})`)
    await service.call('POST', `trash/${json.data[0].id}/restore`)
    assert.equal(await find('rebec'), id)
    await service.remove(`${people.type}/${id}`)
  })

  it('follows the structure: new fields, renamed options, converted fields', async () => {
    const table = await makeTable(service, 'Changing', { number: 'integer', list: { field_type: 'list', options: ['Red', 'Blue'] } })
    const found = async (words: string) => idsOf(await ask(`search('${words}')`, undefined, table)).join(' ')
    const id = await service.make(table.type, { [table.f['number']!]: '512', [table.f['list']!]: 'Red' })
    const field = await service.make('field', { table_id: table.id, field_name: 'More', field_type: 'text', default_value: 'crimson' })
    await service.change(table.type, id, { [`f${field}`]: 'scarlet' })
    assert.deepEqual([await found('512'), await found('red'), await found('scarl')], [id, id, id])
    await service.change('field', table.f['number']!.slice(1), { field_type: 'text' })
    const { json } = await service.get(`field/${table.f['list']!.slice(1)}`)
    const options = json.data.attributes.options.map((one: { id: number; label: string }) => ({
      ...one,
      label: one.label.replace('Red', 'Rust'),
    }))
    await service.change('field', table.f['list']!.slice(1), { options })
    assert.deepEqual([await found('512'), await found('red'), await found('rust')], [id, '', id])
    await service.remove(`field/${field}`)
    assert.equal(await found('scarl'), '')
  })

  it('is a function of every list', async () => {
    assert.deepEqual(idsOf(await service.get(`table?filter=search('peop')`)), [String(people.id)])
    for (const type of [
      'user',
      'field',
      'filter',
      'group',
      'access',
      'category',
      'trash',
      'index',
      'audit',
      'token',
      'invitation',
      'webhook',
      'batch',
      'change',
    ]) {
      const { status, text } = await service.get(`${type}?filter=search('zzz 7')`)
      assert.equal(status, 200, text)
    }
    const { status, text, json } = await service.get(`change?page[after]=0&filter=search('create api')`)
    assert.equal(status, 200, text)
    assert.ok(json.data.length > 0)
  })

  it('says what is wrong with it', async () => {
    const ten = Array.from({ length: 10 }, (_, i) => `w${i}`).join(' ')
    for (const [filter, code] of [
      ['search()', 'filter.syntax'],
      [`search('')`, 'filter.invalid_value'],
      [`search('. -')`, 'filter.invalid_value'],
      [`search(name)`, 'filter.syntax'],
      [`search('a','b')`, 'filter.wrong_arity'],
      [`search('${ten} x')`, 'filter.invalid_value'],
      [`and(search('${ten}'),search('x'))`, 'filter.invalid_value'],
      [`search('${'x'.repeat(65)}')`, 'filter.invalid_value'],
    ] as const)
      refused(await ask(filter), `400 ${code} filter`)
    assert.equal(idsOf(await ask(`search('${ten}')`)).length, 0)
    assert.equal(idsOf(await ask(`search('${'𝐀'.repeat(64)}')`)).length, 0)
  })
})
